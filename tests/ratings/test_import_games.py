"""Reading a file of games into a class: `manage.py import_games`."""

from __future__ import annotations

import datetime
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from classes.models import Classroom, Enrollment, Student
from classes.services import archive_classroom, set_active
from ratings.models import Game, GameImport, LedgerEntry, Rating, RatingList
from tests.factories import give_points, list_of, make_classroom, make_game, make_student

pytestmark = [pytest.mark.django_db, pytest.mark.database]

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "public"


@pytest.fixture
def import_text(tmp_path):
    """Import a text as a file; what the command says on standard output and standard error."""

    def run(classroom: Classroom, *lines: str, name: str = "games.csv", **options) -> tuple[list[str], list[str]]:
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        try:
            call_command("import_games", str(path), classroom=classroom.pk, stdout=out, stderr=err, **options)
        except CommandError as error:
            raise CommandError("\n".join([*err.getvalue().splitlines(), str(error)])) from error
        return out.getvalue().splitlines(), err.getvalue().splitlines()

    return run


def refused(run, *args, **kwargs) -> list[str]:
    """What is said when nothing is imported: the lines of standard error, and the last word."""
    before = everything()
    with pytest.raises(CommandError) as caught:
        run(*args, **kwargs)
    assert everything() == before
    return str(caught.value).splitlines()


def everything() -> list[list[tuple]]:
    """All rows that an import may write."""
    models = (Student, Enrollment, Game, Game.history, LedgerEntry, Rating, RatingList, GameImport)
    return [list(getattr(model, "objects", model).order_by("pk").values_list()) for model in models]


def games_of(classroom: Classroom) -> list[tuple[str, str, str, str, str]]:
    return [
        (game.day.isoformat(), game.white.full_name, game.black.full_name, game.result, game.note)
        for game in Game.objects.filter(classroom=classroom).select_related("white", "black")
    ]


def test_games_are_read_by_name_in_the_order_of_the_file(cast, import_text, ratings_of):
    out, err = import_text(
        cast.classroom,
        "Date;White;Black;Result;Remark",
        "10.9.2025;mia kowalczyk;Raman, Cleo;1-0;last",
        "9 Sep 2025;MIA  KOWALCZYK;Ben Osei;White wins;first",
        ";Ben Osei;Cleo Raman;1;",
    )

    assert games_of(cast.classroom) == [
        ("2025-09-09", "Mia Kowalczyk", "Ben Osei", "1-0", "first"),
        ("2025-09-09", "Ben Osei", "Cleo Raman", "1-0", ""),
        ("2025-09-10", "Mia Kowalczyk", "Cleo Raman", "1-0", "last"),
    ]
    assert ratings_of(cast.classroom) == {"Mia": 830, "Ben": 801, "Cleo": 769}
    assert out[:-1] == ["Read 3 games", "Building the ledger ..."]
    assert out[-1].startswith("Done: 3 games, 3 students (0 new, 0 from other classes) in ")
    assert err == []


def test_what_was_there_before_keeps_its_place(cast, import_text, ratings_of):
    make_game(cast.classroom, cast.ben, cast.cleo, day=datetime.date(2025, 9, 10))
    give_points(cast.classroom, cast.mia, 5, day=datetime.date(2025, 9, 11))

    import_text(
        cast.classroom,
        "date,white,black,result",
        "2025-09-09,Mia Kowalczyk,Ben Osei,1-0",
        "2025-09-12,Mia Kowalczyk,Cleo Raman,1-0",
    )

    assert ratings_of(cast.classroom) == {"Mia": 835, "Ben": 801, "Cleo": 769}


