"""Every input of the API by every actor that may not send it: refused with the same bytes, whatever the game holds.

The inputs are those of the API's routes, over HTTP and over sockets; the games differ in hands, phase and clock.
"""

from collections import defaultdict

import pytest

from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from tests.services.api.worlds import (
    ACTORS,
    BODIES,
    DELAY_S,
    FRESH,
    OFFICES,
    OTHER,
    OUTSIDE_OF_PRIVATE,
    STAGES,
    USED,
    ask,
    build_empty_world,
    build_world,
    list_bodies,
    list_post_routes,
    list_values,
)

KINDS = {"public": ("public", 0), "delayed": ("public", DELAY_S), "private": ("private", DELAY_S)}
NO_GAME = "there is no such game"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
async def test_a_refusal_follows_from_the_actor_and_its_words_alone(kit: Kit, kind: str) -> None:
    visibility, delay_s = KINDS[kind]
    worlds = {stage: await build_world(kit, stage, visibility=visibility, delay_s=delay_s) for stage in STAGES}
    values, nowhere = await list_values(worlds), {NO_GAME: build_empty_world(kit)}
    differing, compared = {}, 0

    for do, route in list_post_routes().items():
        for who, caller in ACTORS.items():
            is_kept_out = visibility == "private" and who in OUTSIDE_OF_PRIVATE
            for body in (
                () if do in OFFICES.get(who, ()) else list_bodies(BODIES[do], values, FRESH if do == "seats" else USED)
            ):
                answers = defaultdict(list)
                for stage, world in (worlds | nowhere if is_kept_out else worlds).items():
                    answers[await ask(world, do, body, caller, route)].append(stage)
                    compared += 1
                if len(answers) > 1 or any(answer.startswith("accepted") for answer in answers):
                    differing[do, who, body] = dict(answers)

    print(f"{compared} answers compared in a {kind} game of {kit.name}, {len(differing)} differ")  # noqa: T201  the number is asked for with -s
    assert differing == {}


def test_every_operation_on_a_game_has_its_bodies() -> None:
    asked = set(list_post_routes())

    assert asked == set(BODIES)


async def test_a_private_game_is_there_for_an_operator_in_the_abort_that_ends_it() -> None:
    world = await build_world(KITS[0], "it has begun", visibility="private", delay_s=0)
    route, operator = list_post_routes()["abort"], ACTORS["an operator"]
    body, other = (b'{"command":"%s","reason":"none"}' % command.encode() for command in (FRESH, OTHER))

    first = await ask(world, "abort", body, operator, route)

    assert first.startswith("accepted")
    assert await ask(world, "abort", body, operator, route) == first
    nowhere = await ask(build_empty_world(KITS[0]), "abort", other, operator, route)
    assert await ask(world, "abort", other, operator, route) == nowhere
