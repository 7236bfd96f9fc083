"""The migrations say what the models say, and make a database from nothing."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

APPS = ("classes", "ratings", "tournaments", "chesslocker")
WITH_MIGRATIONS = sorted({app for app, _ in MigrationLoader(None).disk_migrations if app in APPS})


@pytest.fixture
def empty_database(settings, db):
    """A database in memory without a single table."""
    wrapper = DatabaseWrapper(
        settings.DATABASES["default"] | {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}},
        alias="default",
    )
    yield wrapper
    wrapper.close()


def tables_of(app: str) -> set[str]:
    return {
        model._meta.db_table
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
        if model._meta.managed
    }


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("app", WITH_MIGRATIONS)
def test_the_migrations_of_an_app_make_its_tables_from_nothing(empty_database, app):
    executor = MigrationExecutor(empty_database)

    executor.migrate(executor.loader.graph.leaf_nodes(app))

    made = set(empty_database.introspection.table_names())
    assert tables_of(app) - made == set()
    assert sorted(made & set().union(*map(tables_of, APPS)) - tables_of(app) - tables_below(app)) == []


def tables_below(app: str) -> set[str]:
    """The tables of the apps that an app may point to."""
    return set().union(*(tables_of(lower) for lower in APPS[: APPS.index(app)]))


@pytest.mark.parametrize("app", WITH_MIGRATIONS)
def test_an_app_has_one_line_of_migrations(app):
    loader = MigrationLoader(None)

    assert len(loader.graph.leaf_nodes(app)) == 1
    assert loader.detect_conflicts() == {}


def test_every_app_with_models_has_migrations():
    assert sorted(app for app in APPS if tables_of(app)) == WITH_MIGRATIONS
