"""Understand a class list, whatever program or person wrote it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from classes.core.csv_cells import plain_cell
from classes.core.names import match_key, split_name
from classes.core.roster.columns import (
    heading_key,
    kind_of,
    meanings_of_headings,
    meanings_of_values,
    overridden,
)
from classes.core.roster.decoding import Decoded, decode
from classes.core.roster.lines import printable, read_line
from classes.core.roster.tables import (
    Record,
    delimiter_of_heading,
    delimiter_of_values,
    lines_of,
    records_of,
    separator_hint,
)
from classes.core.roster.types import (
    LONGEST_EMAIL,
    LONGEST_GRADE,
    LONGEST_ID,
    LONGEST_NAME,
    MOST_BYTES,
    MOST_STUDENTS,
    Column,
    Doubt,
    Heading,
    Meaning,
    Person,
    Reading,
    Refusal,
    Refused,
    Row,
    Shape,
    Why,
)

SAMPLES = 3
LOOK_AT_LETTERS = 300  # of a line, to know its shape
FIELD = re.compile(r"\s*([A-Za-z][\w .#]{0,30}?)\s*=(.*)")
FIXED = re.compile(r"\s*(\d{1,9})\s{2,}([^\d,]+,[^\d,]*?)(?:\s{2,}.*|\s*)")
EMAIL = re.compile(
    r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*"
    r"@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}",
    re.IGNORECASE | re.ASCII,
)
NO_ID = {"new", "none", "n/a", "-", "null"}
STUDENT_ROLES = {"", "student", "students", "pupil", "learner", "schuler", "eleve", "alumno"}
NO = {"false", "no", "0", "n", "inactive", "nein", "non"}
DELETED = {"tobedeleted", "deleted", "inactive"}
STILL_ENROLLED = {"", "0", "-1"}  # PowerSchool: 0 now, -1 from a later day on; 1 to 3 left, moved away, graduated
# What Google Classroom writes between heading and students.
GOOGLE_ROWS = {"date", "points", "classaverage"}
# Excel makes 6-May of 5/6.
DAY = re.compile(r"\d{1,2}-[A-Za-z]{3}|[A-Za-z]{3}-\d{1,2}")
FRENCH = {"prenom", "neele", "regime"}


def read_file(data: bytes, chosen: Mapping[int, Meaning] | None = None, heading: bool | None = None) -> Reading:
    """The students of a file. Refused for what is no text or too much."""
    return read_decoded(decode(data), chosen, heading)


def read_decoded(decoded: Decoded, chosen: Mapping[int, Meaning] | None = None, heading: bool | None = None) -> Reading:
    """The students of a decoded file, with the name of its encoding."""
    reading = read_text(decoded.text, chosen, heading)
    custom = _custom_encoding(reading)
    return replace(reading, encoding=custom if custom in decoded.same_in else decoded.encoding)


def read_text(text: str, chosen: Mapping[int, Meaning] | None = None, heading: bool | None = None) -> Reading:
    """The students of a text. `chosen`, `heading`: what a person says of columns, by number, and of the first line."""
    if len(text) > MOST_BYTES:
        raise Refused(Refusal.TOO_BIG)
    lines = lines_of(text.removeprefix("\ufeff"))
    hint = separator_hint(lines)
    if hint is None and _mostly(FIELD, lines) and any(_field(line)[0] == "name" for line in lines):
        reading = Reading(Shape.FIELDS, tuple(_rows_of_fields(lines)))
    elif hint is None and _mostly(FIXED, lines):
        reading = Reading(Shape.FIXED, tuple(_row_of_fixed(number, line) for number, line in enumerate(lines, 1)))
    else:
        reading = _table_or_lines(lines, hint, chosen or {}, heading)
    if len(reading.taken) > MOST_STUDENTS:
        raise Refused(Refusal.TOO_MANY)
    rows = (row if row.person else replace(row, text=printable(lines[row.line - 1][:80])) for row in reading.rows)
    return replace(reading, rows=tuple(_compared(list(rows))))


def _custom_encoding(reading: Reading) -> str:
    """What programs that write this shape use, where the bytes do not tell."""
    if reading.shape == Shape.FIELDS:
        return "ascii"
    if reading.shape == Shape.FIXED:
        return "latin-1"
    if FRENCH & {heading_key(column.heading) for column in reading.columns}:
        return "iso-8859-15"  # with œ and €, unlike Latin-1
    return ""


def _mostly(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    filled = [line[:LOOK_AT_LETTERS] for line in lines if line.strip()]
    return bool(filled) and sum(pattern.fullmatch(line) is not None for line in filled) >= 0.8 * len(filled)


def _table_or_lines(
    lines: Sequence[str], hint: str | None, chosen: Mapping[int, Meaning], heading: bool | None
) -> Reading:
    rows = [Row(1, None, Doubt(Why.SEPARATOR))] if hint else []
    begin = 1 if hint else 0
    lines = lines[begin:]
    known = delimiter_of_heading(lines)
    delimiter: str | None
    if known and heading is not False:
        delimiter, place = known
        above = [number for number in range(place) if lines[number].strip()]
        rows += [Row(begin + number + 1, None, Doubt(Why.ABOVE_HEADING)) for number in above]
        delimiter = hint or delimiter
        records = records_of(lines[place:], delimiter, first=begin + place + 1)
        meanings = meanings_of_headings(records[0].cells)
        return _table(rows, records, meanings, delimiter, chosen, Heading.KNOWN)
    delimiter = hint or delimiter_of_values(lines)
    if delimiter is None:
        rows += [_checked(read_line(number, line)) for number, line in enumerate(lines, begin + 1)]
        return Reading(Shape.LINES, tuple(rows))
    records = records_of(lines, delimiter, first=begin + 1)
    filled = [record for record in records if not record.empty]
    likely = _looks_like_heading(filled)
    guess = bool(likely) if heading is None else heading
    width = max((len(record.cells) for record in filled), default=0)
    values = [[_cell(record, number) for record in filled[1 if guess else 0 :]] for number in range(width)]
    meanings = meanings_of_values(values)
    sure = Heading.KNOWN if heading else Heading.NONE
    if heading is None and likely is not False:
        sure = Heading.GUESSED
    return _table(rows, records, meanings, delimiter, chosen, sure, has_heading=guess)


def _looks_like_heading(records: Sequence[Record]) -> bool | None:
    """Is there no e-mail over e-mails and no grade over grades? None where names alone cannot tell."""
    if len(records) < 2:
        return False
    first, *rest = records
    answer = None
    for number, cell in enumerate(first.cells):
        kind = kind_of([_cell(record, number) for record in rest])
        if kind in {Meaning.EMAIL, Meaning.GRADE, Meaning.ID} and cell.strip():
            if kind_of([cell]) != kind:
                return True
            answer = False
    return answer


def _cell(record: Record, number: int) -> str:
    return record.cells[number] if number < len(record.cells) else ""


def _table(
    rows: list[Row],
    records: list[Record],
    meanings: list[Meaning],
    delimiter: str | None,
    chosen: Mapping[int, Meaning],
    heading: Heading,
    *,
    has_heading: bool = True,
) -> Reading:
    meanings = overridden(meanings, chosen)
    head = next((number for number, record in enumerate(records) if not record.empty), 0) if has_heading else -1
    titles = records[head].cells if has_heading and records else ()
    below = records[head + 1 :]
    columns = tuple(
        Column(
            printable(titles[number]) if number < len(titles) else "",
            meaning,
            tuple(text for record in below[:20] if (text := printable(_cell(record, number))[:60]))[:SAMPLES],
        )
        for number, meaning in enumerate(meanings)
    )
    if heading == Heading.GUESSED and has_heading:
        rows.append(Row(records[head].line, None, Doubt(Why.HEADING), (Doubt(Why.MAYBE_HEADING),)))
    google = Meaning.EMAIL in meanings and Meaning.LAST in meanings and Meaning.FIRST in meanings
    for number, record in enumerate(below):
        row = _row_of_record(record, meanings, above_students=google and number < 4)
        if heading == Heading.GUESSED and not has_heading and number == 0 and row.person:
            row = replace(row, doubts=(*row.doubts, Doubt(Why.MAYBE_HEADING)))
        rows.append(_checked(row))
    return Reading(Shape.TABLE, tuple(rows), delimiter=delimiter, columns=columns, heading=heading)


def _row_of_record(record: Record, meanings: Sequence[Meaning], *, above_students: bool) -> Row:
    if record.empty:
        return Row(record.line, None, Doubt(Why.EMPTY))
    values: dict[Meaning, str] = {}
    for number, meaning in enumerate(meanings):
        if meaning != Meaning.IGNORED and meaning not in values:
            values[meaning] = printable(plain_cell(_cell(record, number)))
    first, last = values.get(Meaning.FIRST, ""), values.get(Meaning.LAST, "")
    if not first and not last:
        first, last = split_name(values.get(Meaning.NAME, ""))
    doubts: list[Doubt] = []
    skipped = None
    if not first and last:
        if above_students and heading_key(last) in GOOGLE_ROWS and not values.get(Meaning.EMAIL):
            skipped = Doubt(Why.NOT_A_STUDENT_ROW, last)
        doubts.append(Doubt(Why.ONE_NAME))
        first, last = last, ""
    if not first:
        return Row(record.line, None, Doubt(Why.NO_NAME))
    if any(cell.strip() for cell in record.cells[len(meanings) :]):
        doubts.append(Doubt(Why.MORE_CELLS))
    more = {name: values.get(Meaning(name), "") for name in ("grade", "email", "id")}
    person = Person(first, last, **more)
    return Row(record.line, person, skipped or _not_here(values), tuple(doubts))


def _not_here(values: Mapping[Meaning, str]) -> Doubt | None:
    """Why the columns about role and state say that this is no student of the school now."""
    role = values.get(Meaning.ROLE, "")
    if heading_key(role) not in STUDENT_ROLES:
        return Doubt(Why.ROLE, role)
    if values.get(Meaning.STATUS, "").casefold() in DELETED:
        return Doubt(Why.DELETED)
    if values.get(Meaning.ENABLED, "").casefold() in NO:
        return Doubt(Why.SWITCHED_OFF)
    if values.get(Meaning.ENROLLED, "") not in STILL_ENROLLED:
        return Doubt(Why.LEFT)
    return None


def _field(line: str) -> tuple[str, str]:
    match = FIELD.fullmatch(line[:LOOK_AT_LETTERS])
    return (heading_key(match[1]), printable(match[2])) if match else ("", "")


def _rows_of_fields(lines: Sequence[str]) -> list[Row]:
    """`Name=Alston, Bianca` begins a student; the lines after it say more."""
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        field, value = _field(line)
        if field == "name":
            first, last = split_name(value)
            rows.append(Row(number, Person(first, last)) if first else Row(number, None, Doubt(Why.NO_NAME)))
        elif rows and rows[-1].person and field in {"id", "grade", "email"}:
            person = rows[-1].person
            rows[-1] = replace(rows[-1], person=replace(person, **{field: value}))
        elif not line.strip():
            rows.append(Row(number, None, Doubt(Why.EMPTY)))
        elif not rows:
            rows.append(Row(number, None, Doubt(Why.ABOVE_HEADING)))
    return [_checked(row) for row in rows]


def _row_of_fixed(number: int, line: str) -> Row:
    if not line.strip():
        return Row(number, None, Doubt(Why.EMPTY))
    match = FIXED.fullmatch(line[:LOOK_AT_LETTERS])
    if not match:
        return Row(number, None, Doubt(Why.HEADING if number == 1 else Why.NO_NAME))
    first, last = split_name(printable(match[2]))
    return _checked(Row(number, Person(first, last, id=match[1])))


def _checked(row: Row) -> Row:
    """Values that cannot be kept are left out or cut, and said; a name that is too long makes no student."""
    person, doubts = row.person, list(row.doubts)
    if person is None:
        return row
    if max(len(person.first), len(person.last)) > LONGEST_NAME:
        return Row(row.line, None, Doubt(Why.TOO_LONG))
    if person.email and (len(person.email) > LONGEST_EMAIL or not EMAIL.fullmatch(person.email)):
        doubts.append(Doubt(Why.BAD_EMAIL, person.email[:60]))
        person = replace(person, email="")
    if DAY.fullmatch(person.grade):
        doubts.append(Doubt(Why.GRADE_IS_DATE, person.grade))
    if len(person.grade) > LONGEST_GRADE:
        doubts.append(Doubt(Why.GRADE_TOO_LONG, person.grade[:60]))
        person = replace(person, grade=person.grade[:LONGEST_GRADE].strip())
    if person.id.casefold() in NO_ID:
        person = replace(person, id="")
    if len(person.id) > LONGEST_ID:
        doubts.append(Doubt(Why.BAD_ID))
        person = replace(person, id="")
    return replace(row, person=person, doubts=tuple(doubts))


def _compared(rows: Sequence[Row]) -> list[Row]:
    """The same student a second time is left out; one id or e-mail for two is said."""
    by_name: dict[str, list[tuple[int, Person]]] = defaultdict(list)
    by_id: dict[str, int] = {}
    by_email: dict[str, int] = {}
    compared = []
    for row in rows:
        if row.person is None or row.skipped:
            compared.append(row)
            continue
        person = row.person
        key = match_key(person.full)
        before = next((line for line, other in by_name[key] if _may_be_same(person, other)), None)
        if before:
            compared.append(row.left_out(Why.REPEATED, str(before)))
            continue
        if person.id and person.id in by_id:
            doubt = Doubt(Why.SAME_ID, str(by_id[person.id]))
            person = replace(person, id="")
            row = replace(row, person=person, doubts=(*row.doubts, doubt))
        if person.email and (other := by_email.get(person.email.casefold())):
            row = replace(row, doubts=(*row.doubts, Doubt(Why.SHARED_EMAIL, str(other))))
        by_name[key].append((row.line, person))
        by_id.setdefault(person.id, row.line)
        by_email.setdefault(person.email.casefold(), row.line)
        compared.append(row)
    return compared


def _may_be_same(one: Person, other: Person) -> bool:
    """Nothing that both lines say tells the two apart."""
    pairs = ((one.id, other.id), (one.email, other.email), (one.grade, other.grade))
    return all(not a or not b or match_key(a) == match_key(b) for a, b in pairs)
