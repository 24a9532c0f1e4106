"""Players: the games of each, and their ends. A game in which a seat was taken stays countable for ever.

Every player who took a seat has a row, finished or not, and the account that opened the game has another one; names are
not in them, as they are not in the log.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.game.events import GameFinished, PlayerOffer, SeatOffered
from domain.ids import GameId, PlayerId, Seat, StreamId, StreamVersion
from domain.log.record import Line
from domain.ruleset.ruleset import FORFEITS_MAX
from projections.folding import Marks, Projection, Row
from projections.lobby import Sitting
from projections.opening import list_offers, read_opening, shown_from_ms

NAME = "players"
# The labels by which a row is counted. A private game is not counted for others.
PRIVATE = "private"
DELAYED = "delayed"
# A seat that is offered: no game of the player's record. The row goes with the offer.
OFFERED = "offered"
# Offers are ranked above all games: lists of games begin below this rank, and pass none of them by.
BELOW_OFFERS = "2"
# Rows that are counted alone are ranked below all games.
ABOVE_COUNTED = "0"
# A seat kept for the player at a table of a tournament, and not taken yet: no game of its record either.
KEPT = "kept"
# Opened by this account; whether as an organiser, and with a key that signs rulings.
OPENED, ORGANISED, SIGNED = "opened", "organised", "signed"
# Left before the start.
LEFT = "result=left"
RULESET, RESULT = "ruleset=", "result="

# Behind a game's place, those of the rows of its opener, and of an offer: its player may have left the game before.
_BESIDE, _OFFER = b"\1", b"\2"

# The result of a player in a game. A player who left before the start has `left`, for every end of the game.
Result = Literal["open", "running", "finished", "aborted", "left", "offered"]
Departure = Literal["left", "removed", "resigned", "retired"]

_replace = msgspec.structs.replace


class Rival(Struct, frozen=True, kw_only=True):
    """Another player in the same game."""

    player: PlayerId
    seat: Seat
    place: int | None


class Played(Struct, frozen=True, kw_only=True):
    """One player in one game. `place` is null where the game did not finish."""

    game: GameId
    ruleset: str
    seat: Seat
    result: Result
    place: int | None
    departure: Departure | None
    rivals: tuple[Rival, ...]
    visibility: str
    opened_at: str
    taken_at: str
    started_at: str | None
    ended_at: str | None


class SeatOffer(Struct, frozen=True, kw_only=True):
    """A seat that is offered to one player. `by` is the account that opened the game."""

    game: GameId
    ruleset: str
    seat: Seat
    visibility: str
    by: str
    opened_at: str
    offered_at: str


class Player(Struct, frozen=True, kw_only=True):
    """The player who took a seat; the last one, where it was taken again."""

    player: PlayerId
    seat: Seat
    taken_at: str
    shown_from_ms: int
    forfeits: int = 0
    departure: Departure | None = None
    # Before the start: the result of the game is no longer theirs.
    has_left: bool = False
    place: int | None = None


class Offered(Struct, frozen=True, kw_only=True):
    """The player to whom a seat was offered by name."""

    player: PlayerId
    seat: Seat
    at: str
    is_withdrawn: bool = False


class PlayersGame(Struct, frozen=True, kw_only=True):
    """All players who ever sat in a game, in the order of their first seats."""

    id: GameId
    version: StreamVersion
    ruleset: str
    status: Literal["open", "running", "finished", "aborted"]
    visibility: str
    delay_s: int
    opened_at: str
    # The seats are kept for those who were drawn: no offer of a stranger.
    is_at_table: bool = False
    # The account that opened it, and the labels of its row.
    opener: str
    opener_labels: tuple[str, ...]
    started_at: str | None = None
    ended_at: str | None = None
    players: tuple[Player, ...] = ()
    offered: tuple[Offered, ...] = ()


def evolve(game: PlayersGame | None, line: Line) -> PlayersGame | None:
    """Return the game after one more line."""
    if game is None:
        return _open(line)
    game = _replace(game, version=line.version)
    match line.type:
        case "seat_offered":
            return _offered(game, line)
        case "seat_taken":
            return _seated(game, line)
        case "seat_left":
            return _departed(game, line, "left")
        case "seat_removed":
            return _departed(game, line, "removed")
        case "seat_resigned":
            return _departed(game, line, "resigned")
        case "action_forfeited":
            return _forfeited(game, line)
        case "game_started":
            return _replace(game, status="running", started_at=line.at)
        case "game_finished":
            return _finished(game, line)
        case "game_aborted" | "game_cancelled" | "game_stopped":
            return _replace(game, status="aborted", ended_at=line.at)
        case _:
            return game


# The lines after which a player's row may differ.
_TELLING = frozenset(
    {
        "game_opened",
        "seat_offered",
        "seat_taken",
        "seat_left",
        "seat_removed",
        "seat_resigned",
        "action_forfeited",
        "game_started",
        "game_finished",
        "game_aborted",
        "game_cancelled",
        "game_stopped",
    }
)


def tell(game: PlayersGame, line: Line) -> Iterable[Row]:
    return build_rows(game) if line.type in _TELLING else ()


def build_rows(game: PlayersGame) -> list[Row]:
    """Build the rows of the opener of a game, and of all players who ever sat in it."""
    seated = {player.player for player in game.players}
    if game.is_at_table:
        offers = [_kept_row(game, offered) for offered in game.offered if offered.player not in seated]
    else:
        offers = [_offered_row(game, offered) for offered in game.offered]
    return [_opener_row(game), *offers, *(_row(game, player) for player in game.players)]


def build_played(game: PlayersGame, player: Player) -> Played:
    return Played(
        game=game.id,
        ruleset=game.ruleset,
        seat=player.seat,
        result="left" if player.has_left else game.status,
        place=player.place,
        departure=player.departure,
        rivals=() if player.has_left else tuple(_list_rivals(game, player)),
        visibility=game.visibility,
        opened_at=game.opened_at,
        taken_at=player.taken_at,
        started_at=None if player.has_left else game.started_at,
        ended_at=None if player.has_left else game.ended_at,
    )


def _list_rivals(game: PlayersGame, player: Player) -> Iterator[Rival]:
    for other in game.players:
        if other.player != player.player and not other.has_left:
            yield Rival(player=other.player, seat=other.seat, place=other.place)


def find_played(game: PlayersGame, player: PlayerId) -> Played | None:
    return next((build_played(game, each) for each in game.players if each.player == player), None)


def list_labels(played: Played) -> tuple[str, ...]:
    """List the labels of a game: its ruleset, and the place or the other result."""
    return f"{RULESET}{played.ruleset}", f"{RESULT}{played.result if played.place is None else played.place}"


def place_of(game: GameId) -> bytes:
    """Return where the row of a game stands among those of a player."""
    return UUID(game).bytes


def game_of(place: bytes) -> GameId:
    return GameId(StreamId(str(UUID(bytes=place))))


def _row(game: PlayersGame, player: Player) -> Row:
    played = build_played(game, player)
    is_delayed = _is_delayed(game)
    labels = list_labels(played)
    if game.visibility != "public":
        labels += (PRIVATE,)
    if is_delayed:
        labels += (DELAYED,)
    return Row(
        owner=player.player,
        place=place_of(game.id),
        labels=labels,
        from_ms=player.shown_from_ms if is_delayed else 0,
        rank=_rank(game, is_left=player.has_left, is_delayed=is_delayed),
        body=msgspec.json.encode(played),
    )


def _opener_row(game: PlayersGame) -> Row:
    """Build a row to be counted alone: it stands beside the one of the same account in a seat."""
    labels = (*game.opener_labels, f"{RESULT}{game.status}")
    if game.visibility != "public":
        labels += (PRIVATE,)
    if _is_delayed(game):
        labels += (DELAYED,)
    rank = f"-{game.opened_at}-{game.id}"
    return Row(owner=game.opener, place=place_of(game.id) + _BESIDE, labels=labels, rank=rank, body=b"{}")


def _is_delayed(game: PlayersGame) -> bool:
    return game.delay_s > 0 and game.status in ("open", "running")


def _offered_row(game: PlayersGame, offered: Offered) -> Row:
    """Build the row of an offer, or of one that has ended: an empty one, so that no later read passes it by."""
    owner, place = offered.player, place_of(game.id) + _OFFER
    is_seated = any(player.player == owner and not player.has_left for player in game.players)
    if game.status != "open" or offered.is_withdrawn or is_seated:
        return Row(owner=owner, place=place, body=b"")
    offer = SeatOffer(
        game=game.id,
        ruleset=game.ruleset,
        seat=offered.seat,
        visibility=game.visibility,
        by=game.opener,
        opened_at=game.opened_at,
        offered_at=offered.at,
    )
    return Row(
        owner=owner,
        place=place,
        labels=(OFFERED,),
        rank=f"{BELOW_OFFERS}-{offered.at}-{game.id}",
        body=msgspec.json.encode(offer),
    )


def _kept_row(game: PlayersGame, offered: Offered) -> Row:
    """Build the row of a seat kept for the player who was drawn there: a game of its own already."""
    owner, place = offered.player, place_of(game.id)
    if game.status != "open" or offered.is_withdrawn:
        return Row(owner=owner, place=place, body=b"")
    keeper = Player(player=owner, seat=offered.seat, taken_at=offered.at, shown_from_ms=0)
    played = _replace(build_played(game, keeper), result="offered")
    rank = _rank(game, is_left=False, is_delayed=False)
    labels = (*list_labels(played), KEPT)
    return Row(owner=owner, place=place, labels=labels, rank=rank, body=msgspec.json.encode(played))


def _rank(game: PlayersGame, *, is_left: bool, is_delayed: bool) -> str:
    """Rank games that go on before those that ended, each the newest first; a delayed one by its opening alone."""
    is_over = game.status in ("finished", "aborted") or (is_left and not is_delayed)
    return f"{int(not is_over)}-{(game.ended_at or game.opened_at) if is_over else game.opened_at}-{game.id}"


def _open(line: Line) -> PlayersGame | None:
    opening = read_opening(line)
    if opening is None:
        return None
    opener = line.by.partition(":")[2]
    labels: tuple[str, ...] = (OPENED,)
    if opener in opening.organisers:
        labels += (ORGANISED,) if opening.organisers[opener] is None else (ORGANISED, SIGNED)
    return PlayersGame(
        id=GameId(line.stream),
        version=line.version,
        ruleset=opening.title,
        status="open",
        visibility=opening.visibility,
        delay_s=opening.delay_s,
        opened_at=line.at,
        is_at_table=opening.table is not None,
        opener=opener,
        opener_labels=labels,
        offered=tuple(
            Offered(player=each.player, seat=Seat(place), at=line.at)
            for place, each in enumerate(list_offers(opening))
            if isinstance(each, PlayerOffer)
        ),
    )


def _offered(game: PlayersGame, line: Line) -> PlayersGame:
    told = msgspec.convert(line.data, SeatOffered)
    # The player who sits there is sent away.
    game = _departed(game, line, "removed")
    earlier = tuple(
        _replace(offered, is_withdrawn=True) if offered.seat == told.seat else offered for offered in game.offered
    )
    if not isinstance(told.to, PlayerOffer):
        return _replace(game, offered=earlier)
    others = tuple(offered for offered in earlier if offered.player != told.to.player)
    return _replace(game, offered=(*others, Offered(player=told.to.player, seat=told.seat, at=line.at)))


def _seated(game: PlayersGame, line: Line) -> PlayersGame:
    told = msgspec.convert(line.data, Sitting)
    player = Player(
        player=told.player, seat=told.seat, taken_at=line.at, shown_from_ms=shown_from_ms(line, game.delay_s)
    )
    earlier = [player for player in game.players if player.player == told.player]
    # A player who sits down again was shown here before.
    player = _replace(player, shown_from_ms=min(each.shown_from_ms for each in (*earlier, player)))
    others = (player for player in game.players if player.player != told.player)
    return _replace(game, players=(*others, player))


def _departed(game: PlayersGame, line: Line, departure: Departure) -> PlayersGame:
    def depart(player: Player) -> Player:
        # The resignation of a seat retired before changes nothing.
        first = player.departure or departure
        return _replace(player, departure=first, has_left=game.status == "open")

    return _changed(game, line, depart)


def _forfeited(game: PlayersGame, line: Line) -> PlayersGame:
    def forfeit(player: Player) -> Player:
        forfeits = player.forfeits + 1
        is_retired = forfeits >= FORFEITS_MAX and player.departure is None
        return _replace(player, forfeits=forfeits, departure="retired" if is_retired else player.departure)

    return _changed(game, line, forfeit)


def _finished(game: PlayersGame, line: Line) -> PlayersGame:
    places = {placing.seat: placing.place for placing in msgspec.convert(line.data, GameFinished).ranking}
    players = tuple(
        player if player.has_left else _replace(player, place=places.get(player.seat)) for player in game.players
    )
    return _replace(game, status="finished", ended_at=line.at, players=players)


def _changed(game: PlayersGame, line: Line, change: Callable[[Player], Player]) -> PlayersGame:
    """Change the player in the seat of a line."""
    seat = line.data["seat"]
    players = tuple(
        change(player) if player.seat == seat and not player.has_left else player for player in game.players
    )
    return _replace(game, players=players)


PLAYERS = Projection(name=NAME, version=7, state_type=PlayersGame, evolve=evolve, tell=tell, mark=lambda _game: Marks())
