"""The list of public games: running, open, ended. A delayed game is listed as it stood when its viewers may see it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter
from msgspec import Struct
from msgspec.structs import asdict

from domain.ids import GameId, PlayerId, Seat, StreamId, StreamVersion
from infra.projection_store import Sought, StoredRow
from projections import players
from projections.lobby import DELAYED, LISTED, LOBBY, LobbyGame, Status, label_ruleset, label_status
from projections.opening import Terms
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.costs import ROWS_A_UNIT, owe
from services.api.http.documented import Tagged, answers
from services.api.http.examples import LISTED_EXAMPLE
from services.api.http.parts import Parts
from services.reading.access import Caller, as_reader

# A screen of games; a client that wants all of them asks page by page.
GAMES_MAX = 50
# A page that finds too little ends here, and leads to the next one: it passed by delayed games that no longer fit
# the query.
PASSED_MAX = 1_000
# Open tables of one opener on one page; its others are listed where its name is asked for, in its record.
OPEN_OF_ONE_MAX = 4
# Delayed games in which the caller sits, which the public may not know of yet.
OWN_MAX = 100

Ruleset = Annotated[str | None, QueryParameter(description="`name@version`.", pattern="^[!-~]+$", max_length=50)]
Wanted = Annotated[Status | None, QueryParameter(description="What the game is now.")]
# A rank, as projections make it.
RANK_PATTERN = "^[0-9a-fA-Z:.-]{1,80}$"
Before = Annotated[str | None, QueryParameter(description="`next` of the page before.", pattern=RANK_PATTERN)]
Limit = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=GAMES_MAX)]


class SeatedPlayer(Struct, frozen=True, kw_only=True):
    seat: Seat
    player: PlayerId
    name: str | None


class GameListed(Struct, frozen=True, kw_only=True):
    """`turn` and `laps` are those of the leader; null where there are none, and before the first.

    `winners` are the seats that share the first place of a finished game; there may be none.
    """

    id: GameId
    ruleset: str
    status: Status
    version: StreamVersion
    seats: int
    taken: tuple[SeatedPlayer, ...]
    clock: Terms | None
    delay_s: int
    opened_by: str
    opened_at: str
    started_at: str | None
    ended_at: str | None
    last_at: str
    turn: int | None
    laps: int | None
    winners: tuple[Seat, ...]


class Games(Struct, frozen=True, kw_only=True):
    """`next` is the `before` of the next page, null where there is none. A page may be short, or empty."""

    items: tuple[GameListed, ...]
    next: str | None


class Wish(Struct, frozen=True, kw_only=True):
    """The query of a list of games."""

    ruleset: str | None
    status: Status | None
    before: str | None
    limit: int


def read_wish(ruleset: Ruleset = None, status: Wanted = None, before: Before = None, limit: Limit = GAMES_MAX) -> Wish:
    return Wish(ruleset=ruleset, status=status, before=before, limit=limit)


@get(
    "/v1/games",
    operation_class=Tagged,
    operation_id="list_games",
    summary="List the games",
    description="Public games: those that run, then those that are open, then those that ended, each the newest first. "
    "Private ones are not listed for anyone. A game is in the list about a quarter of a second after it was opened.",
    tags=["games"],
    dependencies={"wish": Provide(read_wish, sync_to_thread=False)},
    responses=answers(Games, {"items": [LISTED_EXAMPLE], "next": None}, refusals=(), said="Public games"),
)
async def list_games(
    request: AnyRequest, caller: NamedDependency[Caller], parts: NamedDependency[Parts], wish: NamedDependency[Wish]
) -> Response[Any]:
    found = await _find_page(parts, caller, wish)
    owe(request.scope, found.looked / ROWS_A_UNIT)
    names = await parts.people.accounts.find_names({sitting.player for game in found.games for sitting in game.taken})
    page = Games(items=tuple(_show(game, names) for game in found.games), next=found.next)
    return answer_tagged(request, caller, page)


class _Found(Struct, frozen=True, kw_only=True):
    games: tuple[LobbyGame, ...]
    next: str | None
    # Rows, those included that are not shown.
    looked: int


async def _find_page(parts: Parts, caller: Caller, wish: Wish) -> _Found:
    """Find one game more than asked for, to know whether there are more: of those that are shown, not of all.

    As many rows are read at a time for a short page as for a long one.
    """
    sought = await _seek(parts, caller, wish)
    games: list[LobbyGame] = []
    ranks: list[str] = []
    looked = 0
    for _ in range(PASSED_MAX // GAMES_MAX):
        rows = await parts.projections.list_owners(LOBBY.name, sought, limit=GAMES_MAX + 1)
        heads = await parts.store.read_versions([StreamId(row.owner) for row in rows if DELAYED in row.labels])
        for row in rows:
            looked += 1
            shown = await _see(parts, caller, row, heads)
            if shown is not None and wish.status in (None, shown.status) and not _is_surplus(games, shown):
                games.append(shown)
                ranks.append(row.rank)
            if len(games) > wish.limit:
                return _Found(games=tuple(games[: wish.limit]), next=ranks[wish.limit - 1], looked=looked)
        if len(rows) <= GAMES_MAX:
            return _Found(games=tuple(games), next=None, looked=looked)
        sought = msgspec.structs.replace(sought, before=rows[-1].rank)
    return _Found(games=tuple(games), next=rows[-1].rank, looked=looked)


def _is_surplus(listed: Sequence[LobbyGame], game: LobbyGame) -> bool:
    """Return whether a page has enough open tables of the opener of this one. Tables of tournaments do not count."""
    if game.status != "open" or game.tournament is not None:
        return False
    return sum(item.status == "open" and item.opened_by == game.opened_by for item in listed) >= OPEN_OF_ONE_MAX


async def _seek(parts: Parts, caller: Caller, wish: Wish) -> Sought:
    always = (LISTED,) if wish.ruleset is None else (LISTED, label_ruleset(wish.ruleset))
    return Sought(
        labels=always if wish.status is None else (*always, label_status(wish.status)),
        # The caller's view of a delayed game is not known before it is looked at.
        or_labels=(*always, DELAYED),
        before=wish.before,
        now_ms=parts.now_ms(),
        known=await _list_own(parts, caller),
    )


async def _list_own(parts: Parts, caller: Caller) -> tuple[GameId, ...]:
    player = as_reader(caller).player
    if player is None:
        return ()
    rows = await parts.projections.list_hidden(players.NAME, player, limit=OWN_MAX)
    return tuple(players.game_of(row.place) for row in rows)


async def _see(
    parts: Parts, caller: Caller, row: StoredRow, heads: Mapping[StreamId, StreamVersion]
) -> LobbyGame | None:
    """Return the game as the caller may see it; nothing where that is nothing yet."""
    if DELAYED in row.labels:
        game = GameId(StreamId(row.owner))
        return await parts.games.delayed.find(LOBBY, game, caller, now_ms=parts.now_ms(), head=heads.get(game))
    return msgspec.json.decode(row.body, type=LobbyGame)


def _show(game: LobbyGame, names: Mapping[PlayerId, str]) -> GameListed:
    taken = [
        SeatedPlayer(seat=sitting.seat, player=sitting.player, name=names.get(sitting.player)) for sitting in game.taken
    ]
    return msgspec.convert(asdict(game) | {"taken": taken}, GameListed)
