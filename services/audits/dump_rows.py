"""One public game as rows of a dump: the game, its seats, its moves, and the board before each move as features.

Only the bundle is read, so that everybody who has it makes the same rows.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.audit.bundle import Bundle
from domain.audit.moments import Moment, replay_moments
from domain.canonical import Json
from domain.game.state import Game
from domain.ids import Seat
from domain.log.record import format_at
from domain.ruleset.teams import team_of
from domain.rulesets.released import Rebuilder
from services.reading.shown import find_bot, show_view

# The lines with which a seat answers a decision in the open.
MOVES = {"action_played": "plain", "action_revealed": "sealed"}
FINISHED = "finished"


class GameRow(Struct, frozen=True, kw_only=True):
    """A game. `head` is the SHA-256 of its last line, by which its bundle proves it."""

    game: str
    ruleset: str
    components: str
    seats: int
    options: Json
    is_timed: bool
    opened_at: str
    ended_at: str
    lines: int
    head: str


class SeatRow(Struct, frozen=True, kw_only=True):
    """A seat of a game. `house` is the bot of a seat of the house, `team` its letter; a place may be shared."""

    game: str
    seat: int
    player: str | None
    house: str | None
    team: str | None
    place: int
    forfeits: int


class MoveRow(Struct, frozen=True, kw_only=True):
    """An answer in the open: line `version` of the log."""

    game: str
    version: int
    seat: int
    decision: str
    kind: str
    at: str
    action: Json


class BoardRow(Struct, frozen=True, kw_only=True):
    """The board as the public saw it before line `version`: every number of the view, by its path."""

    game: str
    version: int
    seat: int
    features: Mapping[str, int]


class GameRows(Struct, frozen=True, kw_only=True):
    game: GameRow
    seats: Sequence[SeatRow]
    moves: Sequence[MoveRow]
    boards: Sequence[BoardRow]


def read_rows(bundle: Bundle, rebuilder: Rebuilder) -> GameRows | None:
    """Return the rows of a public game that is finished and disclosed; None for every other. Raises NotReplayable."""
    moves: list[MoveRow] = []
    boards: list[BoardRow] = []
    before: Moment | None = None
    opened_at = ""
    for moment in replay_moments(bundle, rebuilder, None):
        line, game = moment.entry.line, moment.game
        if game.opened.visibility != "public":
            return None
        if before is None:
            opened_at = format_at(game.at_ms)
        elif line.type in MOVES:
            moves.append(_build_move(moment))
            features = dict(_list_features(show_view(before.game, None)))
            boards.append(BoardRow(game=game.id, version=line.version, seat=moves[-1].seat, features=features))
        before = moment
    if before is None or before.game.status != FINISHED or before.entry.line.type != "secret_disclosed":
        return None
    row = _build_game(before.game, opened_at, lines=before.entry.line.version)
    return GameRows(game=row, seats=tuple(_list_seats(before.game)), moves=moves, boards=boards)


def _build_move(moment: Moment) -> MoveRow:
    line = moment.entry.line
    found = {"game": moment.game.id, "version": line.version, "kind": MOVES[line.type], "at": line.at}
    return msgspec.convert(found | {name: line.data[name] for name in ("seat", "decision", "action")}, MoveRow)


def _build_game(game: Game, opened_at: str, *, lines: int) -> GameRow:
    opened = game.opened
    return GameRow(
        game=game.id,
        ruleset=f"{opened.ruleset.name}@{opened.ruleset.version}",
        components=opened.ruleset.components,
        seats=opened.seats,
        options=opened.options,
        is_timed=opened.clock is not None,
        opened_at=opened_at,
        ended_at=format_at(game.at_ms),
        lines=lines,
        head=game.head,
    )


def _list_seats(game: Game) -> Iterator[SeatRow]:
    places = {placing.seat: placing.place for placing in game.ruleset.ranking(game.board)}
    teams = game.opened.options.get("teams")
    for place, held in enumerate(game.seats):
        yield SeatRow(
            game=game.id,
            seat=place,
            player=getattr(held, "player", None),
            house=find_bot(game, Seat(place)),
            team=team_of(teams, Seat(place)) if isinstance(teams, str) else None,
            place=places[Seat(place)],
            forfeits=getattr(held, "forfeits", 0),
        )


def _list_features(view: Json, path: str = "") -> Iterator[tuple[str, int]]:
    """Yield each number and truth value of a view with its path: `chariots.0.lap`."""
    match view:
        case bool() | int():
            yield path, int(view)
        case dict():
            for name, value in view.items():
                yield from _list_features(value, f"{path}.{name}" if path else name)
        case list() | tuple():
            for place, value in enumerate(view):
                yield from _list_features(value, f"{path}.{place}")
        case _:
            return