def test_the_id_wins_over_the_name(cast, import_text):
    make_student(cast.classroom, "Zoë", "Redfern", external_id="S41")
    make_student(cast.classroom, "Zoë", "Redfern", external_id="S297")

    import_text(
        cast.classroom,
        "date,white,white_id,black,black_id,result",
        "2025-09-09,Zoë Redfern,S41,Zoë Redfern,S297,1-0",
        "2025-09-09,Ben Osei,S41,Mia Kowalczyk,,0-1",
    )

    games = Game.objects.filter(classroom=cast.classroom)
    assert [(game.white.external_id, game.black.full_name) for game in games] == [
        ("S41", "Zoë Redfern"),
        ("S41", "Mia Kowalczyk"),
    ]


def test_an_inactive_student_is_found_by_name(cast, import_text):
    set_active(Enrollment.objects.get(student=cast.cleo, classroom=cast.classroom), active=False)

    import_text(cast.classroom, "date,white,black,result", "2025-09-09,Cleo Raman,Mia Kowalczyk,=")

    assert games_of(cast.classroom) == [("2025-09-09", "Cleo Raman", "Mia Kowalczyk", "1/2-1/2", "")]


def test_one_bad_row_and_nothing_is_written(cast, import_text):
    make_student(cast.classroom, "José", "Peña")
    make_student(cast.classroom, "Jose", "Pena")
    make_student(cast.classroom, "Max", "Roth")
    make_student(cast.classroom, "Max", "Roth")

    said = refused(
        import_text,
        cast.classroom,
        "date,white,black,result",
        "2025-09-09,Mia Kowalczyk,Ben Osei,1-0",
        "2025-09-09,Somebody New,Mia Kowalczyk,1-0",
        "2025-09-09,Jose Peña,Mia Kowalczyk,1-0",
        "2025-09-09,,,1-0",
        "2025-09-09,Max Roth,Mia Kowalczyk,1-0",
        "2025-09-09,Mia Kowalczyk,Ben Osei,1F-0F",
        "2025-09-09,Noah Fischer,Zoe Lind,0-1",
        "2025-09-09,Ben Osei,Ben Osei,0-1",
    )

    assert said == [
        "Line 3: Nobody in this class is called “Somebody New”.",
        "Line 4: Nobody in this class is called “Jose Peña”. Is it Jose Pena or José Peña?",
        "Line 5: There are no players in this row.",
        "Line 6: “Max Roth” is the name of 2 students of this class; give their id.",
        "Line 7: A forfeit is not a played game and is not rated.",
        "Line 8: Nobody in this class is called “Noah Fischer”. Nobody in this class is called “Zoe Lind”.",
        "Line 9: White and Black must be two different students.",
        "7 rows cannot be read. Nothing was imported.",
    ]


def test_one_bad_row_and_no_student_is_created(cast, import_text):
    said = refused(
        import_text,
        cast.classroom,
        "date,white,black,result",
        "2025-09-09,Somebody New,Mia Kowalczyk,1-0",
        "2025-09-09,Mia Kowalczyk,Ben Osei,?",
        create_students=True,
    )

    assert said == ["Line 3: There is no result.", "1 row cannot be read. Nothing was imported."]


def test_a_failure_of_the_database_takes_the_new_students_back(cast, import_text):
    make_game(cast.classroom, cast.mia, cast.ben)
    RatingList.objects.filter(pk=list_of(cast.classroom).pk).update(next_sequence=1)  # taken by that game
    before = everything()

    with pytest.raises(IntegrityError):
        import_text(
            cast.classroom,
            "date,white,black,result",
            "2025-09-09,Somebody New,Mia Kowalczyk,1-0",
            create_students=True,
        )

    assert everything() == before


def test_white_and_black_who_turn_out_to_be_one_are_refused(cast, import_text):
    make_student(cast.classroom, "Zoë", "Redfern", external_id="S41")

    said = refused(
        import_text, cast.classroom, "date,white,white_id,black,result", "2025-09-09,,S41,Zoë Redfern,1-0"
    )  # fmt: skip

    assert said[0] == "Line 2: White and Black are the same student."


