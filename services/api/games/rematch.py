"""A rematch: a new game on the terms of one that is over, with its seats rotated and offered to those who held them.

Its id follows from the former game: all who ask for a rematch get the same one.
"""

from typing import Any

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody
from msgspec import UNSET
from msgspec.structs import asdict

from domain.chance import Secret
from domain.derived_ids import derive_rematch
from domain.game.commands import OpenGame
from domain.game.events import HouseOffer, Offer, PlayerOffer
from domain.game.offers import list_named
from domain.game.rejections import NotYourSeat, UnfitTerms
from domain.game.state import Closed, Game, Held
from domain.ids import CommandId, GameId, Seat, StreamVersion
from domain.log.actors import ByPlayer, name_actor
from domain.log.record import Line, line_hash, parse_line
from domain.log.rejections import CommandIdReused
from domain.log.state import is_over
from domain.rejection import NotNow
from domain.ruleset.by_seat import rotate
from services.api.games.games import SECRET_BYTES
from services.api.games.house import HouseCall, require_house
from services.api.http.answering import AnyRequest
from services.api.http.authentication import require_actor, require_player
from services.api.http.bodies import BodyReader, Envelope
from services.api.http.costs import owe_options
from services.api.http.documented import answers, takes
from services.api.http.examples import ANSWER_EXAMPLE, REMATCH_EXAMPLE
from services.api.http.parts import Parts
from services.api.http.versions import read_game_id
from services.commands.arena import Answer
from services.commands.table_games import ENDED
from services.commands.write_path import Written
from services.reading.access import Caller, find_seat, require_game

# Opened by one player, of one game: the next is a rematch of the last. Another player opens as many of its own.
REMATCHES_EACH_MAX = 8


class RematchBody(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer has the id of the new game."""


class GameGoesOn(NotNow):
    """The game has not ended."""

    code = "game-goes-on"


_REMATCH = BodyReader[RematchBody](RematchBody)


@post(
    "/v1/games/{game:str}/rematch",
    operation_id="open_rematch",
    summary="Open a rematch",
    description="By a player of a game that is over: a new game on the same terms, whose opening names the former one. "
    "All players get the same one, until that is over too. Seat 0 is offered to the player or house bot of seat 1, and "
    "so on, the last to that of seat 0. Each takes the offered seat, the sender too. After a game that never began, "
    "seats that were not ready are offered as before.",
    tags=["games"],
    operation_class=takes(RematchBody, REMATCH_EXAMPLE),
    responses=answers(Answer, ANSWER_EXAMPLE, status=201, said="Opened"),
)
async def open_rematch(
    request: AnyRequest,
    game: FromPath[str],
    body: RawBody,
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
) -> Answer:
    asked = _REMATCH.read(body)
    require_actor(caller)
    actor = ByPlayer(player=require_player(caller))
    await require_game(parts.games.arena, read_game_id(game), caller)
    former = await parts.games.arena.read_newest(read_game_id(game))
    _check_former(former, caller)
    new, is_opened = await _find_rematch(parts, former, name_actor(actor))
    if is_opened:
        return await _read_answer(parts, new)
    command = _build_opening(parts, former, new, actor, asked.sig)
    owe_options(request.scope, command.options)
    await parts.rates.spend_opening(caller.account, caller.network, is_delayed=former.opened.delay_s > 0)
    named = [player for player in list_named(command.offers) if player != caller.player]
    await parts.rates.spend_offers(caller.account, caller.network, named)
    call = HouseCall(game=new, ruleset=former.opened.ruleset.reference, opener=name_actor(actor))
    await require_house(parts, call, command.id, command.offers, command.stand_in, network=caller.network)
    try:
        return await parts.carry_out(command)
    except CommandIdReused:
        # Another player of the former game was quicker.
        return await _read_answer(parts, new)


def _build_opening(parts: Parts, former: Game, new: GameId, actor: ByPlayer, sig: str | None) -> OpenGame:
    offers, opened, ruleset = _rotate(former), former.opened, former.opened.ruleset
    terms: dict[str, Any] = {
        name: getattr(opened, name)
        for name in ("clock", "visibility", "delay_s", "demands", "organisers", "ledger", "stand_in")
    }
    return OpenGame(
        id=CommandId(new),
        stream=new,
        at_ms=parts.now_ms(),
        actor=actor,
        sig=sig,
        ruleset=ruleset.name,
        ruleset_version=ruleset.version,
        components=ruleset.components,
        seats=len(offers),
        secret=Secret(parts.random_bytes(SECRET_BYTES)),
        leaf_key=parts.random_bytes(SECRET_BYTES).hex(),
        offers=offers,
        options=rotate(former.opened.options, _list_places(former)),
        rematch_of=former.id,
        **terms,
    )


async def _find_rematch(parts: Parts, former: Game, opener: str) -> tuple[GameId, bool]:
    """Return the id of the newest rematch and whether it is opened: the first that does not exist or is not over."""
    count = REMATCHES_EACH_MAX * len(former.seats) + 1
    ids = [derive_rematch(former.id, number) for number in range(1, count + 1)]
    heads = await parts.store.read_heads(ids)
    rematch = next(id_ for id_ in ids if id_ not in heads or heads[id_].type != ENDED)
    if rematch not in heads and len(heads) >= REMATCHES_EACH_MAX:
        openers = [(await _read_first(parts, id_)).by for id_ in ids if id_ in heads]
        if openers.count(opener) >= REMATCHES_EACH_MAX:
            expected = f"at most {REMATCHES_EACH_MAX} rematches of one game by one player; open a rematch of the last"
            raise UnfitTerms(expected=expected, found="one more")
    return rematch, rematch in heads


async def _read_first(parts: Parts, game: GameId) -> Line:
    (raw,) = await parts.store.read_stream(game, after=StreamVersion(0), limit=1)
    return parse_line(raw)


async def _read_answer(parts: Parts, game: GameId) -> Answer:
    """Return the answer that the opener of a game got."""
    (raw,) = await parts.store.read_stream(game, after=StreamVersion(0), limit=1)
    line, head = parse_line(raw), line_hash(raw)
    written = Written(first_version=line.version, last_version=line.version, head=head, at=line.at)
    return Answer(game=game, receipt=parts.sign_receipt(game, written), **asdict(written))


def _check_former(former: Game, caller: Caller) -> None:
    if find_seat(former, caller) is None:
        raise NotYourSeat(expected=f"a player of {former.id}", found="another caller")
    if not is_over(former):
        raise GameGoesOn(expected="a game that is over", found=f"one that is {former.status}")
    if former.opened.table is not UNSET:
        raise UnfitTerms(expected="a game of no tournament", found="a table of one, which is drawn again there")


def _rotate(former: Game) -> tuple[Offer | None, ...]:
    """Return an offer for each seat, to the player of the one after it; a closed seat is none any more."""
    offers = [_offer_to(former, place) for place in _list_places(former)]
    return (*offers[1:], offers[0])


def _list_places(former: Game) -> list[Seat]:
    return [Seat(place) for place, each in enumerate(former.seats) if not isinstance(each, Closed)]


def _offer_to(former: Game, seat: Seat) -> Offer | None:
    """Return the offer to the player of a seat. A game that never began gives a seat that was not ready to others."""
    held, offer = former.seats[seat], former.offers[seat]
    if isinstance(offer, HouseOffer) or not (isinstance(held, Held) and held.is_ready):
        return offer
    return PlayerOffer(player=held.player)
