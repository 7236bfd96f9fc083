"""What must not stand in the code, the templates and the settings, whoever writes the next page."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("chesslocker", "classes", "ratings", "tournaments")
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
PLAIN_TEXT = {  # mails are no HTML
    "password_reset_email.txt", "password_reset_subject.txt", "invitation_email.txt", "invitation_subject.txt",
}  # fmt: skip


def modules() -> Iterator[tuple[Path, str]]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text()


def found(pattern: str, text: str) -> list[str]:
    return [match.group() for match in re.finditer(pattern, text, re.IGNORECASE)]


def test_there_is_something_to_look_at():
    assert len(TEMPLATES) > 20
    assert len(SCRIPTS) >= 1
    assert len(list(modules())) > 40


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_nothing_inline(path):
    text = path.read_text()

    assert found(r"\sstyle\s*=", text) == []
    assert found(r"\son[a-z]+\s*=", text) == []
    assert found(r"\shx-on", text) == []
    assert found(r"<style", text) == []
    assert found(r"javascript:", text) == []
    assert [tag for tag in found(r"<script\b[^>]*>", text) if "src=" not in tag and "application/json" not in tag] == []
    assert found(r"https?://(?!www\.w3\.org/)[a-z]", re.sub(r"\{\{.*?\}\}", "", text)) == []  # no other host


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_escape_everything(path):
    if path.name in PLAIN_TEXT:
        return
    text = path.read_text()

    assert found(r"\|\s*safe", text) == []
    assert found(r"autoescape", text) == []


def test_every_form_that_posts_has_its_token():
    for path in TEMPLATES:
        text = path.read_text()
        for form in re.findall(r"<form\b[^>]*method=\"post\".*?</form>", text, re.IGNORECASE | re.DOTALL):
            assert "csrf_token" in form or "{% crispy " in form, path.name  # crispy brings it


def test_scripts_write_no_markup():
    for path in SCRIPTS:
        assert (
            found(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", path.read_text())
            == []
        )


def test_code_uses_nothing_that_switches_protection_off():
    wrong = r"\b(csrf_exempt|mark_safe|SafeString|SafeText|xframe_options_exempt|csp_exempt|csp_update|RawSQL)\b"
    for path, text in modules():
        assert found(wrong, text) == [], path
        assert found(r"\.(raw|extra)\(", text) == [], path
        assert found(r"^\s*(import|from) (pickle|marshal|shelve|yaml)\b", text) == [], path


def test_forms_name_their_fields():
    """A form that takes all fields of a model, or all but some, takes tomorrow's fields too."""
    for path, text in modules():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and node.name == "Meta":
                for line in node.body:
                    if isinstance(line, ast.Assign):
                        names = {target.id for target in line.targets if isinstance(target, ast.Name)}
                        assert "exclude" not in names, path
                        assert not ("fields" in names and isinstance(line.value, ast.Constant)), path


def test_no_template_markup_is_made_of_what_people_typed():
    """crispy's HTML() is compiled as a template: into it go sentences of ours, never a name."""
    for path, text in modules():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "HTML":
                source = ast.unparse(node)
                assert found(r"\b(cleaned_data|instance|request|label|full_name)\b", source) == [], path


def test_the_deployment_check_is_content(tmp_path):
    inherited = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "VIRTUAL_ENV"}}
    environment = inherited | {
        "CHESSLOCKER_DATA": str(tmp_path),
        "CHESSLOCKER_HTTPS": "1",
        "CHESSLOCKER_HOSTS": "chess.example.org",
    }

    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_any_host_is_refused_as_a_setting(tmp_path):
    environment = {"CHESSLOCKER_DATA": str(tmp_path), "CHESSLOCKER_HOSTS": "*", "PATH": os.environ["PATH"]}

    done = subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True)

    assert done.returncode != 0
    assert b"CHESSLOCKER_HOSTS must name the hosts" in done.stderr
