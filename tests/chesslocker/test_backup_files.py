"""The file of a backup, which backups are kept, the journal of erasures: no database."""

from __future__ import annotations

import datetime
import random
import zipfile
from dataclasses import replace

import pytest

from chesslocker.core.backups import (
    BEFORE_RESTORE,
    UNSOUND,
    BackupName,
    Damaged,
    Erasure,
    Manifest,
    digest,
    erasures_in,
    extract,
    outdated,
    read_file,
    write_file,
)

NOON = datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC)  # a Monday


@pytest.fixture
def made(tmp_path):
    """A sealed file with a database of 5,000 bytes, and its manifest."""
    database = tmp_path / "chesslocker.sqlite3"
    database.write_bytes(random.Random(1).randbytes(5000))
    manifest = Manifest(
        version="1.2",
        made_at=NOON.isoformat(),
        engine="sqlite",
        sound=True,
        migrations={"classes": "0008_audit"},
        rows={"classes_school": 1},
        file=database.name,
        size=5000,
        sha256=digest(database),
    )
    path = tmp_path / "backup.zip"
    path.touch()
    write_file(path, manifest, database)
    return path, manifest


def test_a_file_gives_back_what_was_put_in(made, tmp_path):
    path, manifest = made
    out = tmp_path / "out"

    assert read_file(path) == manifest
    extract(path, manifest, out)
    assert out.read_bytes() == (tmp_path / "chesslocker.sqlite3").read_bytes()


def test_any_program_opens_it(made):
    path, _manifest = made

    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["manifest.json", "chesslocker.sqlite3"]


def test_every_single_changed_bit_is_found(made):
    path, _manifest = made
    whole = path.read_bytes()
    chance = random.Random(2)
    edges = [*range(120), *range(len(whole) - 120, len(whole))]  # headers, the start of the manifest, the directory

    for place in edges + [chance.randrange(len(whole)) for _ in range(200)]:
        bits = bytearray(whole)
        bits[place] ^= 1 << chance.randrange(8)
        path.write_bytes(bits)
        with pytest.raises(Damaged):
            read_file(path)


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 1000, -65, -64, -1])
def test_a_file_that_was_cut_off_is_found(made, length):
    path, _manifest = made
    path.write_bytes(path.read_bytes()[:length])

    with pytest.raises(Damaged):
        read_file(path)


def test_a_file_that_grew_is_found(made):
    path, _manifest = made
    path.write_bytes(path.read_bytes() + b"\0")

    with pytest.raises(Damaged):
        read_file(path)


@pytest.mark.parametrize("change", [{"size": 4999}, {"size": 5001}, {"sha256": "0" * 64}])
def test_a_database_that_is_not_the_one_of_the_manifest_is_found(made, tmp_path, change):
    path, manifest = made

    with pytest.raises(Damaged):
        extract(path, replace(manifest, **change), tmp_path / "out")


@pytest.mark.parametrize("change", [{"file": "other"}, {"format": 2}, {"rows": {"a": "1"}}, {"made_at": "soon"}])
def test_a_well_sealed_file_of_another_kind_is_refused(made, tmp_path, change):
    path, manifest = made
    odd = replace(manifest, **change)
    write_file(path, odd, tmp_path / "chesslocker.sqlite3")
    if "file" in change:
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("more", "")

    with pytest.raises(Damaged):
        read_file(path)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        (BackupName(NOON), "chesslocker-20261130T120000Z.zip"),
        (BackupName(NOON, 2), "chesslocker-20261130T120000Z-2.zip"),
        (BackupName(NOON, 3, UNSOUND), "chesslocker-20261130T120000Z-unsound-3.zip"),
        (BackupName(NOON, kind=BEFORE_RESTORE), "chesslocker-20261130T120000Z-before-restore.zip"),
    ],
)
def test_names_are_written_and_read(name, file):
    assert name.file == file
    assert BackupName.of(file) == name


@pytest.mark.parametrize(
    "file", ["erased.jsonl", "chesslocker-20261330T120000Z.zip", "x-chesslocker-20261130T120000Z.zip", "../a.zip"]
)
def test_other_files_are_no_backups(file):
    assert BackupName.of(file) is None


def test_a_year_of_nightly_backups_leaves_the_week_and_a_month_of_weeks():
    there: set[BackupName] = set()
    for day in range(365):
        now = NOON - datetime.timedelta(days=364 - day)
        there.add(BackupName(now))
        there -= outdated(there, now=now)

    days = sorted((NOON - name.at).days for name in there)
    assert days == [0, 1, 2, 3, 4, 5, 6, 8, 15, 22]  # Sundays: the last of each week; the newest of those is in the 7


def test_backups_by_hand_do_not_take_the_place_of_last_night():
    night = BackupName(NOON.replace(hour=2))
    by_hand = [BackupName(NOON, number) for number in (1, 2)]

    assert outdated([night, *by_hand], now=NOON) == set()


def test_nothing_older_than_35_days_stays_but_the_only_good_one():
    old = [BackupName(NOON - datetime.timedelta(days=days)) for days in (36, 70)]
    before = BackupName(NOON - datetime.timedelta(days=36), kind=BEFORE_RESTORE)
    unsound = BackupName(NOON - datetime.timedelta(days=34), kind=UNSOUND)

    assert outdated([*old, before, unsound], now=NOON) == {old[1], before}
    assert outdated([*old, BackupName(NOON)], now=NOON) == set(old)


def test_a_journal_is_read_line_by_line():
    one, other = Erasure(1, 12, "2026-01-01", "2026-11-30"), Erasure(1, 13, "2026-01-01", "2026-11-30")

    assert erasures_in(one.line() + other.line()) == [one, other]
    assert erasures_in("") == []


def test_a_last_line_that_was_cut_off_was_never_confirmed_any_other_is_an_error():
    line = Erasure(1, 12, "2026-01-01", "2026-11-30").line()

    assert len(erasures_in(line + line[:9])) == 1
    with pytest.raises(ValueError, match="journal"):
        erasures_in(line[:9] + "\n" + line)
