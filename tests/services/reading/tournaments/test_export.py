"""Exports: the same numbers as the API in every format, safe in a spreadsheet and in a browser, and good on paper."""

import codecs
import csv
import io
from html.parser import HTMLParser

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ids import PlayerId
from domain.tournament.formats import Knockout
from domain.tournament.state import Tournament
from services.reading.tournaments.export import FORMULA_STARTS, export_sheet, guard
from services.reading.tournaments.export_kinds import ExportFormat, ExportPart
from services.reading.tournaments.sheet import Sheet, build_sheet
from tests.domain.tournament.tournament_harness import HOUR, ORGA, PAIRS, Club, player

NAMES = {
    player(0): "=1+1",
    player(1): 'Bob "the, Whip"\r\n',
    player(2): "<script>alert(1)</script>",
    player(3): "#4 & co",
}


def build_cup() -> Tournament:
    """A cup of five with a walkover, a bye, an award to one whose reason is a formula, and a replaced result."""
    club = Club(tables=PAIRS)
    club.enter(5)
    club.draw()
    club.take(1, 1, 2)
    club.now += HOUR + 1
    club.tell_no_show(2, club.table(2).entrants[0])
    club.rule(0, -7)
    club.replace(1, 1, 1, reason="@SUM(A1)")
    club.draw()
    club.take(1, 2, 1)
    return club.tournament


def sheet() -> Sheet:
    return build_sheet(build_cup(), {**NAMES, PlayerId(ORGA): "Orga"})


def read_csv(part: ExportPart) -> list[dict[str, str]]:
    content = export_sheet(sheet(), ExportFormat.CSV, part).content
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


