"""What organisers may do to a game: rule on it, or end it. Every ruling is an event, with its reason, for ever."""

from typing import assert_never

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody

from domain.game.commands import AbortGame, ExtendClock, RemoveSeat
from services.api.bodies import AbortBody, BodyReader, ExtendBody, RemoveBody, RulingBody
from services.api.commanding import build_envelope
from services.api.documented import answers, takes
from services.api.examples import ABORT_EXAMPLE, ANSWER_EXAMPLE, EXTEND_EXAMPLE, REMOVE_EXAMPLE
from services.api.parts import Parts
from services.commands.arena import Answer
from services.reading.access import Caller

_RULING = BodyReader[RulingBody](RulingBody)
_ABORT = BodyReader[AbortBody](AbortBody)
_ANSWERS = answers(Answer, ANSWER_EXAMPLE)


@post(
    "/v1/games/{game:str}/rulings",
    operation_id="rule",
    summary="Rule on a game",
    description="By an organiser whom the game named when it was opened. The reason stays in the log for ever.",
    tags=["rulings"],
    status_code=200,
    operation_class=takes(RulingBody, EXTEND_EXAMPLE, REMOVE_EXAMPLE),
    responses=_ANSWERS,
)
async def rule(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _RULING.read(body)
    envelope = await build_envelope(asked, game, caller, parts)
    match asked:
        case ExtendBody(seats=seats, ms=ms, reason=reason):
            return await parts.carry_out(ExtendClock(seats=seats, ms=ms, reason=reason, **envelope))
        case RemoveBody(seat=seat, reason=reason):
            return await parts.carry_out(RemoveSeat(seat=seat, reason=reason, **envelope))
        case _:
            assert_never(asked)


@post(
    "/v1/games/{game:str}/abort",
    operation_id="abort_game",
    summary="Abort a game",
    description="By its organiser or the operator. The game has no result, and its secret is disclosed all the same.",
    tags=["rulings"],
    status_code=200,
    operation_class=takes(AbortBody, ABORT_EXAMPLE),
    responses=_ANSWERS,
)
async def abort_game(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _ABORT.read(body)
    envelope = await build_envelope(asked, game, caller, parts)
    return await parts.carry_out(AbortGame(reason=asked.reason, **envelope))
