"""Reading a game: at any version, many boards at once, the log byte for byte, and never twice the same bytes."""

import asyncio
import hashlib
import json
from typing import Any

import msgspec
import pytest

from domain.log.record import GENESIS
from services.api.games.games import BOARDS_MAX
from services.reading.shown import GameShown
from services.reading.waiting import AHEAD_MAX, WAIT_S_MAX
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api
from tests.services.api.test_commands import build_strike, strike
from tests.services.api.test_problems import problem_of

NDJSON = {"accept": "application/x-ndjson"}


async def test_a_game_is_shown_as_it_stood_after_each_of_its_events(api: Api) -> None:
    ada, _bob = await seat_two(api)

    shown = [await expect(ada.get(at=version), 200) for version in range(1, 6)]

    assert [item["version"] for item in shown] == [1, 2, 3, 4, 5]
    assert [item["status"] for item in shown] == ["open", "open", "open", "open", "open"]
    assert [sum(seat["status"] == "held" for seat in item["seats"]) for item in shown] == [0, 1, 2, 2, 2]
    assert [item["board"] for item in shown] == [None] * 5


async def test_boards_in_the_middle_of_a_play_are_shown_and_ask_nobody(api: Api) -> None:
    striker = await strike(api)
    body = {**await build_strike(striker), "action": {"kind": "strike", "target": 1 - striker.seat}}
    answer = await expect(striker.command("actions", seat=striker.seat, **body), 200)
    first, last = answer["first_version"], answer["last_version"]

    boards = await expect(striker.get("/boards", **{"from": first, "to": last}), 200)
    one_by_one = [await expect(striker.get(at=version), 200) for version in range(first, last + 1)]

    assert last > first + 1
    assert boards == {"items": one_by_one, "next": None}
    assert [item["is_complete"] for item in one_by_one] == [False] * (last - first) + [True]
    assert [bool(item["owed"]) for item in one_by_one] == [False] * (last - first) + [True]
    assert one_by_one[-1]["owed"][0]["decision"].endswith("/shield/0")


async def test_what_was_shown_once_stays_as_it_was(api: Api) -> None:
    ada, bob = await seat_two(api)
    then = await ada.get()
    await expect(bob.resign(), 200)

    again = await ada.get(at=then.json()["version"])

    assert again.content == then.content
    assert again.headers["etag"] == then.headers["etag"]


async def test_boards_come_in_pages_that_meet(api: Api) -> None:
    ada, _bob = await seat_two(api, options={"omens": 150})
    newest = (await expect(ada.get(), 200))["version"]

    pages, start = [], 1
    while start:
        page = await expect(ada.get("/boards", **{"from": start, "to": newest + 5}), 200)
        pages.append(page["items"])
        start = page["next"]

    assert [len(page) for page in pages[:-1]] == [BOARDS_MAX] * (len(pages) - 1)
    assert [item["version"] for page in pages for item in page] == list(range(1, newest + 1))


@pytest.mark.parametrize("params", [{"at": 99}, {"at": 10**18}])
async def test_a_version_that_is_not_there_is_told_with_those_that_are(api: Api, params: dict[str, Any]) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)

    response = await ada.get(**params)

    assert problem_of(response) == (404, "no-such-version")
    assert response.json()["expected"] == "a version from 1 to 1"


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("", {"at": 0}),
        ("", {"at": "x"}),
        ("", {"min_version": -1}),
        ("/events", {"after": -1}),
        ("/events", {"after": 2**31}),
        ("/events", {"limit": 0}),
        ("/events", {"limit": 1001}),
        ("/boards", {"from": 0}),
    ],
)
async def test_a_parameter_out_of_bounds_is_a_problem(api: Api, path: str, params: dict[str, Any]) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)

    response = await ada.get(path, **params)

    assert problem_of(response) == (400, "invalid-input")
    assert response.json()["errors"]


async def test_the_log_is_given_byte_for_byte_and_chained(api: Api) -> None:
    ada, _bob = await seat_two(api)
    stored = (await api.parts.store.load_stream(GAME)).lines

    response = await ada.get("/events", headers=NDJSON)

    lines = response.content.splitlines()
    heads = [GENESIS, *(hashlib.sha256(line).hexdigest() for line in lines)]
    assert response.headers["content-type"] == "application/x-ndjson"
    assert tuple(lines) == stored
    assert [json.loads(line)["prev"] for line in lines] == heads[:-1]


async def test_the_log_comes_in_pages_that_meet_in_both_forms(api: Api) -> None:
    ada, _bob = await seat_two(api)
    stored = (await api.parts.store.load_stream(GAME)).lines

    versions: list[int] = []
    raw = b""
    after: int | None = 0
    while after is not None:
        page = await expect(ada.get("/events", after=after, limit=3), 200)
        lines = await ada.get("/events", after=after, limit=3, headers=NDJSON)
        versions += [item["version"] for item in page["items"]]
        raw += lines.content
        assert ("link" in lines.headers) == (page["next"] is not None)
        after = page["next"]

    assert versions == list(range(1, len(stored) + 1))
    assert tuple(raw.splitlines()) == stored


async def test_after_the_last_event_there_is_an_empty_page(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)

    pages = [await expect(ada.get("/events", after=after), 200) for after in (1, 2, 2**31 - 1)]

    assert pages == [{"items": [], "next": None}] * 3


