"""A real Chromium against a live server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.factories import PASSWORD

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    return browser_type_launch_args | {
        "executable_path": os.environ.get("CHROMIUM") or shutil.which("chromium"),
        "args": FLAGS,
    }


@pytest.fixture
def open_page(browser: Browser, live_server) -> Iterator[Callable[..., Page]]:
    """Opens a page of the live server in a browser of its own; `script=False` switches script off."""
    contexts: list[BrowserContext] = []

    def opened(path: str = "/", *, script: bool = True, width: int = 1280, height: int = 900) -> Page:
        context = browser.new_context(
            base_url=live_server.url, java_script_enabled=script, viewport={"width": width, "height": height}
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def log_in() -> Callable[[Page, str], Page]:
    """Logs somebody in by the login page."""

    def done(page: Page, username: str) -> Page:
        page.goto("/login/")
        page.get_by_label("User name").fill(username)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Log in").click()
        page.wait_for_url(lambda url: "/login/" not in url)
        return page

    return done
