"""Answering a decision: played in the open, sealed while others choose, revealed when all have.

An action is canonical JSON, and kept as the bytes that were sent.
"""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody

from domain.game.commands import EntrustAction, PlayAction, RevealAction, SealAction
from services.api.bodies import BodyReader, FieldRefused, PlayBody, RevealBody, SealBody
from services.api.commanding import build_envelope
from services.api.documented import CANONICAL, answers, takes
from services.api.examples import (
    ANSWER_EXAMPLE,
    ENTRUST_EXAMPLE,
    PLAY_EXAMPLE,
    REVEAL_EXAMPLE,
    SEAL_EXAMPLE,
)
from services.api.parts import Parts
from services.commands.arena import Answer
from services.reading.access import Caller

_PLAY = BodyReader[PlayBody](PlayBody)
_SEAL = BodyReader[SealBody](SealBody)
_REVEAL = BodyReader[RevealBody](RevealBody)
_ANSWERS = answers(Answer, ANSWER_EXAMPLE)


@post(
    "/v1/games/{game:str}/actions",
    operation_id="play_action",
    summary="Answer a plain decision",
    description=f"`board.decisions` of the game, read with the seat's own token, has every legal choice. {CANONICAL} "
    "A seat with links brings the next one as `nonce`; with choices that it sealed with the server and that are not "
    "opened, it also hands over `entrusted_link`: the link as many places further on, or its last. No log shows it.",
    tags=["actions"],
    status_code=200,
    operation_class=takes(PlayBody, PLAY_EXAMPLE),
    responses=_ANSWERS,
)
async def play_action(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _PLAY.read(body)
    envelope = await build_envelope(asked, game, caller, parts)
    command = PlayAction(
        seat=asked.seat,
        decision=asked.decision,
        action=bytes(asked.action),
        nonce=asked.nonce,
        entrusted_link=asked.entrusted_link,
        **envelope,
    )
    return await parts.carry_out(command)


@post(
    "/v1/games/{game:str}/seals",
    operation_id="seal_action",
    summary="Answer a sealed decision",
    description="Own custody: send `seal` now, and action and salt to `reveals` later. Server custody: send "
    "`action`, `salt` and, while the seat has links, `nonce`; the server seals and reveals for the seat. What may be "
    f"chosen is in the game's board, read with the seat's own token. {CANONICAL}",
    tags=["actions"],
    status_code=200,
    operation_class=takes(SealBody, SEAL_EXAMPLE, ENTRUST_EXAMPLE),
    responses=_ANSWERS,
)
async def seal_action(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _SEAL.read(body)
    _check_custody(asked)
    envelope = await build_envelope(asked, game, caller, parts)
    if asked.seal is not None:
        sealed = SealAction(seat=asked.seat, decision=asked.decision, seal=asked.seal, **envelope)
        return await parts.carry_out(sealed)
    assert asked.salt is not None, "checked with the custody"
    entrusted = EntrustAction(
        seat=asked.seat,
        decision=asked.decision,
        action=bytes(asked.action),
        salt=asked.salt,
        nonce=asked.nonce,
        **envelope,
    )
    return await parts.carry_out(entrusted)


@post(
    "/v1/games/{game:str}/reveals",
    operation_id="reveal_action",
    summary="Show what was sealed",
    description=f"Once every seal is in. Whoever sealed and does not reveal in time forfeits. {CANONICAL}",
    tags=["actions"],
    status_code=200,
    operation_class=takes(RevealBody, REVEAL_EXAMPLE),
    responses=_ANSWERS,
)
async def reveal_action(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _REVEAL.read(body)
    envelope = await build_envelope(asked, game, caller, parts)
    command = RevealAction(
        seat=asked.seat,
        decision=asked.decision,
        action=bytes(asked.action),
        salt=asked.salt,
        nonce=asked.nonce,
        entrusted_link=asked.entrusted_link,
        **envelope,
    )
    return await parts.carry_out(command)


def _check_custody(asked: SealBody) -> None:
    """Refuse a body that is neither one custody nor the other: a seal sent with its action would hide nothing."""
    has_action = bytes(asked.action) != b""
    if asked.seal is not None and (has_action or asked.salt is not None or asked.nonce is not None):
        raise FieldRefused(place="$.seal", message="Expected `seal` alone, or `action` and `salt` without it, got both")
    if asked.seal is None and not (has_action and asked.salt is not None):
        raise FieldRefused(place="$", message="Expected `seal`, or both `action` and `salt`, got neither")