@pytest.mark.parametrize("path", ["", "/boards", "/events"])
async def test_what_a_reader_has_is_not_sent_again(api: Api, path: str) -> None:
    ada, bob = await seat_two(api)
    first = await ada.get(path)
    tag = first.headers["etag"]

    same = [await ada.get(path, headers={"if-none-match": given}) for given in (tag, f'"x", W/{tag}', "*")]
    await expect(bob.resign(), 200)
    changed = await ada.get(path, headers={"if-none-match": tag})

    assert [(response.status_code, response.content, response.headers["etag"]) for response in same] == [
        (304, b"", tag)
    ] * 3
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag


async def test_a_tag_is_of_its_viewer(api: Api) -> None:
    ada, bob = await seat_two(api)
    nobody = Player(api, None)

    tags = {(await player.get()).headers["etag"] for player in (ada, bob, nobody)}

    assert len(tags) == 3


async def test_what_a_token_changes_is_private_and_varies_by_it(api: Api) -> None:
    ada, _bob = await seat_two(api)

    own, public = await ada.get(), await Player(api, None).get()

    assert own.headers["cache-control"] == "private, no-cache"
    assert public.headers["cache-control"] == "public, no-cache"
    assert {own.headers["vary"], public.headers["vary"]} == {"accept, accept-encoding, authorization, origin"}


async def test_a_reader_waits_for_a_version_that_comes(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)

    waiting = asyncio.ensure_future(ada.get(min_version=2))
    await expect(ada.take(0), 200)

    assert (await expect(waiting, 200))["version"] == 2


async def test_whoever_waits_is_let_go_when_the_server_stops(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)
    api.parts.stopping.set()

    async with asyncio.timeout(WAIT_S_MAX / 2):
        response = await ada.get(min_version=2)

    assert problem_of(response) == (404, "no-such-version")


async def test_nobody_waits_for_a_version_that_cannot_come_soon(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)

    response = await ada.get(min_version=2 + AHEAD_MAX)

    assert problem_of(response) == (404, "no-such-version")


async def test_a_delayed_game_is_shown_to_spectators_later_and_to_seats_now(api: Api) -> None:
    ada = await register(api, "Ada")
    nobody = Player(api, None)
    await expect(ada.open(delay_s=60), 201)
    api.clock.now_ms += 30_000
    await expect(ada.take(0), 200)

    hidden = await nobody.get()
    api.clock.now_ms += 30_000
    seen = [(await expect(player.get(), 200))["version"] for player in (nobody, ada)]
    lines = await expect(nobody.get("/events"), 200)
    beyond = await nobody.get(at=2)

    assert problem_of(hidden) == (404, "no-such-game")
    assert seen == [1, 2]
    assert ([item["version"] for item in lines["items"]], lines["next"]) == ([1], None)
    assert problem_of(beyond) == (404, "no-such-version")


async def test_every_answer_fits_its_description(api: Api) -> None:
    ada, _bob = await seat_two(api, clock={"per_decision_ms": 1000, "bank_ms": 0})

    shown = msgspec.json.decode((await ada.get()).content, type=GameShown)

    assert shown.your_seat == 0
    assert [(owed.decision, owed.is_waited_for) for owed in shown.owed] == [("r1/bid/0", True), ("r1/bid/1", True)]
    assert shown.owed[0].since == "2026-11-18T12:00:00.000Z"
    assert shown.owed[0].deadline == "2026-11-18T12:00:01.000Z"


async def test_a_preview_says_what_is_certain_and_changes_nothing(api: Api) -> None:
    striker = await strike(api)
    asked = {**await build_strike(striker), "seat": striker.seat}
    del asked["nonce"]
    before = await expect(striker.get(), 200)

    told = await expect(striker.post(f"/games/{GAME}/previews", asked), 200)
    illegal = await striker.post(f"/games/{GAME}/previews", {**asked, "action": {"kind": "strike", "target": 9}})
    elsewhere = await striker.post(f"/games/{GAME}/previews", {**asked, "decision": "r9/left/0"})
    other = await striker.post(f"/games/{GAME}/previews", {**asked, "seat": 1 - striker.seat})

    assert told == {"version": before["version"], "effect": {"lives_at_risk": 0}}
    assert [problem_of(response) for response in (illegal, elsewhere, other)] == [
        (422, "illegal-action"),
        (409, "decision-not-owed"),
        (403, "not-your-seat"),
    ]
    assert await expect(striker.get(), 200) == before


async def test_the_rulesets_are_packed_for_a_reader_who_asks_for_that(api: Api) -> None:
    asked = [api.client.get("/v1/rulesets", headers={"accept-encoding": coding}) for coding in ("identity", "gzip")]

    plain, packed = [await coroutine for coroutine in asked]

    assert packed.content == plain.content
    assert packed.headers["etag"] == plain.headers["etag"]
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


async def test_the_rulesets_are_listed_with_what_they_take(api: Api) -> None:
    listed = await expect(api.client.get("/v1/rulesets"), 200)

    (torches,) = listed["items"]
    assert (torches["ruleset"], torches["seats_min"], torches["seats_max"]) == ("torches@1", 2, 4)
    assert "Options" in torches["options"]["$defs"]
    assert {"Bid", "Shield", "Strike"} <= set(torches["actions"]["$defs"])
