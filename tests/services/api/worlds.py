"""Games that differ in all that outsiders may not see, in memory, and the questions that every actor asks of them."""

from collections.abc import Mapping
from contextlib import suppress
from inspect import signature
from itertools import product
from typing import Any, get_args

import msgspec
from litestar import Request
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from domain.canonical import encode
from domain.chance import Secret
from domain.game import events
from domain.game.clock import list_running
from domain.game.commands import GameCommand
from domain.game.custody import seal_opening
from domain.game.evolve import settle
from domain.game.state import Game, Opening, held_seat
from domain.ids import CommandId, OrganiserId, PlayerId, Seat
from domain.log.actors import Actor, ByClock, ByPlayer
from domain.log.entry import as_stored
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.decision import Decision
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset
from services.api.app import ALL_ROUTES
from services.api.games.game_inputs import INPUTS
from services.api.games.rematch import RematchBody
from services.api.games.sockets import Client, answer
from services.api.http.bodies import PreviewBody
from services.api.http.parts import Parts
from services.api.http.refusals import find_refusal
from services.live.messages import ClientIn, Refused
from services.reading.access import Caller
from tests.domain.game.game_harness import ADA, BOB, CEM, DEE, GAME, NOON, ORGA, SALT, opening
from tests.services.api.server import memory_parts

RULES = {kit.reference: load_ruleset(kit) for kit in KITS}
CATALOGUE = Catalogue(RULES.values())
SEATED = (ADA, BOB, CEM)
# Opens the games and sits at none.
OPENER = DEE
NEIGHBOUR = PlayerId("0199c0de-0000-7000-8000-00000000005a")
STRANGER = OrganiserId("0199c0de-0000-7000-8000-0000000000f1")
OPERATOR_ACCOUNT = OrganiserId("0199c0de-0000-7000-8000-0000000000f2")
DELAY_S = 300
CLOCK = events.ClockTerms(per_decision_ms=60_000, bank_ms=0)
SECRETS = (Secret(bytes(range(32))), Secret(bytes(range(1, 33))))

# All who act through the API. The rival asks for the seat of another player.
ACTORS: Mapping[str, Caller] = {
    "nobody": Caller(),
    "a player of another game": Caller(player=NEIGHBOUR),
    "a rival": Caller(player=BOB),
    "the opener": Caller(player=OPENER),
    "an organiser of the game": Caller(organiser=ORGA),
    "an organiser of another game": Caller(organiser=STRANGER),
    "an operator": Caller(operator=OPERATOR_ACCOUNT),
}
# What an actor's office allows, so that an answer may follow from the game.
OFFICES: Mapping[str, frozenset[str]] = {
    "a rival": frozenset({"rematch"}),
    "the opener": frozenset({"offers", "abort"}),
    "an organiser of the game": frozenset({"offers", "rulings", "abort"}),
    "an operator": frozenset({"abort"}),
}
# Those for whom a private game is none.
OUTSIDE_OF_PRIVATE = ("nobody", "a player of another game", "an organiser of another game", "an operator")
BODIES: Mapping[str, tuple[Any, ...]] = {
    **{do: get_args(input_.body) or (input_.body,) for do, input_ in INPUTS.items()},
    "previews": (PreviewBody,),
    "rematch": (RematchBody,),
}


def name_command(number: int) -> CommandId:
    """Return the id of a command by its number in the game: the opening is number 0."""
    return CommandId(f"0199c0de-0000-7000-a000-{number:012d}")


# Of the first command after the start, and so of none where that has not come. A seat is open to all players, so that
# the request for one may state that its id is used.
USED, FRESH, OTHER = name_command(1 + 2 * len(SEATED)), name_command(998), name_command(999)


