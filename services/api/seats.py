"""Sitting down at a game, getting ready, and leaving it."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody

from domain.game.commands import LeaveSeat, ReadySeat, Resign, TakeSeat
from services.api.authentication import require_player
from services.api.bodies import BodyReader, ReadyBody, SeatBody, TakeBody
from services.api.commanding import build_envelope
from services.api.documented import answers, takes
from services.api.examples import ANSWER_EXAMPLE, LEAVE_EXAMPLE, READY_EXAMPLE, RESIGN_EXAMPLE, TAKE_EXAMPLE
from services.api.parts import Parts
from services.commands.arena import Answer
from services.reading.access import Caller

_TAKE = BodyReader[TakeBody](TakeBody)
_READY = BodyReader[ReadyBody](ReadyBody)
_SEAT = BodyReader[SeatBody](SeatBody)
_ANSWERS = answers(Answer, ANSWER_EXAMPLE)


@post(
    "/v1/games/{game:str}/seats",
    operation_id="take_seat",
    summary="Take a seat",
    description="With `anchor` and `links` the seat contributes to chance; with `key` all it does must be signed.",
    tags=["seats"],
    status_code=200,
    operation_class=takes(TakeBody, TAKE_EXAMPLE),
    responses=_ANSWERS,
)
async def take_seat(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _TAKE.read(body)
    require_player(caller)
    envelope = await build_envelope(asked, game, caller, parts, invitation=asked.invitation)
    command = TakeSeat(seat=asked.seat, anchor=asked.anchor, links=asked.links, key=asked.key, **envelope)
    return await parts.carry_out(command)


@post(
    "/v1/games/{game:str}/ready",
    operation_id="ready_seat",
    summary="Be ready",
    description="A promise to play. The game starts with the last seat that is ready, in the same moment.",
    tags=["seats"],
    status_code=200,
    operation_class=takes(ReadyBody, READY_EXAMPLE),
    responses=_ANSWERS,
)
async def ready_seat(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _READY.read(body)
    envelope = await build_envelope(asked, game, caller, parts)
    return await parts.carry_out(ReadySeat(seat=asked.seat, nonce=asked.nonce, **envelope))


@post(
    "/v1/games/{game:str}/leave",
    operation_id="leave_seat",
    summary="Leave before being ready",
    description="The seat is vacant again. Whoever is ready, or plays, resigns instead.",
    tags=["seats"],
    status_code=200,
    operation_class=takes(SeatBody, LEAVE_EXAMPLE),
    responses=_ANSWERS,
)
async def leave_seat(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _SEAT.read(body)
    envelope = await build_envelope(asked, game, caller, parts)
    return await parts.carry_out(LeaveSeat(seat=asked.seat, **envelope))


@post(
    "/v1/games/{game:str}/resign",
    operation_id="resign",
    summary="Resign",
    description="The seat is out of the game; the others play on.",
    tags=["seats"],
    status_code=200,
    operation_class=takes(SeatBody, RESIGN_EXAMPLE),
    responses=_ANSWERS,
)
async def resign(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _SEAT.read(body)
    envelope = await build_envelope(asked, game, caller, parts)
    return await parts.carry_out(Resign(seat=asked.seat, **envelope))
