"""The list of tournaments: each with its terms, its number of entrants and its progress.

Pairings and standings are folded when they are asked for; this only lists the tournaments.
"""

from collections.abc import Iterable
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.ids import PlayerId, StreamVersion, TournamentId
from domain.log.record import Line
from projections.folding import Marks, Projection, Row
from projections.lobby import LISTED, Status, label_ruleset, label_status
from projections.opening import Rules

NAME = "tournaments"

_replace = msgspec.structs.replace


class Terms(Struct, frozen=True, kw_only=True):
    """The listed part of a tournament's first line."""

    name: str
    ruleset: Rules
    format: dict[str, object]
    entries_max: int


class Entering(Struct, frozen=True, kw_only=True):
    """The kept part of an entry."""

    player: PlayerId


class Placed(Struct, frozen=True, kw_only=True):
    place: int
    entrant: int


class Told(Struct, frozen=True, kw_only=True):
    """The part of a line of standings that is read."""

    standings: tuple[Placed, ...]


class TournamentRow(Struct, frozen=True, kw_only=True):
    """`round` is the one that was called last; 0 before the first.

    `entries` are those who have not left: a place of one who did is free. `leaders` share the first place of the
    newest standings. `players` are all entrants, by number, for as long as it goes on.
    """

    id: TournamentId
    version: StreamVersion
    name: str
    ruleset: str
    format: str
    status: Status
    entries: int
    entries_max: int
    round: int
    opened_by: str
    opened_at: str
    last_at: str
    leaders: tuple[PlayerId, ...] = ()
    players: tuple[PlayerId, ...] = ()


def evolve(row: TournamentRow | None, line: Line) -> TournamentRow | None:
    """Return the tournament after one more line; None for a stream that is none."""
    if row is None:
        return _open(line)
    row = _replace(row, version=line.version, last_at=line.at)
    match line.type:
        case "entrant_entered":
            entering = msgspec.convert(line.data, Entering)
            return _replace(row, entries=row.entries + 1, players=(*row.players, entering.player))
        case "entrant_withdrawn" | "entrant_removed":
            return _replace(row, entries=row.entries - 1)
        case "round_called":
            return _replace(row, status="running", round=row.round + 1)
        case "tournament_finished":
            return _replace(row, status="finished", players=())
        case "tournament_aborted":
            return _replace(row, status="aborted", players=())
        case "standings_told":
            return _replace(row, leaders=_find_leaders(row, line))
        case _:
            return row


def tell(row: TournamentRow, line: Line) -> Iterable[Row]:
    """Yield each entrant's row, by which an account finds its tournaments."""
    if line.type == "entrant_entered":
        player = msgspec.convert(line.data, Entering).player
        yield Row(owner=player, place=UUID(row.id).bytes, body=msgspec.json.encode(row.id), rank=f"{line.at}-{row.id}")


def mark(row: TournamentRow) -> Marks:
    # Those that go on before those that are over, each the newest first.
    group = int(row.status in ("open", "running"))
    labels = (LISTED, label_status(row.status), label_ruleset(row.ruleset))
    return Marks(labels=labels, rank=f"{group}-{row.opened_at}")


def _find_leaders(row: TournamentRow, line: Line) -> tuple[PlayerId, ...]:
    """Find who comes first; standings of many entrants take several lines, and the best are in the first of them."""
    told = msgspec.convert(line.data, Told).standings
    return tuple(row.players[sentence.entrant] for sentence in told if sentence.place == 1) or row.leaders


def _open(line: Line) -> TournamentRow | None:
    if line.type != "tournament_opened":
        return None
    terms = msgspec.convert(line.data, Terms)
    return TournamentRow(
        id=TournamentId(line.stream),
        version=line.version,
        name=terms.name,
        ruleset=f"{terms.ruleset.name}@{terms.ruleset.version}",
        format=str(terms.format.get("kind")),
        status="open",
        entries=0,
        entries_max=terms.entries_max,
        round=0,
        opened_by=line.by,
        opened_at=line.at,
        last_at=line.at,
    )


TOURNAMENTS = Projection(name=NAME, version=5, state_type=TournamentRow, evolve=evolve, tell=tell, mark=mark)
