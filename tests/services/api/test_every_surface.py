"""Charioteer's three leak tests over everything that a running server states, metrics and errors included.

The public's answers follow from the log alone, and no line of the log from a hidden value; so no size does either.
"""

import re
from pathlib import Path
from random import Random

import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from domain.accounts.account import Account, Role
from domain.game.evolve import settle
from domain.game.kind import GAMES
from domain.game.state import Game
from domain.log.entry import as_stored
from domain.log.record import parse_line
from domain.log.replay import read_entry
from domain.ruleset.decision import Decision
from domain.ruleset.kit import Kit
from domain.rulesets.charioteer.actions import Reset
from domain.rulesets.charioteer.choices import LegalActions
from domain.rulesets.released import KITS
from infra.keys import MasterKey
from infra.settings import Settings
from services.api.app import ALL_ROUTES
from services.api.http.wrapping import list_operations
from tests.database import Database
from tests.domain.rulesets.charioteer.games import random_action
from tests.domain.rulesets.charioteer.test_leaks import count_face_down
from tests.services.api.player import GAME, SALT, Player, expect, register, seat_two, seat_two_in_private
from tests.services.api.server import Api, running_api
from tests.services.api.surfaces import ABOUT_ONE_GAME, NOT_TOLD, STREAMS, WRONG, Told, all_surfaces
from tests.services.ledger.ledger_harness import open_rig

TURNS = 3
HEX = re.compile(rb"[0-9a-f]{64,}")
ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
# These hold hashes of the log in forms of their own, and are named by them: only their lengths can be compared.
HASHED = re.compile(r"proof of \d+|/bundle|/audit")
# These are named by their bytes, in which ids of accounts stand.
NAMED_BY_BYTES = re.compile(r"/chronicle|/v1/account(?:/games)?|/v1/games|/v1/players/.*")


async def read_game(api: Api) -> Game:
    return settle(await api.parts.games.histories.read_newest(GAME, "secret"))


async def move(api: Api, player: Player, random: Random) -> None:
    """Let a player seal any legal move, in the server's custody."""
    game = await read_game(api)
    owed = next(due.decision for due in game.owed if due.decision.seat == player.seat)
    action = random_action(read_legal(game, owed), random)
    await expect(player.entrust(owed.id, msgspec.to_builtins(action)), 200)


async def play_some_turns(api: Api) -> tuple[Player, Player]:
    """Play, and stop where one has sealed and the other still thinks."""
    random = Random(67)  # noqa: S311  the same play in every run
    ada, bob = await seat_two(api, ruleset="charioteer@1")
    for _ in range(TURNS):
        for player in (ada, bob):
            await move(api, player, random)
    await move(api, ada, random)
    return ada, bob


def account_of(role: Role) -> Account:
    """Return an account without a part in any game."""
    number = ("player", "organiser", "operator").index(role)
    return Account(id=f"0199c0de-0000-7000-8000-0000000e000{number}", name=f"Some {role}", role=role)


async def answer_by_default(api: Api, players: tuple[Player, ...]) -> None:
    """Let players answer the first decision that each of them owes."""
    for player in players:
        game = await read_game(api)
        owed = next((due.decision for due in game.owed if due.decision.seat == player.seat), None)
        if owed is not None:
            answer = player.entrust if owed.kind == "sealed" else player.play
            await expect(answer(owed.id, as_stored(game.ruleset.default_action(game.board, owed))), 200)


async def publish(api: Api, database: Database, folder: Path) -> None:
    """Bring all folds and proofs to the end of the log."""
    await api.project()
    async with open_rig(database, folder) as rig:
        await rig.notarise(rig.notary_parts(origin=Settings().origin))


async def test_everything_is_told_alike_by_a_server_that_could_open_no_secret(
    database: Database, tmp_path: Path
) -> None:
    async with running_api(database, kits=KITS) as api, all_surfaces(api) as surfaces:
        ada, bob = await play_some_turns(api)
        await publish(api, database, tmp_path)
        told = await surfaces.tell(Player(api, None), others=(ada, bob))
        counted = surfaces.counted()

    async with (
        running_api(database, kits=KITS, key=MasterKey(bytes(32))) as blind,
        all_surfaces(blind) as surfaces,
    ):
        same = await surfaces.tell(Player(blind, None), others=(ada, bob))

    assert {each.status for name, each in told.items() if name.startswith(("game", "proof", "frame", "/b"))} == {200}
    assert told == same
    assert b'operation="read_bundle",status="200"' in counted.content


