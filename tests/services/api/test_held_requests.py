"""Requests that wait for a version."""

from typing import Any

import pytest
from litestar.exceptions import NotAuthorizedException
from msgspec.structs import replace

from domain.rulesets.released import KITS
from services.api.http.known_tokens import KnownTokens
from services.api.http.versions import look
from services.reading.access import Caller
from tests.domain.game.game_harness import ADA, GAME, NOON
from tests.services.api.worlds import build_world


class RevokedTokens:
    """A database in which one token has ended."""

    async def list_ended(self, _within: object) -> list[str]:
        return ["revoked"]


async def test_a_held_request_ends_with_its_token() -> None:
    world = await build_world(KITS[0], "it has begun", visibility="private", delay_s=0)
    tokens: Any = RevokedTokens()
    known = KnownTokens(tokens, now_ms=lambda: NOON)
    await known.look()
    parts = replace(world.parts, people=replace(world.parts.people, known_tokens=known))
    newest = (await world.read()).version

    with pytest.raises(NotAuthorizedException, match="one that has ended"):
        await look(parts, GAME, Caller(player=ADA, token="revoked"), min_version=newest + 1)