def test_unknown_students_are_created_once(cast, import_text):
    out, _ = import_text(
        cast.classroom,
        "date,white,white_id,black,black_id,result",
        '2025-09-09,"Adler, Ida",P1,Tom,,1-0',
        "2025-09-09,tom,,Ida Adler,,1-0",
        "2025-09-09,I. Adler,P1,Mia Kowalczyk,,1-0",
        create_students=True,
    )

    new = Student.objects.filter(enrollments__classroom=cast.classroom, enrollments__active=True).exclude(
        pk__in=[cast.mia.pk, cast.ben.pk, cast.cleo.pk]
    )
    assert sorted(new.values_list("first_name", "last_name", "external_id")) == [
        ("Ida", "Adler", "P1"),
        ("Tom", "", ""),
    ]
    assert Game.objects.filter(classroom=cast.classroom).count() == 3
    assert out[-1].startswith("Done: 3 games, 3 students (2 new, 0 from other classes) in ")


def test_a_name_above_is_that_of_the_newcomer_whose_id_comes_below(cast, import_text):
    import_text(
        cast.classroom,
        "date,white,white_id,black,result",
        "2025-09-09,Ida Adler,,Mia Kowalczyk,1-0",
        "2025-09-09,Ida Adler,P1,Ben Osei,1-0",
        create_students=True,
    )

    assert list(Student.objects.filter(first_name="Ida").values_list("external_id", flat=True)) == ["P1"]


def test_a_student_of_another_class_is_enrolled_only_where_asked(cast, import_text):
    noah = make_student(cast.other_classroom, "Noah", "Berg", external_id="P7")
    rows = ("date,white_id,black,result", "2025-09-09,P7,Mia Kowalczyk,1-0")

    said = refused(import_text, cast.classroom, *rows)
    import_text(cast.classroom, *rows, create_students=True)

    assert said[0] == "Line 2: The student with the id “P7” is not in this class."
    assert Enrollment.objects.filter(student=noah, classroom=cast.classroom, active=True).exists()
    assert games_of(cast.classroom) == [("2025-09-09", "Noah Berg", "Mia Kowalczyk", "1-0", "")]


def test_an_id_of_another_school_is_unknown(cast, import_text):
    make_student(cast.foreign_classroom, "Noah", "Berg", external_id="P7")
    header, row = "date,white_id,white,black,result", "2025-09-09,P7,Noah Berg,Mia Kowalczyk,1-0"

    said = refused(import_text, cast.classroom, header, row)
    import_text(cast.classroom, header, row, create_students=True)

    assert said[0] == "Line 2: Nobody in this school has the id “P7” (Noah Berg)."
    assert Student.objects.filter(school=cast.school, external_id="P7").count() == 1


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ("P9,", "Line 2: Nobody has the id “P9”, and there is no name to add a student."),
        (f"{'9' * 65},Ida", "Line 2: “Ida” cannot be added: Ensure this value has at most 64 characters (it has 65)."),
    ],
)
def test_a_student_who_cannot_be_created_is_an_error(cast, import_text, cells, sentence):
    said = refused(
        import_text,
        cast.classroom,
        "date,white_id,white,black,result",
        f"2025-09-09,{cells},Mia Kowalczyk,1-0",
        create_students=True,
    )

    assert said[0] == sentence


def test_a_day_after_today_is_refused(cast, import_text):
    tomorrow = cast.school.today() + datetime.timedelta(days=1)

    said = refused(
        import_text, cast.classroom, "date,white,black,result", f"{tomorrow},Mia Kowalczyk,Ben Osei,1-0"
    )  # fmt: skip

    assert said[0] == f"Line 2: “{tomorrow}” lies in the future."