async def test_every_read_is_compared_or_left_out_for_a_reason(database: Database, tmp_path: Path) -> None:
    reads = [route for route in ALL_ROUTES if isinstance(route, HTTPRouteHandler) and "GET" in route.http_methods]
    async with running_api(database, kits=KITS) as api, all_surfaces(api) as surfaces:
        ada, bob = await seat_two(api, ruleset="charioteer@1")
        await publish(api, database, tmp_path)
        await surfaces.tell(Player(api, None), others=(ada, bob))
        counted = surfaces.counted().content.decode()

    told = {operation for operation in list_operations(reads) if f'operation="{operation}"' in counted}
    assert told.isdisjoint(NOT_TOLD)
    assert told | NOT_TOLD.keys() == list_operations(reads)


async def tell_after_one_seal(api: Api, folder: Path, database: Database, number: int) -> dict[str, dict[str, Told]]:
    """Deal, let Ada seal one of her legal moves, and ask as the public, as her rival, and for the metrics."""
    async with all_surfaces(api) as surfaces:
        ada, bob = await seat_two(api, ruleset="charioteer@1")
        game = await read_game(api)
        owed = next(due.decision for due in game.owed if due.decision.seat == 0)
        await expect(ada.entrust(owed.id, msgspec.to_builtins(list_resets(game, owed)[number])), 200)
        await publish(api, database, folder)
        public = await surfaces.tell(Player(api, None), others=(ada, bob))
        rival = await surfaces.tell(bob, others=(ada, bob))
        return {"public": public, "rival": rival, "metrics": {"metrics": surfaces.counted()}}


def read_legal(game: Game, owed: Decision) -> LegalActions:
    legal = game.ruleset.legal_actions(game.board, owed)
    assert isinstance(legal, LegalActions)
    return legal


def list_resets(game: Game, owed: Decision) -> list[Reset]:
    cards = read_legal(game, owed).reset.cards
    return [Reset(cards=cards[:1], discard=None), Reset(cards=cards[:3], discard=None)]


def without_hashes(told: dict[str, Told]) -> dict[str, tuple[int, str | None, bytes | int]]:
    """Put hashes and ids of accounts out of sight: they differ as they should, and are of one length."""
    return {
        ID.sub(b"ID", name.encode()).decode(): (each.status, None, each.size)
        if HASHED.fullmatch(name)
        else (
            each.status,
            None if NAMED_BY_BYTES.fullmatch(name) else each.tag,
            ID.sub(b"ID", HEX.sub(b"HASH", each.content)),
        )
        for name, each in told.items()
    }


async def test_what_a_rival_has_sealed_changes_nothing_that_others_are_told(
    database: Database, other_database: Database, tmp_path: Path
) -> None:
    told = []
    for number, own in enumerate((database, other_database)):
        async with running_api(own, kits=KITS) as api:
            told.append(await tell_after_one_seal(api, tmp_path / str(number), own, number))

    for who in ("public", "rival", "metrics"):
        first, second = (without_hashes(sentence[who]) for sentence in told)
        assert first.keys() == second.keys()
        assert [name for name in first if first[name] != second[name]] == []


async def test_no_surface_names_a_card_that_was_not_turned_up(database: Database, tmp_path: Path) -> None:
    async with running_api(database, kits=KITS) as api, all_surfaces(api) as surfaces:
        ada, bob = await play_some_turns(api)
        await publish(api, database, tmp_path)
        told = await surfaces.tell(Player(api, None), others=(ada, bob))
        ruleset = (await read_game(api)).ruleset

    lines = told["ndjson"].content.splitlines()
    frames = [each.content for name, each in told.items() if name.startswith("frame ")]
    assert all(line in told["/bundle"].content and line in told["/events"].content for line in lines)
    assert all(line in frame for line, frame in zip(lines, frames, strict=True))
    assert all(SALT.encode() not in name.content or b'"action_revealed"' in name.content for name in told.values())
    outcomes = [read_entry(GAMES, line, ruleset).event for line in lines if parse_line(line).kind == "outcome"]
    assert count_face_down(outcomes) > 0


