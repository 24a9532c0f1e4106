"""Tournaments in the terminal: lists, rounds, standings, and who is waited for."""

from collections.abc import Sequence

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from domain.audit.findings import escape_unseen
from domain.tournament.standings import read_tie_break
from services.cli.tournament_due import Due, Entered
from services.terminal.plain_console import PlainConsole
from spina_client.tournament_seen import EntrantSeen, ListedTournament, RoundSeen, StandingSeen, TieBreakSeen
from spina_players.demonstrations.tournament import TournamentSummary

# Wider than any table.
LINE_CHARS_MAX = 10_000
# Columns that hold several words; in all others a word or an id is read whole.
_WORDS = ("name", "seats", "counts", "by round", "tie-breaks", "first", "now")
_WHAT = {"check_in": "Check-in", "sit_down": "Sitting down", "get_ready": "Getting ready"}


def _spell(number: TieBreakSeen) -> str:
    value = read_tie_break(number.name, number.value)
    return "none" if value is None else str(value)


def print_shown(shown: TournamentSummary, round_: int | None = None) -> None:
    """Print a tournament as it stands: a round's tables and why they are so, every ruling, and who stands where."""
    console, seen = PlainConsole(soft_wrap=True), shown.tournament
    console.print(_text(f"{seen.name} · {seen.ruleset} · {seen.status}, round {seen.round}", style="bold"))
    rounds = shown.pairings.items
    for each in rounds[-1:] if round_ is None else [each for each in rounds if each.round == round_]:
        _print_round(each, console)
    for ruled in seen.rulings:
        console.print(_text(f"line {ruled.line}: {ruled.told}"))
    ranked = _table("place", "name", "points", "by round", "tie-breaks")
    for standing in shown.standings.items:
        numbers = " ".join(f"{number.name} {_spell(number)}" for number in standing.tie_breaks)
        by_round = " ".join(map(str, standing.rounds))
        ranked.add_row(
            str(standing.place),
            _text(_name_standing(standing)),
            str(standing.points),
            by_round,
            numbers,
        )
    _print_table(ranked, console)
    if shown.standings.teams:
        teams = _table("place", "team", "points")
        for team in shown.standings.teams:
            teams.add_row(str(team.place), _text(f"{team.letter} {team.name}"), str(team.points))
        _print_table(teams, console)


def _name_standing(standing: StandingSeen) -> str:
    team = f" [{standing.team.letter}]" if standing.team else ""
    return _name(standing) + team + (f" ({standing.left})" if standing.left else "")


def print_list(listed: Sequence[ListedTournament]) -> None:
    table = _table("tournament", "name", "ruleset", "status", "round", "entrants", "first")
    for tournament in listed:
        first = _text(", ".join(leader.name or leader.player for leader in tournament.leaders))
        about = (
            _text(tournament.name),
            tournament.ruleset,
            tournament.status,
            str(tournament.round),
            str(tournament.entries),
        )
        table.add_row(tournament.id, *about, first)
    _print_table(table, PlainConsole(soft_wrap=True))


def print_entered(entered: Sequence[Entered]) -> None:
    table = _table("entrant", "name", "now", "table")
    for each in entered:
        table.add_row(str(each.entrant), _text(each.name or ""), each.doing, str(each.table or ""))
    _print_table(table, PlainConsole(soft_wrap=True))


def print_due(items: Sequence[Due]) -> None:
    console = PlainConsole(soft_wrap=True)
    if not items:
        console.print("nothing is waited for")
    for due in items:
        place = f"round {due.round}" if due.table is None else f"round {due.round}, table {due.table}"
        how = "late since" if due.is_late else "until"
        missing = f"{how} {due.until}: {', '.join(due.missing)}"
        seen = f" (as it was {due.delay_s} s ago)" if due.delay_s else ""
        console.print(_text(f"{_WHAT[due.what]}, {place}, {missing}{seen}"))


def _print_round(round_: RoundSeen, console: PlainConsole) -> None:
    console.print(_text(f"Round {round_.round} · {round_.status}", style="bold"))
    if round_.waiting:
        names = ", ".join(map(_name, round_.waiting))
        console.print(_text(f"waiting until {round_.until} for {names}"))
    tables = _table("table", "seats", "status", "counts", "game")
    for table in round_.tables:
        names_of = {seat.entrant: _name(seat) for seat in table.seats}
        counts = ", ".join(f"{scored.place}. {names_of[scored.entrant]} {scored.points}" for scored in table.scored)
        tables.add_row(str(table.table), _text(", ".join(names_of.values())), table.status, _text(counts), table.game)
    _print_table(tables, console)
    for table in round_.tables:
        console.print(_text(f"Table {table.table}: {table.why}", style="dim"))
    for bye in round_.byes:
        console.print(_text(f"{_name(bye)} sits out and has {bye.points} points. {bye.why}"))


def _table(*columns: str) -> Table:
    table = Table(box=None)
    for column in columns:
        # An id that is broken over two lines cannot be copied.
        table.add_column(column, overflow="fold", no_wrap=column not in _WORDS)
    return table


def _print_table(table: Table, console: PlainConsole) -> None:
    """Print a table as wide as its longest words need: a terminal breaks lines better than a table breaks words."""
    least = Measurement.get(console, console.options.update(max_width=LINE_CHARS_MAX), table).minimum
    if least > console.width:
        table.width = least
    console.print(table)


def _text(shown: str, style: str = "") -> Text:
    """Leave no control character for the terminal; users' text is no markup either."""
    return Text(escape_unseen(shown), style=style)


def _name(who: EntrantSeen) -> str:
    return who.name or f"entrant {who.entrant}"