def test_the_same_file_is_read_once_into_a_class_unless_asked(cast, import_text):
    other = make_classroom(cast.school)
    rows = ("date,white,black,result", "2025-09-09,Mia Novak,Ben Novak,1-0")
    import_text(cast.classroom, *rows, create_students=True)

    said = refused(import_text, cast.classroom, *rows, name="copy.csv")
    said_of_dry_run = refused(import_text, cast.classroom, *rows, dry_run=True)
    import_text(cast.classroom, *rows, again=True)
    import_text(other, *rows, create_students=True)

    assert said == ["This file was read into this class before. To read it once more, add --again."]
    assert said_of_dry_run == said
    assert len(games_of(cast.classroom)) == 2
    assert len(games_of(other)) == 1


def test_a_dry_run_tells_and_writes_nothing(cast, import_text):
    make_student(cast.other_classroom, "Noah", "Berg", external_id="P7")
    before = everything()

    out, err = import_text(
        cast.classroom,
        "date,white,black,black_id,result",
        "2025-09-09,Mia Kowalczyk,Ida Adler,,1-0",
        "2025-09-09,Mia Kowalczyk,,P7,1-0",
        create_students=True,
        dry_run=True,
    )

    assert everything() == before
    assert out == [
        "Read 2 games",
        "Nothing was written. It would be: 2 games, 3 students (1 new, 1 from other classes)",
    ]
    assert err == []


def test_the_same_row_twice_is_told_and_both_count(cast, import_text):
    row = "2025-09-09,Mia Kowalczyk,Ben Osei,1-0"

    out, _ = import_text(cast.classroom, "date,white,black,result", row, row)

    assert out[:2] == ["Read 2 games", "Line 3: the same game as just above; both count."]
    assert len(games_of(cast.classroom)) == 2


def test_what_is_not_there_is_told_in_a_sentence(cast, import_text, tmp_path):
    rows = ("date,white,black,result", "2025-09-09,Mia Kowalczyk,Ben Osei,1-0")
    with pytest.raises(CommandError) as no_class:
        call_command("import_games", str(tmp_path / "games.csv"), classroom=0)
    with pytest.raises(CommandError) as no_file:
        call_command("import_games", str(tmp_path / "none.csv"), classroom=cast.classroom.pk)
    no_games = refused(import_text, cast.classroom, rows[0])
    no_header = refused(import_text, cast.classroom, rows[1])
    archive_classroom(cast.classroom)
    archived = refused(import_text, cast.classroom, *rows)

    assert str(no_class.value) == "There is no class with the id 0."
    assert str(no_file.value) == f"The file {tmp_path / 'none.csv'} cannot be read: No such file or directory."
    assert no_games == ["There are no games in the file."]
    assert no_header[0].startswith("There is no column for: date, white, black, result. The headers are: ")
    assert archived == ["The class Room 12 Chess is archived; nothing can be written in it."]


def test_the_number_of_queries_does_not_grow_with_the_games(cast, import_text, django_assert_num_queries):
    rows = ["date,white,black,result", *(f"2025-09-{day:02},Mia Kowalczyk,Ben Osei,1-0" for day in range(1, 31))]

    with django_assert_num_queries(27):
        import_text(cast.classroom, *rows[:4])
    with django_assert_num_queries(27):
        import_text(cast.classroom, *rows)


@pytest.mark.long
@pytest.mark.parametrize("season", ["season_60", "season_300"])
def test_every_rating_of_a_real_season_comes_out(season, db):
    folder = DATA / season
    if not folder.is_dir():
        pytest.skip("the season files are not beside the project")
    classroom = make_classroom()
    expected = json.loads((folder / f"{season}_expected.json").read_text("utf-8"))

    call_command(
        "import_games",
        str(folder / f"{season}_games.csv"),
        classroom=classroom.pk,
        create_students=True,
        stdout=io.StringIO(),
    )

    ratings = Rating.objects.filter(rating_list=list_of(classroom)).values_list("student__external_id", "rating")
    assert dict(ratings) == {pupil: numbers["int"] for pupil, numbers in expected["final"].items()}
    assert Game.objects.count() == expected["summary"]["games"]
