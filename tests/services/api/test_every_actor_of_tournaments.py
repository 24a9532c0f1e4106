"""Every input of a tournament by every actor that may not send it: refused with the same bytes at every stage."""

from collections import defaultdict
from hashlib import sha256
from typing import Any, get_args

import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler

from domain.ids import CommandId, OrganiserId, PlayerId
from domain.log.actors import Actor, ByPlayer
from domain.tournament import events
from domain.tournament.commands import TournamentCommand
from domain.tournament.events import TAGS
from domain.tournament.role_events import HelperJoined, Role
from domain.tournament.roles import ROLES
from domain.tournament.ruling_events import HelperInvited
from services.api.app import ALL_ROUTES
from services.api.http.parts import Parts
from services.api.http.refusals import find_refusal
from services.api.tournaments.tournament_inputs import INPUTS
from services.reading.access import Caller
from tests.domain.tournament.tournament_harness import CUP, HOUR, NOON, ORGANISER, opening, player
from tests.services.api.server import memory_parts
from tests.services.api.worlds import list_bodies

# A helper of each role, with the number of its invitation, and the types of the acts that the role allows.
HELPERS = {role: player(77 + number) for number, role in enumerate(get_args(Role))}
ALLOWED = {
    f"a helper: {role}": {name for name, kind in events.INPUT_TYPES.items() if role in ROLES.get(kind, ())}
    for role in HELPERS
}
# By the inputs of entrants, and of the rest.
OUTSIDERS = {
    "nobody": Caller(),
    "a player who has not entered": Caller(player=PlayerId("0199c0de-0000-7000-8000-00000000ffff")),
    "another entrant": Caller(player=player(1)),
    **{f"a helper: {role}": Caller(player=helper) for role, helper in HELPERS.items()},
    "an organiser of another tournament": Caller(organiser=OrganiserId("0199c0de-0000-7000-8000-0000000000f1")),
    "an operator": Caller(operator=OrganiserId("0199c0de-0000-7000-8000-0000000000f2")),
}
# Any player may enter while entries are open, and join by the link of a helper.
OF_ANY = {"entries", "helpers"}
OFFICES = {
    "a player who has not entered": OF_ANY,
    "another entrant": OF_ANY,
    **{
        who: OF_ANY
        | {do for do, input_ in INPUTS.items() if len(input_.kinds) == 1 and TAGS[input_.kinds[0]] in allowed}
        for who, allowed in ALLOWED.items()
    },
    "an operator": {"abort"},
}
BODIES = {
    **{do: get_args(input_.body) or (input_.body,) for do, input_ in INPUTS.items()},
    "previews": get_args(INPUTS["rulings"].body),
}
VALUES: dict[str, tuple[Any, ...]] = {
    "entrant": (0,),
    "round": (1,),
    "table": (1,),
    "attempt": (1,),
    "ranking": ([{"seat": 0, "place": 1}, {"seat": 1, "place": 2}],),
    "entrants": ([0], [0, 1]),
    "points": (1,),
    "link": ("5e" * 32,),
    "game": ("again",),
    "wish": ("apart",),
    "tables": ([{"table": 1, "attempt": 1, "entrants": [0, 1]}],),
    "minutes": (5,),
    "role": ("desk",),
    "helper": (0,),
    "line": (2,),
    "text": ("none",),
    "invitation": ("5e" * 32,),
    "anchor": (None,),
    "links": (0,),
    "key": (None,),
    "reason": ("none",),
}
STAGES = ("entered", "closed", "called", "aborted")


async def build_cup(stage: str) -> Parts:
    parts, number = memory_parts(now_ms=NOON + HOUR), 0

    async def put(event: Any, actor: Actor, invitation: str | None = None) -> None:
        nonlocal number
        number += 1
        id_ = CommandId(f"0199c0de-0000-7000-9000-{number:012x}")
        await parts.tournaments.write_path.handle(
            TournamentCommand(id=id_, stream=CUP, at_ms=NOON + number, actor=actor, event=event, invitation=invitation)
        )

    await parts.tournaments.write_path.handle(opening())
    for entrant in range(3):
        entered = events.EntrantEntered(entrant=entrant, player=player(entrant), anchor=None, links=0, key=None)
        await put(entered, ByPlayer(player=player(entrant)))
    for place, (role, helper) in enumerate(HELPERS.items()):
        secret = f"{place:064x}"
        link = sha256(bytes.fromhex(secret)).hexdigest()
        await put(HelperInvited(role=role, link=link, reason="none"), ORGANISER)
        joined = HelperJoined(helper=place, player=helper, key=None)
        await put(joined, ByPlayer(player=helper), invitation=secret)
    if stage in ("closed", "called"):
        await put(events.EntriesClosed(), ORGANISER)
    if stage == "called":
        await put(events.RoundCalled(round=1), ORGANISER)
    if stage == "aborted":
        await put(events.TournamentAborted(reason="none"), ORGANISER)
    return parts


def list_routes() -> dict[str, HTTPRouteHandler]:
    routes = [route for route in ALL_ROUTES if isinstance(route, HTTPRouteHandler) and "POST" in route.http_methods]
    return {path.rpartition("/")[2]: route for route in routes for path in route.paths if "/{tournament:" in path}


def list_refused(who: str, do: str) -> list[bytes]:
    """List the bodies that an actor may not send."""
    bodies = [] if do in OFFICES.get(who, ()) else list_bodies(BODIES[do], VALUES)
    return [body for body in bodies if msgspec.json.decode(body).get("ruling") not in ALLOWED.get(who, ())]


async def test_a_refusal_of_a_tournament_follows_from_the_actor_and_its_words_alone() -> None:
    cups = {stage: await build_cup(stage) for stage in STAGES}
    differing, compared = {}, 0

    for do, route in list_routes().items():
        for who, caller in OUTSIDERS.items():
            for body in list_refused(who, do):
                answers = defaultdict(list)
                for stage, parts in cups.items():
                    with pytest.raises(Exception) as refused:  # noqa: PT011  every refusal is compared
                        await route.fn(tournament=CUP, body=body, caller=caller, parts=parts)
                    problem = find_refusal(refused.value)
                    assert problem is not None, refused.value
                    answers[msgspec.json.encode(problem)].append(stage)
                    compared += 1
                if len(answers) > 1:
                    differing[do, who, body] = dict(answers)

    print(f"{compared} answers compared, {len(differing)} differ")  # noqa: T201  the number is asked for with -s
    assert differing == {}


def test_every_operation_on_a_tournament_has_its_bodies() -> None:
    asked = set(list_routes())

    assert asked == set(BODIES)
