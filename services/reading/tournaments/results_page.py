"""The results of a tournament as one page of HTML that needs nothing else, to be printed on A4 and pinned to a wall.

Names and reasons are users' text: all of them are escaped. Nothing here is computed, only laid out.
"""

from collections.abc import Iterable, Iterator

from msgspec import UnsetType

from domain.tournament.standings import read_tie_break
from infra.ruleset_files import read_tournament_words
from services.reading.markup import escape
from services.reading.tournaments.desk import Who
from services.reading.tournaments.pairings import RoundShown, TableShown
from services.reading.tournaments.sentences import list_names
from services.reading.tournaments.sheet import Sheet, has_progress
from services.reading.tournaments.shown import Number, RulingShown, StandingShown

# The outer table has one head, which browsers repeat at the top of every printed page.
STYLE = """
@page { size: A4; margin: 14mm 14mm 16mm; @bottom-right { content: counter(page) " / " counter(pages) } }
body { font: 14px/1.4 system-ui, sans-serif; color: #1c1a17; background: #fff; max-width: 60rem; margin: 1rem auto }
body { padding: 0 1rem }
h1 { font-size: 1.5rem; margin: .6rem 0 .2rem }
h2 { font-size: 1.15rem; margin: 1.4rem 0 .3rem; break-after: avoid }
table { border-collapse: collapse; width: 100% }
.sheet > * > tr > td, .sheet > * > tr > th { padding: 0; border: 0 }
.running { font-weight: normal; text-align: left; font-size: .8rem; color: #5b554b; border-bottom: 1px solid #8b8378 }
caption { text-align: left; color: #5b554b; padding: .2rem 0 }
th, td { text-align: left; vertical-align: top; padding: .2rem .4rem; border-bottom: 1px solid #d8d2c7 }
th, td { overflow-wrap: anywhere }
.number { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: normal }
.why, .small { color: #5b554b; font-size: .85rem }
.hash { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere }
tr, li, table table tbody { break-inside: avoid }
td[rowspan]:last-child { width: 45% }
@media screen and (max-width: 40rem) {
body { padding: 0 .5rem; margin-top: 0 }
.sheet { table-layout: fixed }
table table { display: block; overflow-x: auto }
caption { display: block; position: sticky; left: 0; width: calc(100vw - 1rem) }
td:not(.number) { min-width: 7rem; overflow-wrap: break-word }
td[rowspan]:last-child { min-width: 14rem }
}
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 9.5pt } }
"""
STATUS = {
    "open": "open for entries",
    "running": "going on: these are no final standings",
    "finished": "finished: these standings are final",
    "aborted": "aborted: there are no final standings",
}
NOTHING = "-"
# Each with whether it is of numbers.
TABLE_COLUMNS = (
    ("Table", True),
    ("Name", False),
    ("Before", True),
    ("Lot", True),
    ("Place", True),
    ("Points", True),
    ("State, why, game", False),
)
PROGRESS = {"Steps": "the steps that an entrant reached", "Last step": "the points of the last of them"}


def format_page(sheet: Sheet) -> bytes:
    """Write the whole page."""
    shown = sheet.tournament
    name = escape(shown.name)
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>{name}: results</title><style>{STYLE}</style>",
        '<table class="sheet" role="presentation"><thead><tr>',
        f'<th class="running">{name} · {escape(shown.ruleset)} · version {shown.version} · {_time(shown.at)}</th>',
        "</tr></thead><tbody><tr><td>",
        f"<h1>{name}</h1><p>{escape(shown.ruleset)} · {STATUS[shown.status]}</p>",
        *_standings(sheet),
        *_teams(sheet),
        *(part for round_ in sheet.pairings.items for part in (*_round(round_), *_absent(sheet, round_.round))),
        *_rulings(shown.rulings),
        *_entrants(sheet),
        *_check(sheet),
        "</td></tr></tbody></table></html>",
    ]
    return ("\n".join(parts) + "\n").encode()


def _standings(sheet: Sheet) -> Iterator[str]:
    tie_breaks = sheet.tournament.terms.tie_breaks
    progress = tuple(PROGRESS) if has_progress(sheet) else ()
    words = read_tournament_words().tables
    order = ", then ".join(
        [*(PROGRESS[name] for name in progress), "points", *(words["tie_breaks"][break_] for break_ in tie_breaks)]
    )
    rounds = [f"R{index}" for index in range(1, sheet.standings.rounds + 1)]
    columns = [
        ("Place", True),
        ("Name", False),
        *(
            (name, True)
            for name in (*progress, "Points", *rounds, *(words["tie_break_heads"][break_] for break_ in tie_breaks))
        ),
    ]
    yield f"<h2>Standings</h2><table><caption>In the order of {escape(order)}.</caption><thead>"
    yield f"{_head(columns)}</thead><tbody>"
    for standing in sheet.standings.items:
        numbers = (*standing.rounds, *(_tie_break(number) for number in standing.tie_breaks))
        yield _row((standing.place, _standing_name(standing), *standing.progress, standing.points, *numbers))
    yield "</tbody></table>"


