"""The games of an account in one read, the running ones first, and beside them the seats that are offered to it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Struct, UnsetType

from domain.game.clock import find_deadline_ms, waits_for_seat
from domain.game.evolve import settle
from domain.game.offers import list_seats_for
from domain.game.stand_in import list_handed, list_waiting
from domain.game.state import Game
from domain.ids import DecisionId, GameId, PlayerId, Seat, StreamVersion, TournamentId
from domain.log.record import format_at, parse_at
from infra.projection_store import SoughtPlaces
from projections import players
from services.api.accounts.own_offers import OFFERS_MAX, OwnOffer, list_own_offers
from services.api.accounts.own_players import OwnPlayer, show_players
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import require_reader
from services.api.http.documented import TaggedForTokens, answers
from services.api.http.examples import OWN_GAME_EXAMPLE, OWN_OFFER_EXAMPLE
from services.api.http.parts import Parts
from services.reading.access import Caller, find_seat

# A front page; the rest is in the player's record.
GAMES_MAX = 50
# Seats of an account that are looked through for running games: the newest open ones come first among the rows.
ROWS_MAX = 200
# Of these, games that are over.
ENDED_MAX = 10


class OwnGame(Struct, frozen=True, kw_only=True):
    """`owes` are the account's own decisions, `deadline` the end of the first, `waits_for` the seats that owe one.

    Where `is_handed`, a house bot plays for the account until it takes the seat back. Where `is_offered`, the seat is
    kept for the account at a table of a tournament, and not taken yet. `tournament` is that of a game at a table;
    `place` that of a finished game.
    """

    game: GameId
    ruleset: str
    status: str
    version: StreamVersion
    visibility: str
    seat: Seat
    is_offered: bool
    is_your_turn: bool
    is_handed: bool
    owes: tuple[DecisionId, ...]
    deadline: str | None
    waits_for: tuple[Seat, ...]
    players: tuple[OwnPlayer, ...]
    opened_at: str
    last_at: str
    rematch_of: GameId | None
    tournament: TournamentId | None
    place: int | None


class OwnGames(Struct, frozen=True, kw_only=True):
    """`after` is where the stream of the same games and offers goes on."""

    after: int
    items: tuple[OwnGame, ...]
    offers: tuple[OwnOffer, ...]


@get(
    "/v1/account/games",
    operation_class=TaggedForTokens,
    operation_id="read_own_games",
    summary="Read your games",
    description="Those that run, with the seats that wait and your deadline, then those that are open, then the last "
    f"that ended. `offers` are seats that others offer to you: the newest of each sender, {OFFERS_MAX} at most, "
    "without those that you declined. A change is in the answer a quarter of a second later.",
    tags=["players"],
    responses=answers(
        OwnGames,
        {"after": 1_795_003_200_000, "items": [OWN_GAME_EXAMPLE], "offers": [OWN_OFFER_EXAMPLE]},
        refusals=(403,),
        said="Games",
    ),
)
async def read_own_games(
    request: AnyRequest, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Any]:
    player = require_reader(caller)
    games, offers = await list_own_games(parts, player, {}), await list_own_offers(parts, player, {})
    after = find_cursor(games, offers)
    return answer_tagged(request, caller, OwnGames(after=after, items=tuple(games), offers=tuple(offers)))


def find_cursor(games: Sequence[OwnGame], offers: Sequence[OwnOffer] = ()) -> int:
    """Return the time of the last change of any game and of the last offer, in milliseconds."""
    times = [game.last_at for game in games] + [offer.offered_at for offer in offers]
    return max(map(parse_at, times), default=0)


async def list_own_games(parts: Parts, player: PlayerId, known: Mapping[GameId, OwnGame]) -> list[OwnGame]:
    """List an account's games; one known at its newest version is not read again."""
    sought = SoughtPlaces(
        without=(players.LEFT,), before=players.BELOW_OFFERS, after=players.ABOVE_COUNTED, now_ms=None
    )
    rows = await parts.projections.list_places(players.NAME, player, sought, limit=ROWS_MAX)
    played = [msgspec.json.decode(row.body, type=players.Played) for row in rows]
    running, waiting, ended = (
        [each for each in played if each.result in results]
        for results in (("running",), ("open", "offered"), ("finished", "aborted"))
    )
    played = [*running, *waiting, *ended[:ENDED_MAX]][:GAMES_MAX]
    versions = await parts.store.read_versions([each.game for each in played])
    found: list[OwnGame] = []
    for each in played:
        before = known.get(each.game)
        if before is not None and before.version == versions.get(each.game):
            found.append(before)
            continue
        game = settle(await parts.games.histories.read_newest(each.game))
        shown = await _show(parts, game, player, each)
        if shown is not None:
            found.append(shown)
    return found


async def _show(parts: Parts, game: Game, player: PlayerId, played: players.Played) -> OwnGame | None:
    """Show a game as its player sees it; None where the list is behind and the account has no part in it any more."""
    own, offered = find_seat(game, Caller(player=player)), list_seats_for(game, player)
    if own is None and not offered:
        return None
    seat = offered[0] if own is None else own
    waiting = [owed for owed in game.owed if waits_for_seat(game, owed) and game.paused_ms is None]
    mine = [owed for owed in list_waiting(game) if owed.decision.seat == own]
    deadlines = [ms for ms in (find_deadline_ms(game, owed) for owed in mine) if ms is not None]
    ranking = game.ruleset.ranking(game.board) if game.status == "finished" else ()
    rematch_of, table = game.opened.rematch_of, game.opened.table
    return OwnGame(
        game=game.id,
        ruleset=game.opened.ruleset.reference,
        status=game.status,
        version=game.version,
        visibility=game.opened.visibility,
        seat=seat,
        is_offered=own is None,
        is_your_turn=bool(mine),
        is_handed=own in list_handed(game),
        owes=tuple(owed.decision.id for owed in mine),
        deadline=format_at(min(deadlines)) if deadlines else None,
        waits_for=tuple(sorted({owed.decision.seat for owed in waiting})),
        players=await show_players(parts.people, game),
        opened_at=played.opened_at,
        last_at=format_at(game.at_ms),
        rematch_of=None if isinstance(rematch_of, UnsetType) else rematch_of,
        tournament=None if isinstance(table, UnsetType) else table.tournament,
        place=next((place.place for place in ranking if place.seat == own), None),
    )
