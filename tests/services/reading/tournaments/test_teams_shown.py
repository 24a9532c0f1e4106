"""Teams of entrants as answers, sheets and spreadsheets show them."""

from domain.tournament.formats import ScoreRounds
from domain.tournament.sizes import TableSizes
from domain.tournament.team_events import TeamChosen, TeamTerms
from domain.tournament.teams import hash_code
from services.reading.tournaments.export import export_sheet
from services.reading.tournaments.export_kinds import ExportFormat, ExportPart
from services.reading.tournaments.sheet import Sheet, build_sheet
from tests.domain.tournament.tournament_harness import Club, player

NAMES = {player(number): name for number, name in enumerate(("Ada", "Bob", "Cem", "Dot"))}
CODE = "RUSSATA2226ABCDE"


def build(team: str) -> Sheet:
    """Two of a team and two alone play one round, in the order of entering."""
    club = Club(
        teams=TeamTerms(members_max=2, counting=1, seating="none"),
        tables=TableSizes(min=4, max=4, preferred=4),
        format=ScoreRounds(rounds=1),
    )
    for number in range(4):
        chosen = {"team": TeamChosen(name=team, code=hash_code(CODE)), "shown_team_code": CODE} if number % 2 else {}
        club.enter(1, **chosen)
    club.draw()
    club.take(1, *(entrant + 1 for entrant in club.table(1).entrants))
    club.close()
    return build_sheet(club.tournament, NAMES)


def read(sheet: Sheet, wanted: ExportFormat, part: ExportPart = ExportPart.STANDINGS) -> str:
    return export_sheet(sheet, wanted, part).content.decode()


def test_letters_stand_beside_the_names_and_a_table_of_teams_behind_the_standings() -> None:
    sheet = build("Reds")
    page = read(sheet, ExportFormat.HTML)

    assert [standing.team and standing.team.letter for standing in sheet.standings.items] == [None, "A", None, "A"]
    assert "<td>Bob [A]<td" in page
    assert "<td class=number>1<td>A · Reds<td class=number>40<td>Bob 40" in page


def test_a_spreadsheet_has_the_members_who_count_and_no_formula() -> None:
    lines = read(build("=1+1"), ExportFormat.CSV, ExportPart.TEAMS).splitlines()

    assert lines == [
        '"place","letter","team","points","entrant","player","name","own points"',
        f'"1","A","\'=1+1","40","1","{player(1)}","Bob","40"',
    ]


def test_a_name_of_a_team_is_no_markup() -> None:
    assert "<b>" not in read(build("<b>Reds"), ExportFormat.HTML)