async def test_what_happens_within_the_delay_changes_no_byte_of_what_those_outside_are_told(
    database: Database, tmp_path: Path
) -> None:
    random = Random(67)  # noqa: S311  the same play in every run
    async with running_api(database, kits=KITS) as api, all_surfaces(api) as surfaces:
        ada, bob = await seat_two(api, ruleset="charioteer@1", delay_s=60)
        await move(api, ada, random)
        api.clock.now_ms += 61_000
        await publish(api, database, tmp_path)
        before = await surfaces.tell(Player(api, None), others=(ada, bob))
        versions = [(await expect(ada.get(), 200))["version"]]

        for player in (bob, ada, bob):
            api.clock.now_ms += 10_000
            await move(api, player, random)
            await publish(api, database, tmp_path)
            versions.append((await expect(ada.get(), 200))["version"])
            assert await surfaces.tell(Player(api, None), others=(ada, bob)) == before

    assert versions == sorted(set(versions))


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
async def test_no_account_outside_sees_by_any_surface_what_happens_within_the_delay(
    database: Database, tmp_path: Path, kit: Kit
) -> None:
    offices: dict[Role, tuple[str, ...]] = {"player": (), "organiser": (), "operator": ("abort",)}
    async with running_api(database, kits=KITS) as api, all_surfaces(api) as surfaces:
        ada, bob = await seat_two(api, ruleset=kit.reference, delay_s=60)
        api.clock.now_ms += 61_000
        await publish(api, database, tmp_path)
        callers = {role: Player(api, await api.create_account(account_of(role)), number=9) for role in offices}
        told = []
        for answered in ((), (ada, bob)):
            await answer_by_default(api, answered)
            await publish(api, database, tmp_path)
            told.append(
                {
                    (role, name): answer
                    for role, caller in callers.items()
                    for name, answer in (await surfaces.tell(caller, others=(ada, bob), office=offices[role])).items()
                }
            )

    before, after = told
    print(f"{len(before)} answers compared for {kit.name}")  # noqa: T201  the number is asked for with -s
    assert {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)} == set()


async def test_a_stranger_is_refused_in_the_same_words_before_and_after_a_delayed_game_has_begun(
    database: Database,
) -> None:
    async with running_api(database, kits=KITS) as api, all_surfaces(api) as surfaces:
        ada, bob, eve = [await register(api, name, number=place) for place, name in enumerate(("Ada", "Bob", "Eve"), 1)]
        await expect(ada.open(ruleset="charioteer@1", delay_s=60), 201)
        await expect(ada.take(0), 200)
        told = [await surfaces.refuse(eve)]
        await expect(bob.take(1), 200)
        told.append(await surfaces.refuse(eve))
        for player in (ada, bob):
            await expect(player.ready(), 200)
            told.append(await surfaces.refuse(eve))

    # Before the seats are taken, a request for one shows that it is free.
    same = [{name: each for name, each in one.items() if name != "seats 0"} for one in told]
    assert same == [same[0]] * 4


@pytest.mark.parametrize("visibility", ["private", "public"])
async def test_a_private_game_is_told_apart_from_none_by_nobody_outside(
    database: Database, tmp_path: Path, visibility: str
) -> None:
    absent = GAME.replace("0199", "0198")
    async with running_api(database) as api, all_surfaces(api) as surfaces:
        ada, _ = await (seat_two_in_private(api) if visibility == "private" else seat_two(api))
        eve = await register(api, "Eve", number=3)
        there = []
        for happens in (ada.get, ada.resign):
            await expect(happens(), 200)
            await publish(api, database, tmp_path)
            there += [await surfaces.try_all(who, GAME) for who in (eve, Player(api, None))]
        nowhere = [await surfaces.try_all(who, absent) for who in (eve, Player(api, None))] * 2

    hidden = [{name: each.replace(GAME.encode(), absent.encode()) for name, each in told.items()} for told in there]
    assert [one == other for one, other in zip(hidden, nowhere, strict=True)] == [visibility == "private"] * 4


def test_every_question_about_one_game_is_tried_from_outside() -> None:
    routes = [route for route in ALL_ROUTES if isinstance(route, HTTPRouteHandler | WebsocketRouteHandler)]

    asked = {re.sub(r":\w+}", "}", path) for route in routes for path in route.paths if "{game" in path}

    tried = {re.sub(r"/1$", "/{version}", path.partition("?")[0]) for path in (*ABOUT_ONE_GAME, *STREAMS)}
    assert asked == tried | {f"/v1/games/{{game}}/{command}" for command in WRONG}
