"""The games of an account in one read, and their one stream: turns, offers, starts and ends, resumed without a gap."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx2
import msgspec
import pytest
from msgspec.structs import replace

from domain.accounts.account import Account
from domain.ids import GameId, PlayerId, StreamId
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from services.api.accounts.account_events import encode_lines, list_happened, stream_own_games
from services.api.accounts.own_games import OwnGame, list_own_games
from services.api.http.examples import ORGANISER, OWN_GAME_EXAMPLE, TOURNAMENT
from services.api.tournaments.tournament_examples import CALL_EXAMPLE, CHECK_IN_EXAMPLE
from spina_client import ids
from spina_client.client import Client, Terms
from spina_client.client import register as register_client
from spina_client.connection import Connection
from spina_client.seat import SeatAt
from spina_client.seat_secrets import SeatSecrets
from tests.database import Database
from tests.domain.rulesets.fake_ruleset_torches import Bid
from tests.services.api.player import GAME, Player, expect, register, seat_two, seat_two_in_private
from tests.services.api.server import TORCHES, Api, running_api
from tests.services.api.test_examples import Story

SECOND = GameId(StreamId("0199c0de-0000-7000-8000-000000000002"))
CLOCK = {"per_decision_ms": 60_000, "bank_ms": 0}


async def read_own(api: Api, player: Player) -> Any:
    await api.project()
    response = await api.client.get("/v1/account/games", headers=player.headers)
    return await expect_body(response)


async def expect_body(response: Any) -> Any:
    assert response.status_code == 200, response.text
    return response.json()


async def read_events(events: AsyncIterator[bytes], api: Api, count: int) -> list[tuple[str, dict[str, Any], int]]:
    """Return the next events of a stream: name, game and id."""
    found: list[tuple[str, dict[str, Any], int]] = []
    async for chunk in events:
        for text in chunk.decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in text.split("\n") if ": " in line)
            if "event" in fields:
                found.append((fields["event"], msgspec.json.decode(fields["data"]), int(fields["id"])))
        if len(found) >= count:
            return found
        await api.project()
    return found


async def test_a_game_is_shown_with_the_turn_the_deadline_and_the_players(api: Api) -> None:
    ada, bob = await seat_two(api, clock=CLOCK)

    (mine,) = (await read_own(api, ada))["items"]

    assert (mine["game"], mine["status"], mine["seat"], mine["is_offered"]) == (GAME, "running", 0, False)
    assert (mine["is_your_turn"], mine["owes"], mine["deadline"]) == (True, ["r1/bid/0"], "2026-11-18T12:01:00.000Z")
    assert mine["waits_for"] == [0, 1]
    assert [(player["name"], player["player"], player["house"]) for player in mine["players"]] == [
        ("Ada", ada.id, None),
        ("Bob", bob.id, None),
    ]


async def test_a_seat_that_sealed_waits_for_the_others(api: Api) -> None:
    ada, _ = await seat_two(api, clock=CLOCK)
    await expect(ada.entrust("r1/bid/0", {"card": 0, "drop": None, "kind": "bid"}), 200)

    (mine,) = (await read_own(api, ada))["items"]

    assert (mine["is_your_turn"], mine["owes"], mine["deadline"], mine["waits_for"]) == (False, [], None, [1])


async def test_a_seat_that_a_house_bot_plays_is_not_asked(database: Database) -> None:
    bots = {"any": lambda *_: Bid(card=0, drop=None)}
    kit = Kit(ruleset=TORCHES.ruleset, build=TORCHES.build, folder=TORCHES.folder, bots=bots)
    async with running_api(database, kits=(kit,)) as api:
        ada, _ = await seat_two(api, clock=CLOCK, stand_in={"bot": "any", "after": 1})
        await api.expire(GAME, 0)

        (mine,) = (await read_own(api, ada))["items"]

    assert (mine["is_handed"], mine["is_your_turn"], mine["owes"]) == (True, False, [])
    assert mine["players"][0]["house"] == "any"


async def test_a_game_that_is_paused_waits_for_no_seat(api: Api) -> None:
    ada, bob = await seat_two(api, clock=CLOCK)
    for player in (ada, bob):
        await expect(player.command("consents", seat=player.seat, to="pause"), 200)

    (mine,) = (await read_own(api, ada))["items"]

    assert (mine["is_your_turn"], mine["deadline"], mine["waits_for"]) == (False, None, [])


async def test_an_offered_seat_is_in_a_list_of_its_own_until_it_is_offered_otherwise(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await expect(ada.open(visibility="private", offers=[None, {"kind": "player", "player": bob.id}]), 201)

    offered = await read_own(api, bob)
    await expect(ada.command("offers", seat=1, to=None), 200)
    withdrawn = await read_own(api, bob)

    assert [(offer["game"], offer["seat"], offer["sender"]) for offer in offered["offers"]] == [(GAME, 1, ada.id)]
    assert (offered["items"], withdrawn["items"], withdrawn["offers"]) == ([], [], [])


async def test_an_offer_ends_with_the_seat_that_is_taken_and_with_the_game(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    to_bob = [None, {"kind": "player", "player": bob.id}]
    await expect(ada.open(offers=to_bob), 201)
    await expect(bob.take(1), 200)
    taken = await read_own(api, bob)
    await expect(bob.command("leave", seat=1), 200)
    left = await read_own(api, bob)
    await expect(ada.command("abort", reason="Enough."), 200)
    aborted = await read_own(api, bob)

    assert [len(each["offers"]) for each in (taken, left, aborted)] == [0, 1, 0]


async def test_an_offer_is_in_no_record(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await expect(ada.open(offers=[None, {"kind": "player", "player": bob.id}]), 201)
    await api.project()

    for reader in (ada, bob):
        record = await expect_body(await api.client.get(f"/v1/players/{bob.id}", headers=reader.headers))
        games = await expect_body(await api.client.get(f"/v1/players/{bob.id}/games", headers=reader.headers))
        assert (record["games"], games["items"]) == (0, [])


async def test_games_that_go_on_come_before_the_last_that_ended(api: Api) -> None:
    ada, bob = await seat_two(api)
    await expect(bob.resign(), 200)
    await expect(ada.open(command=SECOND), 201)
    ada.game = SECOND
    await expect(ada.take(), 200)

    items = (await read_own(api, ada))["items"]

    assert [(item["game"], item["status"]) for item in items] == [(SECOND, "open"), (GAME, "finished")]
    assert items[1]["place"] == 1


async def test_own_games_are_for_players_with_a_token(api: Api) -> None:
    token = await api.create_account(Account(id="0199c0de-0000-7000-8000-0000000000f0", name="Orga", role="organiser"))

    anyone = await api.client.get("/v1/account/games")
    organiser = await api.client.get("/v1/account/games", headers=Player(api, token).headers)

    assert (anyone.status_code, organiser.status_code) == (401, 403)


async def test_another_s_private_game_is_in_no_list_but_the_players_own(api: Api) -> None:
    ada, bob = await seat_two_in_private(api)
    eve = await register(api, "Eve", number=3)

    assert (await read_own(api, eve))["items"] == []
    assert len((await read_own(api, ada))["items"]) == len((await read_own(api, bob))["items"]) == 1


async def test_the_stream_tells_offers_starts_turns_and_ends(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    async with aclosing(stream_own_games(api.parts, PlayerId(bob.id), after_ms=None, look_s=0.01)) as events:
        assert (await anext(events)).startswith(b"retry")
        await expect(ada.open(offers=[None, {"kind": "player", "player": bob.id}]), 201)
        offered = await read_events(events, api, 1)
        await expect(ada.take(0), 200)
        await expect(bob.take(1), 200)
        await read_events(events, api, 1)
        for player in (ada, bob):
            await expect(player.ready(), 200)
        begun = await read_events(events, api, 2)
        await expect(ada.resign(), 200)
        over = await read_events(events, api, 1)

    assert [(name, game["seat"]) for name, game, _ in offered] == [("seat_offered", 1)]
    assert [name for name, _, _ in begun] == ["game_started", "your_turn"]
    assert [(name, game["status"]) for name, game, _ in over] == [("game_over", "finished")]


async def test_the_stream_tells_rounds_tables_and_rulings_also_as_lines_of_json(database: Database) -> None:
    async with running_api(database, kits=KITS) as api:
        ada, bea = await register(api, "Ada", number=1), await register(api, "Bea", number=2, links=1024)
        orga = Player(api, await api.create_account(Account(id=ORGANISER, name="Orga", role="organiser")))
        story, ruling = Story(api, ada, bea, orga), {"ruling": "points_ruled", "entrant": 0, "round": 1, "points": -1}
        await story.entered()
        await api.project()
        events = stream_own_games(api.parts, PlayerId(ada.id), after_ms=None, encode=encode_lines, look_s=0.01)
        async with aclosing(events):
            assert [await anext(events), await anext(events)] == [b"\n", b"\n"]
            await expect(orga.post(f"/tournaments/{TOURNAMENT}/rounds", CALL_EXAMPLE), 200)
            called = msgspec.json.decode(await anext(events))
            await expect(ada.post(f"/tournaments/{TOURNAMENT}/check-ins", CHECK_IN_EXAMPLE), 200)
            other = {"command": bea.next_id(), "entrant": 1, "round": 1, "nonce": bea.links[1]}
            await expect(bea.post(f"/tournaments/{TOURNAMENT}/check-ins", other), 200)
            drawn = msgspec.json.decode(await anext(events))
            order = {"command": bea.next_id(), **ruling, "reason": "Late."}
            await expect(orga.post(f"/tournaments/{TOURNAMENT}/rulings", order), 200)
            ruled = msgspec.json.decode(await anext(events))

    assert [each["event"] for each in (called, drawn, ruled)] == ["round_called", "table_drawn", "ruling"]
    assert {each["data"]["data"]["tournament"] for each in (called, drawn, ruled)} == {TOURNAMENT}
    assert drawn["data"]["data"]["table"] == 1


async def test_a_reader_that_returns_with_its_last_id_is_told_what_changed_meanwhile(api: Api) -> None:
    ada, bob = await seat_two(api)
    after = (await read_own(api, bob))["after"]
    api.clock.now_ms += 60_000
    await expect(ada.resign(), 200)
    await api.project()

    async with aclosing(stream_own_games(api.parts, PlayerId(bob.id), after_ms=after, look_s=0.01)) as events:
        (told,) = await read_events(events, api, 1)
    async with aclosing(stream_own_games(api.parts, PlayerId(bob.id), after_ms=told[2] + 6_000, look_s=0.01)) as events:
        await anext(events)
        beat = [await anext(events) for _ in range(2)]

    assert told[0] == "game_over"
    assert beat == [b"retry: 2000\n\n"] * 2


@pytest.mark.parametrize(
    ("before", "changes", "expected"),
    [
        ({}, {"version": 9}, []),
        ({}, {"waits_for": (1,)}, ["game_changed"]),
        ({"owes": ()}, {"owes": ("t1",)}, ["your_turn"]),
        ({"owes": ("t1",)}, {"owes": ("t2",)}, ["your_turn"]),
        ({"status": "open"}, {"status": "running", "owes": ()}, ["game_started"]),
        ({}, {"status": "aborted"}, ["game_over"]),
        ({"status": "aborted"}, {"status": "aborted", "version": 9}, []),
        ({"is_offered": True}, {"is_offered": False}, ["game_changed"]),
    ],
)
async def test_what_happened_follows_from_two_looks(
    api: Api, before: dict[str, Any], changes: dict[str, Any], expected: list[str]
) -> None:
    ada, _ = await seat_two(api)
    await api.project()
    (game,) = await list_own_games(api.parts, PlayerId(ada.id), {})
    first = replace(game, **before)

    assert list_happened(first, replace(first, **changes)) == expected


def test_the_first_look_at_a_game_tells_all_that_is_true() -> None:
    game = msgspec.convert(OWN_GAME_EXAMPLE, OwnGame)

    assert list_happened(None, game) == ["game_started", "your_turn"]


async def test_the_stream_is_followed_over_http_with_a_token_or_a_ticket(server: Connection) -> None:
    ada = await register_client(server, "Ada")
    token = {"authorization": f"Bearer {ada.token}"}
    async with httpx2.AsyncClient(base_url=server.url) as http:
        refused = await http.get("/v1/account/events")
        ticket = (await http.post("/v1/tickets", headers=token)).json()["ticket"]
        opened = (await Client(server, ada).open_game(Terms(ruleset="chariot-race@1", seats=2))).game
        await SeatAt(Client(server, ada), opened, ids.Seat(0), SeatSecrets()).take()

        for asked in ({"headers": token}, {"params": {"ticket": ticket}}):
            async with http.stream("GET", "/v1/account/events", **asked) as answer:
                lines = answer.aiter_lines()
                first = await anext(lines)

            assert (answer.status_code, first) == (200, "retry: 2000")
            assert answer.headers["content-type"].startswith("text/event-stream")
    assert refused.status_code == 401