class World(Struct, frozen=True, kw_only=True):
    """One game as it stands in the memory of one server."""

    parts: Parts
    kit: Kit

    async def read(self) -> Game:
        return settle(await self.parts.games.arena.read_newest(GAME))

    async def put(self, event: Any, actor: Actor, *, entrusted: Opening | None = None, after_ms: int = 0) -> None:
        game = await self.parts.games.arena.recall(GAME)
        at_ms = game.at_ms + 1_000 + after_ms
        id_ = name_command(len(game.commands))
        await self.parts.games.arena.handle(
            GameCommand(id=id_, stream=GAME, at_ms=at_ms, actor=actor, event=event, entrusted=entrusted)
        )


def legal_action(game: Game, decision: Decision) -> bytes:
    return encode(as_stored(game.ruleset.default_action(game.board, decision)))


async def answer_one(world: World, seat: int) -> None:
    """Answer the first decision of a seat, if it owes one."""
    game = await world.read()
    owed = next((due.decision for due in game.owed if due.decision.seat == seat), None)
    if owed is None:
        return
    action, actor = legal_action(game, owed), ByPlayer(player=SEATED[seat])
    if owed.kind == "plain":
        played = events.ActionPlayed(seat=owed.seat, decision=owed.id, action=msgspec.json.decode(action), nonce=None)
        await world.put(played, actor)
        return
    held = Opening(seat=owed.seat, action=action, salt=SALT, link=None)
    await world.put(seal_opening(GAME, owed.id, held), actor, entrusted=held)


async def _sit(world: World) -> None:
    for seat, player in enumerate(SEATED):
        taken = events.SeatTaken(seat=Seat(seat), player=player, anchor=None, links=0, key=None)
        await world.put(taken, ByPlayer(player=player))


async def _start(world: World) -> None:
    await _sit(world)
    for seat, player in enumerate(SEATED):
        await world.put(events.SeatReadied(seat=Seat(seat), nonce=None), ByPlayer(player=player))


async def _move(world: World) -> None:
    await _start(world)
    for seat in (0, 1, 2, 0):
        await answer_one(world, seat)


async def _expire(world: World) -> None:
    """Let a clock run out, so that the house plays for its seat."""
    await _start(world)
    clock = list_running(await world.read())[0]
    game = await world.read()
    expired = events.ClockExpired(seat=clock.seat, decision=clock.decision)
    await world.put(expired, ByClock(), after_ms=clock.deadline_ms - game.at_ms)
    game = await world.read()
    assert any(held_seat(game, Seat(seat)).is_handed for seat in range(len(SEATED)))


async def _resign(world: World) -> None:
    await _start(world)
    await world.put(events.SeatResigned(seat=Seat(2)), ByPlayer(player=CEM))


async def _pause(world: World) -> None:
    await _start(world)
    for seat, player in enumerate(SEATED):
        await world.put(events.ConsentGiven(seat=Seat(seat), to="pause"), ByPlayer(player=player))


# By what happened, and with which of two secrets.
STAGES: Mapping[str, tuple[Any, Secret]] = {
    "every seat is taken": (_sit, SECRETS[0]),
    "it has begun": (_start, SECRETS[0]),
    "it has begun with other hands": (_start, SECRETS[1]),
    "seats have moved": (_move, SECRETS[1]),
    "a clock ran out": (_expire, SECRETS[0]),
    "a seat has resigned": (_resign, SECRETS[1]),
    "it is paused": (_pause, SECRETS[0]),
}


def build_empty_world(kit: Kit) -> World:
    """Build a server that has no game."""
    parts = memory_parts(now_ms=NOON + 600_000, catalogue=CATALOGUE, kits=KITS)
    return World(parts=parts, kit=kit)


async def build_world(kit: Kit, stage: str, *, visibility: str, delay_s: int) -> World:
    """Build a server with one game at a stage."""
    (happens, secret), world, rules = STAGES[stage], build_empty_world(kit), RULES[kit.reference]
    terms: dict[str, Any] = {
        "ruleset": kit.name,
        "ruleset_version": kit.ruleset.version,
        "components": hash_components(rules),
        "options": as_stored(rules.options_type()),
        "seats": len(SEATED),
        "clock": CLOCK,
        "stand_in": events.StandIn(bot=min(kit.bots), after=1),
    }
    await world.parts.games.arena.handle(
        opening(actor=ByPlayer(player=OPENER), visibility=visibility, delay_s=delay_s, secret=secret, **terms)
    )
    await happens(world)
    return world


