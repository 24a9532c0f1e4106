"""Players' records: their games, and how each ended. A game that did not finish stays countable.

Of games that are not public, others are shown nothing: neither that they are there, nor how they ended.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from domain.ids import PlayerId, PlayerIdField
from domain.rejection import Absent
from infra.projection_store import SoughtPlaces, StoredRow
from projections import players
from services.api.games.lobby import Before
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.documented import Tagged, answers
from services.api.http.examples import PLAYED_EXAMPLE, RECORD_EXAMPLE
from services.api.http.parts import Parts, PeopleParts
from services.api.http.versions import SHOWN_CHARS_MAX
from services.reading.access import Caller, may_see_record

# A screen of games; a client that wants all of them asks page by page.
GAMES_MAX = 50
# Delayed games that a player has under way at once, and that are counted one by one.
DELAYED_MAX = 100

Limit = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=GAMES_MAX)]


class NoSuchPlayer(Absent):
    """No account has this id."""

    code = "no-such-player"


class PlaceCount(Struct, frozen=True, kw_only=True):
    place: int
    count: int


class RulesetRecord(Struct, frozen=True, kw_only=True):
    """Games of one ruleset by how they ended. `left` are those left before the start."""

    ruleset: str
    games: int
    finished: int
    places: tuple[PlaceCount, ...]
    open: int
    running: int
    aborted: int
    left: int


class OpenedRecord(Struct, frozen=True, kw_only=True):
    """Games that an account opened, by how they ended; `aborted` are also those cancelled before the start.

    `organised` are those whose rulings were its own, and `signed` of these the ones in which a key signs them.
    """

    games: int
    finished: int
    aborted: int
    organised: int
    signed: int


class PlayerRecord(Struct, frozen=True, kw_only=True):
    """`unfinished` is every game in which a seat was taken and which has not finished, for any reason."""

    id: PlayerId
    name: str
    # Whether a program plays: a declared bot, or one of the house.
    is_bot: bool
    games: int
    finished: int
    unfinished: int
    opened: OpenedRecord
    rulesets: tuple[RulesetRecord, ...]


class PlayedGames(Struct, frozen=True, kw_only=True):
    """`next` is the `before` of the next page, null where there is none."""

    items: tuple[players.Played, ...]
    next: str | None


@get(
    "/v1/players/{player:str}",
    operation_class=Tagged,
    operation_id="read_player",
    summary="Read a player",
    description="The name, and the ends of its games: those played, by ruleset, and those opened. Private games count "
    "for the player alone.",
    tags=["players"],
    responses=answers(PlayerRecord, RECORD_EXAMPLE, refusals=(), said="The player"),
)
async def read_player(
    request: AnyRequest, player: FromPath[str], caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Any]:
    found, name = await _find_player(parts.people, player)
    hidden = _hidden(found, caller)
    counted: Counter[tuple[str, ...]] = Counter()
    for labels, count in await parts.projections.count_labels(players.PLAYERS.name, found):
        if not {players.DELAYED, *hidden} & set(labels):
            counted[labels] += count
    for played in await _list_delayed(parts, caller, found):
        counted[players.list_labels(played)] += 1
    return answer_tagged(
        request, caller, _sum_up(found, name, counted, is_bot=await parts.people.accounts.is_bot(found))
    )


@get(
    "/v1/players/{player:str}/games",
    operation_class=Tagged,
    operation_id="read_player_games",
    summary="Read a player's games",
    description="Every game in which the player took a seat, those that go on first, each the newest first, with the "
    "place it ended in. Private games are shown to the player alone, delayed ones as they stood.",
    tags=["players"],
    responses=answers(PlayedGames, {"items": [PLAYED_EXAMPLE], "next": None}, refusals=(), said="The player's games"),
)
async def read_player_games(
    request: AnyRequest,
    player: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    before: Before = None,
    limit: Limit = GAMES_MAX,
) -> Response[Any]:
    found, _ = await _find_player(parts.people, player)
    sought = SoughtPlaces(
        without=_hidden(found, caller),
        after=players.ABOVE_COUNTED,
        before=min(before or players.BELOW_OFFERS, players.BELOW_OFFERS),
        now_ms=_horizon_ms(parts, found, caller),
    )
    rows = await parts.projections.list_places(players.PLAYERS.name, found, sought, limit=limit + 1)
    items = [await _see(parts, caller, found, row) for row in rows[:limit]]
    more = rows[limit - 1].rank if len(rows) > limit else None
    page = PlayedGames(items=tuple(played for played in items if played is not None), next=more)
    return answer_tagged(request, caller, page)


async def _find_player(people: PeopleParts, text: str) -> tuple[PlayerId, str]:
    try:
        player = msgspec.convert(text, PlayerIdField)
    except msgspec.ValidationError:
        raise NoSuchPlayer(expected="the id of a player", found=ascii(text)[:SHOWN_CHARS_MAX]) from None
    names = await people.accounts.find_people({player})
    if player not in names:
        raise NoSuchPlayer(expected="the id of a player", found=player)
    return player, names[player]


async def _list_delayed(parts: Parts, caller: Caller, player: PlayerId) -> list[players.Played]:
    """List the counted games as they stood, one by one."""
    hidden, horizon_ms = _hidden(player, caller), _horizon_ms(parts, player, caller)
    rows = await parts.projections.list_hidden(players.PLAYERS.name, player, limit=DELAYED_MAX)
    known = [row for row in rows if horizon_ms is None or row.from_ms <= horizon_ms]
    found = [await _see(parts, caller, player, row) for row in known if not set(hidden) & set(row.labels)]
    return [played for played in found if played is not None]


def _hidden(player: PlayerId, caller: Caller) -> tuple[str, ...]:
    never = (players.OFFERED, players.KEPT)
    return never if may_see_record(player, caller) else (*never, players.PRIVATE)


def _sum_opened(counted: Counter[tuple[str, ...]]) -> OpenedRecord:
    def count(label: str = players.OPENED) -> int:
        return sum(number for labels, number in counted.items() if {label, players.OPENED} <= set(labels))

    return OpenedRecord(
        games=count(),
        finished=count(f"{players.RESULT}finished"),
        aborted=count(f"{players.RESULT}aborted"),
        organised=count(players.ORGANISED),
        signed=count(players.SIGNED),
    )


def _horizon_ms(parts: Parts, player: PlayerId, caller: Caller) -> int | None:
    """Return the instant by which the caller must have been able to know of a game; None where all may be known."""
    return None if may_see_record(player, caller) else parts.now_ms()


async def _see(parts: Parts, caller: Caller, player: PlayerId, row: StoredRow) -> players.Played | None:
    """Return the game as the caller may see it; nothing where that is nothing yet."""
    if players.DELAYED not in row.labels:
        return msgspec.json.decode(row.body, type=players.Played)
    game = await parts.games.delayed.find(players.PLAYERS, players.game_of(row.place), caller, now_ms=parts.now_ms())
    return None if game is None else players.find_played(game, player)


def _sum_up(player: PlayerId, name: str, counted: Counter[tuple[str, ...]], *, is_bot: bool) -> PlayerRecord:
    results: dict[str, Counter[str]] = {}
    opened = _sum_opened(counted)
    for labels, count in counted.items():
        if players.OPENED in labels:
            continue
        results.setdefault(_value(labels, players.RULESET), Counter())[_value(labels, players.RESULT)] += count
    rulesets = tuple(_sum_ruleset(ruleset, results[ruleset]) for ruleset in sorted(results))
    games, finished = sum(ruleset.games for ruleset in rulesets), sum(ruleset.finished for ruleset in rulesets)
    return PlayerRecord(
        id=player,
        name=name,
        is_bot=is_bot,
        games=games,
        finished=finished,
        unfinished=games - finished,
        opened=opened,
        rulesets=rulesets,
    )


def _sum_ruleset(ruleset: str, results: Counter[str]) -> RulesetRecord:
    places = sorted(int(result) for result in results if result.isdigit())
    unfinished = {result: results[result] for result in ("open", "running", "aborted", "left")}
    return RulesetRecord(
        ruleset=ruleset,
        games=results.total(),
        finished=results.total() - sum(unfinished.values()),
        places=tuple(PlaceCount(place=place, count=results[str(place)]) for place in places),
        **unfinished,
    )


def _value(labels: Iterable[str], prefix: str) -> str:
    return next(label.removeprefix(prefix) for label in labels if label.startswith(prefix))
