"""What the columns of a class list are called, in the programs and languages that schools use."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence

from classes.core.roster.lines import is_grade
from classes.core.roster.types import Meaning

# Per meaning, the better column first. Written as `heading_key` makes them: letters and digits alone, no accents.
HEADINGS: dict[Meaning, str] = {
    Meaning.FIRST: (
        "firstname first givenname given forename forenames firstnames studentfirstname pupilfirstname legalfirstname "
        "preferredname preferredfirstname vorname rufname prenom nombres fornavn fornamn etunimi imie jmeno ime "
        "voornaam roepnaam primeironome keresztnev имя ονομα"
    ),
    Meaning.LAST: (
        "lastname last surname familyname family studentlastname pupillastname legallastname nachname familienname "
        "zuname nomdefamille apellidos apellido primerapellido cognome sobrenome apelido achternaam etternavn "
        "efternamn efternavn sukunimi nazwisko prijmeni prezime vezeteknev фамилия επωνυμο"
    ),
    Meaning.NAME: (
        "name names fullname studentname pupilname student students pupil pupils displayname lastfirst "
        "lastnamefirstname memname membername playername player spieler schuler schueler schulerin eleve eleves "
        "nom nomprenom nometprenom nomcomplet nombre nombrecompleto alumno alumna alumnos nome naam navn namn nimi фио"
    ),
    Meaning.GRADE: (
        "grade grades gradelevel studentgrade yeargroup yearlevel year class klasse jahrgangsstufe jahrgang stufe "
        "classe niveau curso clase grado form klas klass класс level"
    ),
    Meaning.EMAIL: (
        "email emailaddress studentemail studentemailaddress schoolemail primaryemail mail courriel adressemail "
        "adresseemail correo correoelectronico userprincipalname"
    ),
    Meaning.ID: (
        "externalid studentid studentnumber studentno identifier sisid pupilid upn localid id memid memberid uscfid "
        "uschessid fideid fideno idno idnumber playerid schulernummer matricule sourcedid stateid"
    ),
    Meaning.ROLE: "role roles userrole",
    Meaning.STATUS: "status",
    Meaning.ENABLED: "enableduser enabled accountenabled active",
    Meaning.ENROLLED: "enrollstatus enrolstatus enrollmentstatus",
}
NAMES = {Meaning.FIRST, Meaning.LAST, Meaning.NAME}
PLACES = {
    heading: (meaning, place) for meaning, words in HEADINGS.items() for place, heading in enumerate(words.split())
}
LONGEST_HEADING = 100
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def heading_key(text: str) -> str:
    """`First Name [Required]`, `first_name`, `FirstName` -> firstname; `Prénom` -> prenom."""
    text = re.sub(r"[\[(].*?[\])]", "", text[:LONGEST_HEADING])
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    return "".join(letter for letter in plain if letter.isalnum())


def known_headings(cells: Sequence[str]) -> int:
    """How many cells are headings; 0 where none of them is that of a name."""
    found = [PLACES[key][0] for cell in cells if (key := heading_key(cell)) in PLACES]
    return len(found) if NAMES & set(found) else 0


def meanings_of_headings(cells: Sequence[str]) -> list[Meaning]:
    """What each column is by its heading. Of several for one meaning the best is taken."""
    best: dict[Meaning, tuple[int, int]] = {}
    for number, cell in enumerate(cells):
        if place := PLACES.get(heading_key(cell)):
            meaning, rank = place
            best[meaning] = min(best.get(meaning, (rank, number)), (rank, number))
    meanings = [Meaning.IGNORED] * len(cells)
    for meaning, (_, number) in best.items():
        meanings[number] = meaning
    # NOM beside Prénom is the last name, nombre beside apellidos the first.
    if Meaning.NAME in best:
        number = best[Meaning.NAME][1]
        if Meaning.FIRST in best:
            meanings[number] = Meaning.IGNORED if Meaning.LAST in best else Meaning.LAST
        elif Meaning.LAST in best:
            meanings[number] = Meaning.FIRST
    return meanings


def meanings_of_values(columns: Sequence[Sequence[str]]) -> list[Meaning]:
    """What columns without headings are, by what stands in them."""
    meanings: list[Meaning] = []
    for number, values in enumerate(columns):
        guess = Meaning.IGNORED if number == 0 and _counts(values) else kind_of(values)
        meanings.append(Meaning.IGNORED if guess in meanings else guess)
    words = [number for number, values in enumerate(columns) if kind_of(values) == Meaning.NAME]
    if len(words) == 1:
        meanings[words[0]] = Meaning.NAME
    for number, meaning in zip(words[:2], (Meaning.FIRST, Meaning.LAST), strict=False):
        if len(words) > 1:
            meanings[number] = meaning
    return meanings


def kind_of(values: Sequence[str]) -> Meaning:
    """E-mails, grades, ids, or names; IGNORED for an empty column."""
    filled = [value.strip()[:LONGEST_HEADING] for value in values if value.strip()]
    if not filled:
        return Meaning.IGNORED
    most = len(filled) * 0.8
    if sum(EMAIL.fullmatch(value) is not None for value in filled) >= most:
        return Meaning.EMAIL
    if sum(is_grade(value) for value in filled) >= most:
        return Meaning.GRADE
    if sum(re.fullmatch(r"0\d{2,}|[A-Za-z]?\d{5,}", value) is not None for value in filled) >= most:
        return Meaning.ID
    if sum(any(letter.isalpha() for letter in value) for value in filled) >= most:
        return Meaning.NAME
    return Meaning.IGNORED


def _counts(values: Sequence[str]) -> bool:
    """1, 2, 3, ... in front of names, and a single number there, are no grades."""
    bare = [value.strip().rstrip(".):") for value in values if value.strip()]
    if not all(value.isascii() and value.isdigit() and len(value) < 5 for value in bare):
        return False
    numbers = [int(value) for value in bare]
    return bool(numbers) and all(after - before == 1 for before, after in itertools.pairwise(numbers))


def overridden(meanings: Sequence[Meaning], chosen: Mapping[int, Meaning]) -> list[Meaning]:
    """The meanings with those that the teacher chose instead."""
    return [chosen.get(number, meaning) for number, meaning in enumerate(meanings)]