def list_post_routes() -> Mapping[str, HTTPRouteHandler]:
    """List the operations that ask for something of one game, by the last part of their path."""
    routes = [route for route in ALL_ROUTES if isinstance(route, HTTPRouteHandler) and "POST" in route.http_methods]
    return {path.rpartition("/")[2]: route for route in routes for path in route.paths if "/{game:" in path}


async def list_values(worlds: Mapping[str, World]) -> Mapping[str, tuple[Any, ...]]:
    """List the values of every field of a body, by its name: the actions and decisions are those of the worlds."""
    decisions, actions = {"t99/none/0"}, {b"{}", b'{"cards":[999999],"discard":null,"kind":"reset"}'}
    for world in worlds.values():
        game = await world.read()
        for owed in game.owed:
            if owed.decision.seat == 0:
                decisions.add(owed.decision.id)
                actions.add(legal_action(game, owed.decision))
    # Each card of a hand by its number: refused with its name where it is looked at.
    actions |= {b'{"cards":[%d],"discard":null,"kind":"reset"}' % card for card in range(4)}
    return {
        "seat": (0,),
        "seats": ((0,),),
        "decision": tuple(sorted(decisions)),
        "action": tuple(msgspec.Raw(action) for action in sorted(actions)),
        "to": ({"kind": "house", "bot": "none"}, None, "end", "pause"),
        "seal": ("0" * 64,),
        "salt": (SALT,),
        "reason": ("none",),
        "ms": (1,),
    }


def list_bodies(types: tuple[Any, ...], values: Mapping[str, tuple[Any, ...]], command: str = USED) -> list[bytes]:
    """List the bodies of these types: the combinations of values for the fields that must be there."""
    bodies: list[bytes] = []
    for type_ in types:
        config, decoder = type_.__struct_config__, msgspec.json.Decoder(type_)
        tag = {} if config.tag is None else {config.tag_field: config.tag}
        needed = [field.name for field in msgspec.structs.fields(type_) if field.required and field.name != "command"]
        head = tag if type_ is PreviewBody else tag | {"command": command}
        of_type = []
        # A new field has values here, or its name stands in a KeyError.
        for combined in product(*(values[name] for name in needed)):
            body = msgspec.json.encode(head | dict(zip(needed, combined, strict=True)))
            with suppress(msgspec.ValidationError):
                decoder.decode(body)
                of_type.append(body)
        assert of_type, f"expected a body of {type_.__name__}, found no values that fit"
        bodies += of_type
    return bodies


async def ask(world: World, do: str, body: bytes, caller: Caller, route: HTTPRouteHandler) -> str:
    """Return the refusal over HTTP; also over a socket, where that takes the input. An accepted command is none."""
    # Some write what they owe into the request.
    takes_request = "request" in signature(route.fn).parameters
    scope: Any = {"type": "http", "state": {}}
    request: dict[str, Any] = {"request": Request(scope)} if takes_request else {}
    try:
        done = await route.fn(game=GAME, body=body, caller=caller, parts=world.parts, **request)
    except Exception as error:
        refused = find_refusal(error)
        if refused is None:
            raise
        told = msgspec.json.encode(refused).decode()
    else:
        return f"accepted: {done}"
    if do in INPUTS or do == "previews":
        # Neither socket nor sender has a part in an answer.
        nothing: Any = None
        client = Client(socket=nothing, sender=nothing, caller=caller, parts=world.parts)
        asked = ClientIn(request=1, do=do, body=msgspec.Raw(body))  # type: ignore[arg-type]  # one of the inputs
        over_socket, _ = await answer(client, asked, GAME)
        assert isinstance(over_socket, Refused)
        assert msgspec.json.encode(over_socket.problem).decode() == told
    return told
