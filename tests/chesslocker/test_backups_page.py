"""The page of the backups: how old the last good one is, making one, and downloading one for the own password."""

from __future__ import annotations

import datetime
import io
import zipfile

import pytest
from django.conf import settings as django_settings
from django.urls import reverse
from django.utils import timezone

from chesslocker.core.backups import BackupName, Manifest, digest, write_file
from classes.models import AuditEvent, School, User
from tests.factories import PASSWORD, make_school
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.BACKUP_DIR.mkdir()
    return settings.BACKUP_DIR


@pytest.fixture
def put(folder, tmp_path):
    """Put a backup of so many hours ago into the folder; its key."""

    def made(hours: float, kind: str = "") -> str:
        name = BackupName((timezone.now() - datetime.timedelta(hours=hours)).replace(microsecond=0), kind=kind)
        database = tmp_path / "chesslocker.sqlite3"
        database.touch()
        manifest = Manifest("1", name.at.isoformat(), "sqlite", True, {}, {}, database.name, 0, digest(database))
        (folder / name.file).touch()
        write_file(folder / name.file, manifest, database)
        return name.key

    return made


@pytest.fixture
def lead(client):
    """The browser of the lead of the only school."""
    school = make_school(lead="lead")
    client.force_login(
        School.objects.get(pk=school.pk).memberships.get().user, backend="django.contrib.auth.backends.ModelBackend"
    )
    return client


def test_without_any_backup_the_page_says_so_in_red(lead):
    page = lead.get(reverse("backups"))

    assert "There is no backup yet." in words_of(page)
    assert "alert wrong" in page.content.decode()


def test_a_backup_of_this_night_is_well(lead, put):
    put(5)

    page = lead.get(reverse("backups"))

    assert "The last good backup is 5 hours old." in words_of(page)
    assert "alert wrong" not in page.content.decode()


@pytest.mark.parametrize(("hours", "red"), [(47.9, False), (48.1, True)])
def test_after_two_days_it_is_red(lead, put, hours, red):
    put(hours)

    page = lead.get(reverse("backups"))

    assert ("alert wrong" in page.content.decode()) == red


def test_only_good_backups_count(lead, put):
    put(1, "unsound")
    put(2, "before-restore")
    put(100)

    page = lead.get(reverse("backups"))

    assert "The last good backup is 4 days, 4 hours old." in words_of(page).replace("\xa0", " ")
    assert [row[1] for row in rows_of(page)] == ["something is not right in it", "before a backup was restored", "good"]


def test_other_files_are_not_listed(lead, put, folder):
    key = put(1)
    (folder / "erased.jsonl").touch()
    (folder / "chesslocker-20261130T120000Z.zip").write_text("nothing")

    page = lead.get(reverse("backups"))

    assert len(rows_of(page)) == 1
    assert reverse("download_backup", args=[key]) in page.content.decode()


@pytest.mark.parametrize("number", [1, 3])
def test_the_page_asks_the_database_the_same_however_many_there_are(lead, put, number, django_assert_num_queries):
    for hours in range(number):
        put(hours)
    lead.get("/help/")  # the first page of a session writes

    with django_assert_num_queries(5):
        lead.get(reverse("backups"))


def test_backing_up_now(lead, folder):
    page = lead.post(reverse("back_up"), follow=True)

    assert messages_of(page) == ["The backup is made, checked and stored."]
    assert len(rows_of(page)) == 1
    event = AuditEvent.objects.get()
    assert (event.action, event.school, event.by.username) == ("backup.made", School.objects.get(), "lead")


def test_a_folder_that_cannot_be_written_is_said(lead, folder):
    folder.rmdir()
    folder.write_text("a file in its place")

    page = lead.post(reverse("back_up"), follow=False)

    assert page.status_code == 302
    folder.unlink()
    assert messages_of(lead.get(reverse("backups")))[0].startswith("No backup was made")


def test_a_download_asks_for_the_password_each_time(lead, put):
    url = reverse("download_backup", args=[put(1)])

    assert "Your password" in words_of(lead.get(url))
    wrong = lead.post(url, {"password": "guessed"})
    assert "This is not your password." in words_of(wrong)
    right = lead.post(url, {"password": PASSWORD})

    assert right["Content-Type"] == "application/zip"
    assert right["Content-Disposition"].startswith('attachment; filename="chesslocker-')
    assert right["Cache-Control"] == "no-store, private"
    with zipfile.ZipFile(io.BytesIO(right.getvalue())) as archive:
        assert archive.testzip() is None
    assert AuditEvent.objects.get().action == "backup.downloaded"
    assert "Your password" in words_of(lead.get(url))


def test_guessing_the_password_is_slowed_down_as_at_the_login(lead, put):
    url = reverse("download_backup", args=[put(1)])
    for _ in range(5):
        last = lead.post(url, {"password": "guessed"})

    assert last.status_code == 429
    assert lead.post(url, {"password": PASSWORD}).status_code == 429


def test_with_two_schools_only_the_host_may_download(lead, put, client_of):
    url = reverse("download_backup", args=[put(1)])
    make_school(name="Lake School")
    host = client_of(User.objects.create_superuser("host", "", PASSWORD))

    page = lead.get(reverse("backups"))

    assert "only whoever looks after the server can download" in words_of(page)
    assert "Download" not in words_of(page)
    assert lead.get(url).status_code == lead.post(url, {"password": PASSWORD}).status_code == 404
    assert "Download" in words_of(host.get(reverse("backups")))
    file = host.post(url, {"password": PASSWORD})
    assert file["Content-Type"] == "application/zip"
    file.close()


@pytest.mark.parametrize("key", ["erased", "chesslocker-20261130T120000Z", ".."])
def test_nothing_else_comes_out_of_the_folder(lead, folder, key):
    (folder / "erased.jsonl").touch()
    (folder / "chesslocker-20261130T120000Z.zip").write_text("no backup")

    assert lead.post(f"/school/backups/{key}/", {"password": PASSWORD}).status_code == 404


def test_the_folder_is_not_among_what_is_served():
    served = [django_settings.STATIC_ROOT, *django_settings.STATICFILES_DIRS]

    assert all(not django_settings.DATA_DIR.is_relative_to(path) for path in served)
    assert django_settings.MEDIA_URL in {"", "/"}
    assert not django_settings.MEDIA_ROOT