def _teams(sheet: Sheet) -> Iterator[str]:
    terms = sheet.tournament.terms.teams
    if isinstance(terms, UnsetType) or not sheet.standings.teams:
        return
    points = {standing.entrant: standing.points for standing in sheet.standings.items}
    columns = (("Place", True), ("Team", False), ("Points", True), ("By", False))
    yield f"<h2>Teams</h2><table><caption>By the points of the best {terms.counting} of each, then by their places."
    yield f"</caption><thead>{_head(columns)}</thead><tbody>"
    for team in sheet.standings.teams:
        members = ", ".join(f"{_name(who)} {points[who.entrant]}" for who in team.entrants)
        yield _row((team.place, f"{team.letter} · {team.name}", team.points, members))
    yield "</tbody></table>"


def _tie_break(number: Number) -> str | int:
    value = read_tie_break(number.name, number.value)
    return NOTHING if value is None else value


def _entrants(sheet: Sheet) -> Iterator[str]:
    """List the ids that the log knows people by: beside them it is seen where names were swapped."""
    yield "<h2>Entrants</h2><table><caption>The log has the ids alone. Names are not proven: they are what the server "
    yield f"calls these accounts.</caption><thead>{_head((('Entrant', True), ('Name', False), ('Account', False)))}"
    yield "</thead><tbody>"
    for entrant in sheet.entrants.items:
        yield _row((entrant.entrant, _name(entrant) + (f" ({entrant.left})" if entrant.left else ""), entrant.player))
    yield "</tbody></table>"


def _round(round_: RoundShown) -> Iterator[str]:
    yield f"<h2>Round {round_.round}</h2>"
    if round_.waiting:
        names = ", ".join(map(_name, round_.waiting))
        yield f"<p>Waiting until {_time(round_.until)} for {escape(names)}.</p>"
    if round_.tables:
        yield f"<table><thead>{_head(TABLE_COLUMNS)}</thead>"
        yield from (_table(table) for table in round_.tables)
        yield "</table>"
    for bye in round_.byes:
        yield f'<p>{escape(_name(bye))} sits out: {bye.points} points. <span class="why">{escape(bye.why)}</span></p>'


def _absent(sheet: Sheet, round_: int) -> Iterator[str]:
    """Name who did not check in for a round, and who was drawn in it and did not come."""
    entrants = sheet.entrants.items
    missed = [_name(entrant) for entrant in entrants if round_ in entrant.missed]
    gone = [_name(entrant) for entrant in entrants if round_ in entrant.no_shows]
    for what, names in (("Did not check in", missed), ("Drawn, and did not come", gone)):
        if names:
            yield f"<p>{what}: {escape(list_names(names))}.</p>"


def _time(at: str) -> str:
    """Write a time of the log as people read it: to the minute."""
    return f"{at[:10]} {at[11:16]} UTC"


def _table(table: TableShown) -> str:
    """Write a row for each seat, in order; the cells of the whole table stand beside all of them."""
    counted = {score.entrant: score for score in table.scored}
    whole = f"rowspan={len(table.seats)}"
    status = read_tournament_words().tables["table_statuses"][table.status]
    told = f'{status}<br><span class="why">{escape(table.why)}</span>'
    rows = []
    for seat in table.seats:
        scored = counted.get(seat.entrant)
        got = (NOTHING, NOTHING) if scored is None else (scored.place, scored.points)
        numbers = "".join(f"<td class=number>{each}" for each in (seat.score, seat.lot, *got))
        rows.append(f"<td>{escape(_name(seat))}{numbers}")
    rows[0] = f"<td {whole} class=number>{table.table}{rows[0]}"
    rows[0] += f'<td {whole}>{told}<br><span class="hash">{table.game}</span>'
    return f"<tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody>"


def _rulings(rulings: Iterable[RulingShown]) -> Iterator[str]:
    yield "<h2>Rulings</h2>"
    items = [
        f"<li>{escape(ruling.told)} <span class=small>line {ruling.line}, {ruling.by}</span></li>" for ruling in rulings
    ]
    yield f"<ul>{''.join(items)}</ul>" if items else "<p>None.</p>"


def _check(sheet: Sheet) -> Iterator[str]:
    """Return how a sheet of paper is held against the log."""
    shown = sheet.tournament
    yield f'<h2>To check this sheet</h2><p>Tournament <span class="hash">{shown.id}</span>, version {shown.version}; '
    yield f'line {shown.version} of its log has the SHA-256 <span class="hash">{sheet.head}</span></p>'
    yield (
        '<p class="small">With its bundle every game, pairing and standing is checked by <code>spina verify '
        f"{shown.id}.tournament.zip</code>, and this same sheet is written by <code>spina tournament export --bundle "
        f"{shown.id}.tournament.zip --format html --at {shown.version}</code>. Names are what the server calls the "
        "players; the log has their ids alone.</p>"
    )


def _head(columns: Iterable[tuple[str, bool]]) -> str:
    """Write a row of headings; those of numbers stand right, as the numbers do."""
    cells = (f"<th{' class=number' if is_number else ''} scope=col>{escape(name)}" for name, is_number in columns)
    return f"<tr>{''.join(cells)}</tr>"


def _row(cells: Iterable[str | int]) -> str:
    written = (f"<td>{escape(cell)}" if isinstance(cell, str) else f"<td class=number>{cell}" for cell in cells)
    return f"<tr>{''.join(written)}</tr>"


def _standing_name(standing: StandingShown) -> str:
    team = f" [{standing.team.letter}]" if standing.team else ""
    return _name(standing) + team + (f" ({standing.left})" if standing.left else "")


def _name(who: Who) -> str:
    return who.name or f"entrant {who.entrant}"
