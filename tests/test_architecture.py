"""The dependency rules of ARCHITECTURE.md, executed: everything points down."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps as registry

ROOT = Path(__file__).resolve().parent.parent
APPS = ["classes", "ratings", "tournaments", "chesslocker"]  # a lower app may not know a higher one
LAYERS = ["core", "models", "access", "mapping", "selectors", "services", "forms", "views", "urls"]
BESIDE_VIEWS = {"admin", "apps", "management", "middleware", "templatetags", "hashers"}
OPEN_TO_OTHERS = {"core", "models", "access", "selectors", "services"}
# What other apps may use besides: the base of forms that do their work once, and of the read-only admin.
SHARED_BASES = {
    ("ratings", "classes.forms"),
    ("ratings", "classes.admin"),
    ("tournaments", "classes.forms"),
    ("tournaments", "classes.admin"),
}
THIRD_PARTY_IN_CORE = {"tournaments/core/fide.py": "gacrux", "tournaments/core/fewest_repeats.py": "networkx"}
FORBIDDEN_NAMES = {"utils", "helpers", "common", "signals", "managers", "mixins"}


def modules() -> Iterator[tuple[str, str, str]]:
    """App, path and source of every module but migrations."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield app, str(path.relative_to(ROOT)), path.read_text()


def imported(path: str, source: str) -> Iterator[tuple[str, bool]]:
    """The dotted names that a module imports, and whether inside a function."""
    tree = ast.parse(source)
    top_level = set(ast.iter_child_nodes(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node not in top_level
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            yield name, node not in top_level
            if "." not in name or name.count(".") < 1:
                for alias in node.names:
                    yield f"{name}.{alias.name}", node not in top_level


def layer(dotted: str) -> str | None:
    """The layer of a module of ours; None for the package itself. Modules beside the views rank with them.

    A part of a layer that has a file of its own ranks with it: `services_colleagues` with `services`.
    """
    part = dotted.split(".")[1] if "." in dotted else None
    if part and part.partition("_")[0] in LAYERS:
        return part.partition("_")[0]
    return "views" if part in BESIDE_VIEWS else part


def broken_rules(app: str, path: str, source: str) -> Iterator[str]:
    """Every rule that one module breaks."""
    own = layer(path.removesuffix(".py").replace("/", "."))
    if Path(path).stem in FORBIDDEN_NAMES:
        yield f"{path}: no module of this name"
    for name, inside in imported(path, source):
        top = name.split(".")[0]
        if name.startswith("."):
            yield f"{path}: relative import {name}"
            continue
        if own == "core":
            ours = top in APPS and layer(name) in {"core", None} and APPS.index(top) <= APPS.index(app)
            if not (top in sys.stdlib_module_names or ours or THIRD_PARTY_IN_CORE.get(path) == top):
                yield f"{path}: core imports {name}"
        if top not in APPS:
            continue
        if inside:
            yield f"{path}: imports {name} inside a function"
        if APPS.index(top) > APPS.index(app):
            yield f"{path}: {app} imports upwards: {name}"
        target = layer(name)
        if target is None:
            continue
        if top == app:
            if own in LAYERS and target in LAYERS and LAYERS.index(target) > LAYERS.index(own):
                yield f"{path}: {own} imports {target}"
        elif app != "chesslocker" and target not in OPEN_TO_OTHERS:
            base = ".".join(name.split(".")[:2])
            if (app, base) not in SHARED_BASES:
                yield f"{path}: reaches into {name}"


def test_imports_point_downwards() -> None:
    found = {rule for app, path, source in modules() for rule in broken_rules(app, path, source)}

    assert sorted(found) == []


@pytest.mark.parametrize(
    ("path", "line", "complaint"),
    [
        ("classes/services.py", "from ratings.services import record_game", "imports upwards"),
        ("ratings/core/elo.py", "from django.db import models", "core imports"),
        ("ratings/models.py", "from ratings.services import record_game", "models imports services"),
        ("tournaments/services.py", "from ratings.views import games", "reaches into"),
        ("ratings/services.py", "def f():\n    from classes.models import User", "inside a function"),
        ("ratings/views.py", "from .models import Game", "relative import"),
        ("ratings/utils.py", "", "no module of this name"),
        ("classes/core/usernames.py", "from anyascii import anyascii", "core imports"),
    ],
)
def test_a_violation_is_found(path: str, line: str, complaint: str) -> None:
    complaints = list(broken_rules(path.split("/")[0], path, line))

    assert any(complaint in found for found in complaints), complaints


def wrong_keys(models: list[type]) -> Iterator[str]:
    """Foreign keys that point up, and reverse names that one app hangs on another."""
    for model in models:
        app = model._meta.app_label
        for field in model._meta.get_fields():
            if not field.is_relation or field.auto_created or field.related_model is None:
                continue
            target = field.related_model._meta.app_label
            if target not in APPS:
                continue
            if APPS.index(target) > APPS.index(app):
                yield f"{model.__name__}.{field.name} points up to {target}"
            if target != app and not (field.remote_field.related_name or "").endswith("+"):
                yield f"{model.__name__}.{field.name} hangs a reverse name on {target}"


def test_foreign_keys_point_downwards() -> None:
    ours = [model for app in APPS for model in registry.get_app_config(app).get_models()]

    assert list(wrong_keys(ours)) == []


def wrong_includes(app: str, source: str) -> list[str]:
    """Templates of higher apps that a template of an app includes or extends."""
    targets = re.findall(r"{%\s*(?:include|extends)\s+[\"']([a-z_]+)/", source)
    return [target for target in targets if target in APPS and APPS.index(target) > APPS.index(app)]


def test_templates_include_downwards() -> None:
    for app in APPS[:-1]:
        for path in (ROOT / "templates" / app).rglob("*.html"):
            assert wrong_includes(app, path.read_text()) == [], path
    assert wrong_includes("classes", '{% include "ratings/_board.html" %}') == ["ratings"]


def test_core_runs_without_django() -> None:
    cores = [
        path.removesuffix(".py").replace("/", ".")
        for _app, path, _source in modules()
        if "/core/" in path and not path.endswith("__init__.py")
    ]
    code = f"import sys; sys.modules['django'] = None\nimport {', '.join(cores)}"

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_only_the_access_modules_decide_who_may_see_what() -> None:
    """Views fetch objects through access.py: no manager of a model is used in a view, but for the admin."""
    for _app, path, source in modules():
        if "/views" in path and not path.endswith("__init__.py"):
            assert not re.search(r"\b[A-Z]\w+\.objects\b", source), path
            writes = re.findall(r"\w+\.(?:save|create|delete|bulk_create|update)\(", source)
            assert set(writes) <= {"form.save("}, path


def test_one_function_writes_ledger_entries() -> None:
    writers = [path for _app, path, source in modules() if re.search(r"LedgerEntry\.objects\.(bulk_)?create", source)]

    assert writers == ["ratings/services.py"]
