"""Previews of actions: their effect as far as it is certain. No chance is used, nothing is stored."""

from typing import Any

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody
from msgspec import Struct

from domain.game.actions import parse_action, read_action
from domain.game.answering import check_action
from domain.game.evolve import settle
from domain.game.rejections import DecisionNotOwed, NotYourSeat
from domain.game.state import find_owed
from services.api.http.authentication import require_player
from services.api.http.bodies import BodyReader, PreviewBody
from services.api.http.documented import answers, takes
from services.api.http.examples import PREVIEW_EXAMPLE, PREVIEWED_EXAMPLE
from services.api.http.parts import Parts
from services.api.http.versions import read_game_id
from services.reading.access import Caller, find_seat, find_visible_version

_PREVIEW = BodyReader[PreviewBody](PreviewBody)


class Previewed(Struct, frozen=True, kw_only=True):
    """`effect` is the ruleset's; `version` is where the game stood."""

    version: int
    effect: Any


@post(
    "/v1/games/{game:str}/previews",
    operation_id="preview_action",
    summary="Preview an action",
    description="By the seat that owes the decision. An action the rules do not allow is refused with their reason.",
    tags=["actions"],
    status_code=200,
    operation_class=takes(PreviewBody, PREVIEW_EXAMPLE),
    responses=answers(Previewed, PREVIEWED_EXAMPLE, said="The effect"),
)
async def preview_action(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Previewed]:
    shown = await preview_of(game, body, caller, parts)
    return Response(shown, headers={"cache-control": "no-store"})


async def preview_of(game: str, body: bytes, caller: Caller, parts: Parts) -> Previewed:
    """Return the effect of an action on the board as it stands."""
    asked = _PREVIEW.read(body)
    player = require_player(caller)
    newest, _ = await find_visible_version(parts.games.histories, read_game_id(game), caller, now_ms=parts.now_ms())
    if find_seat(newest, caller) != asked.seat:
        raise NotYourSeat(expected=f"the player of seat {asked.seat}", found=f"player:{player}")
    known = settle(await parts.games.histories.read_newest(newest.id, "secret"))
    owed = find_owed(known, asked.seat, asked.decision)
    if owed is None:
        raise DecisionNotOwed(expected=f"a decision that seat {asked.seat} owes", found=asked.decision)
    action = parse_action(bytes(asked.action))
    check_action(known, owed, action)
    effect = known.ruleset.preview(known.board, owed.decision, read_action(known.ruleset, action))
    return Previewed(version=known.version, effect=msgspec.to_builtins(effect))
