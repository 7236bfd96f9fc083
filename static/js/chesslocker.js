/* Script only makes smoother what works without it. */
"use strict";

document.documentElement.classList.add("scripted");

/* Letters without accents, and ü both as u and as ue, so that bluebaum and blubaum find Blübaum. */
function searchForms(text) {
  const lower = text.toLowerCase().replaceAll("ß", "ss");
  const spelled = lower.replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ø", "oe").replaceAll("å", "aa");
  return [lower, spelled].map((form) => form.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ø", "o").replaceAll("ł", "l"));
}

/* A search field above a long list of names: typing leaves the names that fit. */
function addSearch(select) {
  const options = Array.from(select.options);
  if (options.length < 9 || select.dataset.searched) return;
  select.dataset.searched = "1";
  const box = document.createElement("input");
  box.type = "search";
  box.autocomplete = "off";
  box.className = "form-control search-box";
  box.placeholder = box.ariaLabel = select.dataset.search;
  const label = document.querySelector(`label[for="${select.id}"]`);
  if (label) { label.id = `${select.id}_label`; box.setAttribute("aria-describedby", label.id); }
  box.setAttribute("aria-controls", select.id);
  select.before(box);
  box.addEventListener("input", (event) => {
    event.stopPropagation();
    const wanted = searchForms(box.value.trim());
    const fitting = options.filter((option) => !option.value || searchForms(option.text).some((form) => wanted.some((part) => form.includes(part))));
    const kept = select.value;
    select.replaceChildren(...fitting);
    const names = fitting.filter((option) => option.value);
    select.value = box.value && names.length === 1 ? names[0].value : fitting.some((option) => option.value === kept) ? kept : "";
    if (select.value !== kept) select.dispatchEvent(new Event("change", { bubbles: true }));
  });
  box.addEventListener("change", (event) => event.stopPropagation());
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); select.focus(); }
  });
  if (select.autofocus) { select.autofocus = false; box.focus(); }
}

/* A chessboard of checkboxes is one stop for the Tab key; the arrow keys go from square to square. */
function steerByArrows(board) {
  const squares = Array.from(board.querySelectorAll("input"));
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };
  const stopAt = (square) => squares.forEach((one) => { one.tabIndex = one === square ? 0 : -1; });
  stopAt(board.querySelector(".mover input") || squares[0]);
  board.addEventListener("focusin", (event) => stopAt(event.target));
  board.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const from = squares.indexOf(event.target);
    const sameRow = Math.floor((from + step) / 8) === Math.floor(from / 8);
    if (squares[from + step] && (sameRow || Math.abs(step) === 8)) squares[from + step].focus();
  });
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("select[data-search]").forEach(addSearch);
  document.querySelectorAll("[data-arrows]").forEach(steerByArrows);
  const zone = document.querySelector("select[data-time-zone]");
  if (zone && zone.value === "UTC") {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (Array.from(zone.options).some((option) => option.value === here)) zone.value = here;
  }
});

/* What htmx put into the page. */
document.addEventListener("htmx:load", (event) => {
  event.detail.elt.querySelectorAll("select[data-search]").forEach(addSearch);
});

/* A second press of a button while the first is on its way does nothing (the server would not be fooled either). */
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) { event.preventDefault(); return; }
  if (form.method === "post") form.dataset.sent = "1";
});
/* Opens the browser's own print window. */
document.addEventListener("click", (event) => { if (event.target.closest("[data-print]")) window.print(); });

/* What could not be sent may be sent again, and the page says so. An answer that something was entered meanwhile (409) is shown. */
document.addEventListener("htmx:beforeRequest", () => showTrouble(false));
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status === 409) { event.detail.shouldSwap = true; event.detail.isError = false; }
});
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt;
  if (form.tagName !== "FORM") return;
  delete form.dataset.sent;
  if (!event.detail.successful && event.detail.xhr.status !== 409) showTrouble(true);
});
function showTrouble(shown) {
  const trouble = document.getElementById("trouble");
  if (trouble) trouble.hidden = !shown;
}
/* A page that comes back from the browser's memory is fetched anew: after a logout nothing may be seen. */
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