class Page(HTMLParser):
    """The page as a browser would see it: text, and its elements."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.text = ""
        self.elements: set[str] = set()
        self.feed(content.decode())

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_standings_in_a_spreadsheet_are_those_of_the_api() -> None:
    rows, shown = read_csv(ExportPart.STANDINGS), sheet().standings

    assert [int(row["place"]) for row in rows] == [standing.place for standing in shown.items]
    assert [row["player"] for row in rows] == [standing.player for standing in shown.items]
    assert [int(row["points"]) for row in rows] == [standing.points for standing in shown.items]
    assert [[int(row["round 1"]), int(row["round 2"])] for row in rows] == [
        list(standing.rounds) for standing in shown.items
    ]
    assert [int(row["lot"]) for row in rows] == [-standing.tie_breaks[2].value for standing in shown.items]


def test_pairings_have_a_record_for_every_seat_and_every_bye() -> None:
    rows = read_csv(ExportPart.PAIRINGS)

    assert [row["status"] for row in rows if row["round"] == "1"] == ["counted"] * 2 + ["walked_over"] * 2 + ["bye"]
    assert [row["points"] for row in rows if row["status"] == "walked_over"] == ["", "60"]
    assert {row["entrant"] for row in rows if row["round"] == "2"} == {"0", "1", "2", "3", "4"}
    assert all(row["why"] for row in rows)
    assert rows[0]["result"] == "1"


def test_rulings_stand_with_author_reason_and_effect() -> None:
    penalty, replaced = read_csv(ExportPart.RULINGS)

    assert (penalty["type"], penalty["points"], penalty["reason"]) == ("points_ruled", "-7", "late")
    assert penalty["changes"].startswith("'=1+1: ")
    assert replaced["reason"] == "'@SUM(A1)"
    assert replaced["by"] == f"organiser:{ORGA}"
    assert replaced["told"].startswith("Orga replaced the result of round 1, table 1: 1. ")


@pytest.mark.parametrize("part", list(ExportPart))
def test_csv_is_as_the_rfc_says(part: ExportPart) -> None:
    content = export_sheet(sheet(), ExportFormat.CSV, part).content

    lines = content.decode().split("\r\n")
    assert lines[-1] == ""
    assert len({len(row) for row in csv.reader(io.StringIO(content.decode(), newline=""), strict=True)}) == 1


@pytest.mark.parametrize("part", list(ExportPart))
def test_a_table_for_a_double_click_says_how_it_is_written_and_is_the_same(part: ExportPart) -> None:
    content = export_sheet(sheet(), ExportFormat.EXCEL, part).content

    rows = csv.DictReader(io.StringIO(content.decode("utf-16"), newline=""), delimiter="\t", strict=True)
    assert content.startswith(codecs.BOM_UTF16_LE)
    assert list(rows) == read_csv(part)


@given(st.text(max_size=20))
def test_no_text_begins_like_a_formula_and_none_is_lost(text: str) -> None:
    guarded = guard(text)

    assert isinstance(guarded, str)
    assert not guarded.startswith(FORMULA_STARTS)
    assert guarded.removeprefix("'") == text.removeprefix("'")


def test_a_number_below_zero_stays_a_number() -> None:
    assert guard(-7) == -7


def test_json_holds_what_the_api_shows_with_the_hash_of_the_last_line() -> None:
    whole = sheet()

    read = msgspec.json.decode(export_sheet(whole, ExportFormat.JSON, ExportPart.STANDINGS).content, type=Sheet)

    assert read == whole
    assert read.head == build_cup().head


def test_the_page_runs_nothing_and_fetches_nothing_whatever_people_are_called() -> None:
    content = export_sheet(sheet(), ExportFormat.HTML, ExportPart.STANDINGS).content

    page = Page(content)
    assert page.elements.isdisjoint({"script", "img", "link", "iframe", "object", "embed", "form", "a"})
    assert b"http" not in content
    assert "<script>alert(1)</script>" in page.text


def test_the_page_says_all_that_is_argued_about() -> None:
    cup = build_cup()

    text = Page(export_sheet(sheet(), ExportFormat.HTML, ExportPart.STANDINGS).content).text

    assert "In the order of points, then first places, then points of all opponents, added up, then " in text
    assert "Round 2" in text
    assert "walkover" in text
    assert "sits out: 30 points." in text
    assert "#4 & co" in text
    assert "Orga took 7 points from =1+1 in round 1. Reason: late. Points changed: " in text
    assert f"line {cup.version} of its log has the SHA-256 {cup.head}" in text
    assert text.count("Drawn by score") == 4


def test_how_far_somebody_came_stands_before_the_points_where_it_decides_first() -> None:
    club = Club(tables=PAIRS, format=Knockout(survivors=1))
    club.enter(4)
    club.draw()
    club.play(seed=1)
    club.call()
    whole = build_sheet(club.tournament, NAMES)

    content = export_sheet(whole, ExportFormat.CSV, ExportPart.STANDINGS).content.decode()
    page = Page(export_sheet(whole, ExportFormat.HTML, ExportPart.STANDINGS).content).text

    rows = list(csv.DictReader(io.StringIO(content, newline="")))
    assert [(row["steps"], row["points of the last step"], row["points"]) for row in rows] == [
        ("2", "0", "60"),
        ("2", "0", "60"),
        ("1", "0", "0"),
        ("1", "0", "0"),
    ]
    assert "In the order of the steps that an entrant reached, then the points of the last of them, then points" in page


def test_files_are_called_by_tournament_version_and_part() -> None:
    names = [export_sheet(sheet(), format_, ExportPart.PAIRINGS).name for format_ in ExportFormat]

    stem = f"{build_cup().id}.v{build_cup().version}"
    assert names == [f"{stem}.pairings.csv", f"{stem}.pairings.excel.csv", f"{stem}.json", f"{stem}.html"]


def test_the_same_log_gives_the_same_bytes() -> None:
    for wanted in ExportFormat:
        one, two = (export_sheet(sheet(), wanted, ExportPart.PAIRINGS).content for _ in range(2))
        assert one == two


def test_a_name_with_invisible_characters_turns_no_file_about() -> None:
    club = Club(tables=PAIRS, name="Cup")
    club.enter(2)
    club.draw()
    whole = build_sheet(club.tournament, {player(0): "A\u200bda \u202etwice\u2066"})

    contents = [
        export_sheet(whole, wanted, part).content.decode()
        for wanted in (ExportFormat.CSV, ExportFormat.HTML)
        for part in ExportPart
    ]

    assert all("\u202e" not in content and "\u2066" not in content and "\u200b" not in content for content in contents)
    assert "A\\u200bda \\u202etwice\\u2066" in contents[-1]


def test_the_page_has_every_account_beside_its_name_and_lots_as_they_were_drawn() -> None:
    content = export_sheet(sheet(), ExportFormat.HTML, ExportPart.STANDINGS).content.decode()

    assert f"<td>#4 &amp; co<td>{player(3)}" in content
    assert all(entrant.player in content for entrant in sheet().entrants.items)
    lots = [standing.tie_breaks[2].value for standing in sheet().standings.items]
    assert all(f"<td class=number>{-lot}</tr>" in content for lot in lots)
    assert "<th class=number scope=col>Opp." in content


def test_whoever_had_no_lot_has_a_dash_in_place_of_it() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)

    content = export_sheet(
        build_sheet(club.tournament, NAMES), ExportFormat.HTML, ExportPart.STANDINGS
    ).content.decode()

    assert "1000001" not in content
    assert content.count("<td>-</tr>") == 2


def test_the_page_names_who_was_not_there_and_tells_times_to_the_minute() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    club.draw(without=(2, 3))
    gone = club.table(1).entrants[0]
    club.now += HOUR + 1
    club.tell_no_show(1, gone)
    names = {player(index): f"Name {index}" for index in range(4)}

    content = export_sheet(build_sheet(club.tournament, names), ExportFormat.HTML, ExportPart.STANDINGS).content

    text = Page(content).text
    assert "Did not check in: Name 2 and Name 3." in text
    assert f"Drawn, and did not come: Name {gone}." in text
    at = build_sheet(club.tournament, names).tournament.at
    assert at not in text
    assert f"{at[:10]} {at[11:16]} UTC" in text
