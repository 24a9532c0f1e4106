"""Commands over HTTP: sent again after a lost answer, in games that not everyone may see, by those who may rule."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain.accounts.account import Account
from domain.derived_ids import derive_command
from domain.ids import GameId
from domain.rulesets.released import KITS
from tests.database import Database
from tests.services.api.player import INVITATION, LINK, SALT, Player, expect, register, seat_two, seat_two_in_private
from tests.services.api.server import Api, running_api
from tests.services.api.test_problems import problem_of

ORGANISER = Account(id="0199c0de-0000-7000-8000-0000000000f0", name="Orga", role="organiser")
OPERATOR = Account(id="0199c0de-0000-7000-8000-0000000000f1", name="Opa", role="operator")
COMMAND = "0199c0de-0000-7000-9999-000000000001"
BID = {"card": 0, "drop": None, "kind": "bid"}
RULING = {"ruling": "clock_extended", "seats": [0], "ms": 60_000, "reason": "the lights went out"}


async def count_lines(player: Player) -> int:
    return int((await expect(player.get(), 200))["version"])


async def open_only(api: Api) -> Player:
    ada = await register(api, "Ada", number=1)
    await expect(ada.open(clock={"per_decision_ms": 60_000, "bank_ms": 0}), 201)
    return ada


async def sit(api: Api) -> Player:
    ada = await open_only(api)
    await expect(ada.take(0), 200)
    return ada


async def start(api: Api, **terms: Any) -> Player:
    return (await seat_two(api, clock={"per_decision_ms": 60_000, "bank_ms": 0}, **terms))[0]


async def seal_both(api: Api) -> Player:
    ada, bob = await seat_two(api)
    for player in (ada, bob):
        decision = f"r1/bid/{player.seat}"
        await expect(player.seal(decision, BID if player is ada else {**BID, "card": 3}), 200)
    return ada


async def strike(api: Api) -> Player:
    ada, bob = await seat_two(api)
    await expect(ada.entrust("r1/bid/0", BID), 200)
    await expect(bob.entrust("r1/bid/1", {**BID, "card": 3}), 200)
    striker = (await expect(ada.get(), 200))["owed"][0]["seat"]
    return (ada, bob)[striker]


async def build_strike(player: Player) -> dict[str, Any]:
    owed = (await expect(player.get(), 200))["owed"][0]
    return {"decision": owed["decision"], "action": {"kind": "strike", "target": None}, "nonce": None}


def fixed(**fields: Any) -> Callable[[Player], Awaitable[dict[str, Any]]]:
    async def build(_player: Player) -> dict[str, Any]:
        return fields

    return build


REVEAL = {"decision": "r1/bid/0", "action": BID, "salt": SALT, "nonce": None}


@pytest.mark.parametrize(
    ("prepare", "name", "build"),
    [
        (open_only, "seats", fixed()),
        (sit, "leave", fixed()),
        (start, "resign", fixed()),
        (start, "seals", fixed(decision="r1/bid/0", seal="ab" * 32)),
        (start, "entrustments", fixed(**REVEAL)),
        (seal_both, "reveals", fixed(**REVEAL)),
        (strike, "actions", build_strike),
    ],
    ids=["take", "leave", "resign", "seal", "entrust", "reveal", "play"],
)
async def test_a_command_sent_again_is_answered_again_and_done_once(
    api: Api, prepare: Any, name: str, build: Any
) -> None:
    player = await prepare(api)
    body = {"command": COMMAND, "seat": player.seat, **await build(player)}
    before = await count_lines(player)

    answers = [await expect(player.post(f"/games/{player.game}/{name}", body), 200) for _ in range(3)]

    assert answers == [answers[0]] * 3
    assert answers[0]["first_version"] == before + 1
    assert answers[0]["last_version"] == await count_lines(player)


@pytest.mark.parametrize(("name", "body"), [("rulings", RULING), ("abort", {"reason": "the hall was cleared"})])
async def test_a_ruling_sent_again_is_answered_again_and_done_once(api: Api, name: str, body: dict[str, Any]) -> None:
    organiser = Player(api, await api.create_account(ORGANISER))
    ada = await start(api, organisers={ORGANISER.id: None})

    answers = [
        await expect(organiser.post(f"/games/{ada.game}/{name}", {"command": COMMAND, **body}), 200) for _ in range(2)
    ]

    assert answers == [answers[0]] * 2
    assert answers[0]["last_version"] == await count_lines(ada)


async def test_an_opening_sent_again_is_answered_again(api: Api) -> None:
    ada = await register(api, "Ada")

    answers = [await expect(ada.open(), 201) for _ in range(2)]

    assert answers == [answers[0]] * 2
    assert await count_lines(ada) == 1


async def test_getting_ready_sent_again_does_not_deal_again(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await expect(ada.open(), 201)
    for seat, player in enumerate((ada, bob)):
        await expect(player.take(seat), 200)
    await expect(ada.ready(), 200)
    body = {"command": COMMAND, "seat": 1, "nonce": None}

    answers = [await expect(bob.post(f"/games/{bob.game}/ready", body), 200) for _ in range(2)]

    assert answers[0] == answers[1]
    assert answers[0]["last_version"] == await count_lines(ada)


async def test_one_id_for_two_bodies_is_refused(api: Api) -> None:
    ada = await sit(api)
    path = f"/games/{ada.game}/seats"
    await expect(ada.post(f"/games/{ada.game}/leave", {"command": COMMAND, "seat": 0}), 200)

    response = await ada.post(path, {"command": COMMAND, "seat": 0})

    assert problem_of(response) == (409, "command-id-reused")


async def test_an_id_that_only_the_server_derives_is_refused(api: Api) -> None:
    ada = await sit(api)
    flag = derive_command(GameId(ada.game), "expiry of r1/bid/0 of seat 0 since 0")

    response = await ada.post(f"/games/{ada.game}/leave", {"command": flag, "seat": 0})

    assert problem_of(response) == (400, "invalid-input")
    assert [error["field"] for error in response.json()["errors"]] == ["$.command"]


PRIVATE_COMMANDS = [
    ("seats", {"seat": 1}),
    ("ready", {"seat": 0}),
    ("leave", {"seat": 0}),
    ("resign", {"seat": 0}),
    ("actions", {"seat": 0, "decision": "r1/left/0", "action": {}}),
    ("seals", {"seat": 0, "decision": "r1/bid/0", "seal": "ab" * 32}),
    ("entrustments", {"seat": 0, "decision": "r1/bid/0", "action": {}, "salt": SALT}),
    ("reveals", {"seat": 0, "decision": "r1/bid/0", "action": {}, "salt": SALT}),
    ("rulings", RULING),
    ("abort", {"reason": "none"}),
    ("previews", {"seat": 0, "decision": "r1/bid/0", "action": {}}),
]


@pytest.mark.parametrize(("name", "body"), PRIVATE_COMMANDS, ids=[name for name, _ in PRIVATE_COMMANDS])
async def test_a_private_game_is_no_game_for_a_strangers_command(api: Api, name: str, body: dict[str, Any]) -> None:
    ada, eve = await register(api, "Ada", number=1), await register(api, "Eve", number=2)
    await expect(ada.open(visibility="private"), 201)
    missing = "0199c0de-0000-7000-8000-00000000dead"
    sent = body if name == "previews" else {"command": COMMAND, **body}

    private = await eve.post(f"/games/{ada.game}/{name}", sent)
    nothing = await eve.post(f"/games/{missing}/{name}", sent)

    assert problem_of(private) == problem_of(nothing) == (404, "no-such-game")
    assert private.text.replace(ada.game, missing) == nothing.text


@pytest.mark.parametrize("path", ["", "/boards", "/events"])
async def test_a_private_game_is_no_game_for_a_strangers_eyes(api: Api, path: str) -> None:
    ada, eve = await register(api, "Ada", number=1), await register(api, "Eve", number=2)
    await expect(ada.open(visibility="private"), 201)

    assert problem_of(await eve.get(path)) == (404, "no-such-game")
    assert problem_of(await Player(api, None).get(path)) == (404, "no-such-game")
    await expect(ada.get(path), 200)


async def test_a_seat_of_a_private_game_is_taken_with_the_secret_of_its_link(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await expect(ada.open(visibility="private", offers=[None, LINK]), 201)

    without, wrong = await bob.take(1), await bob.take(1, invitation="00" * 32)
    elsewhere = await bob.take(0, invitation=INVITATION)
    await expect(bob.take(1, invitation=INVITATION), 200)

    assert problem_of(without) == problem_of(wrong) == (404, "no-such-game")
    assert problem_of(elsewhere) == (403, "seat-of-another")
    assert (await expect(bob.get(), 200))["your_seat"] == 1


@pytest.mark.parametrize("path", ["", "/boards", "/events", "/chronicle"])
async def test_the_holder_of_a_link_reads_a_private_game_before_sitting_down(api: Api, path: str) -> None:
    ada, eve = await register(api, "Ada", number=1), Player(api, None)
    await expect(ada.open(visibility="private", offers=[None, LINK]), 201)

    shown = await eve.get(path, headers={"invitation": INVITATION})

    assert shown.status_code == 200
    assert shown.headers["cache-control"].startswith("private")
    for wrong in ("00" * 32, INVITATION[:-2], "no hex", ""):
        assert problem_of(await eve.get(path, headers={"invitation": wrong})) == (404, "no-such-game")


async def test_a_link_is_worth_nothing_once_it_is_renewed_or_its_seat_is_taken(api: Api) -> None:
    ada, bob, eve = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Bob", "Eve"), 1)]
    await expect(ada.open(visibility="private", offers=[None, LINK]), 201)
    await expect(ada.command("offers", seat=1, to={"kind": "link", "hash": "ab" * 32}), 200)
    renewed = await bob.get(headers={"invitation": INVITATION})

    await expect(ada.command("offers", seat=1, to=LINK), 200)
    await expect(bob.take(1, invitation=INVITATION), 200)

    assert problem_of(renewed) == (404, "no-such-game")
    assert problem_of(await eve.get(headers={"invitation": INVITATION})) == (404, "no-such-game")
    assert problem_of(await eve.take(1, invitation=INVITATION)) == (404, "no-such-game")


async def test_a_private_game_is_shown_to_the_player_to_whom_a_seat_is_offered(api: Api) -> None:
    ada, bob, eve = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Bob", "Eve"), 1)]
    await expect(ada.open(visibility="private", offers=[None, {"kind": "player", "player": bob.id}]), 201)

    shown = await expect(bob.get(), 200)
    await expect(bob.take(1), 200)

    assert shown["seats"][1] == {"status": "vacant", "seat": 1, "offer": {"kind": "player", "player": bob.id}}
    assert problem_of(await eve.get()) == (404, "no-such-game")


async def test_a_seat_taken_on_another_process_opens_a_private_game_here(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await expect(ada.open(visibility="private", offers=[None, LINK]), 201)
    stale = await api.parts.games.arena.recall(ada.game)
    await expect(bob.take(1, invitation=INVITATION), 200)
    # This is remembered by a process when another one has seated Bob.
    api.parts.games.arena.folded.keep(stale.id, stale)

    await expect(bob.command("leave", seat=1), 200)


async def test_the_operator_may_end_a_private_game_and_not_read_it(api: Api) -> None:
    ada, _bob = await seat_two_in_private(api)
    operator = Player(api, await api.create_account(OPERATOR))

    hidden = await operator.get()
    await expect(operator.command("abort", reason="a complaint"), 200)

    last_lines = (await ada.get("/events")).json()["items"][-2:]
    assert [line["by"] for line in last_lines] == [f"operator:{OPERATOR.id}", "server"]
    assert problem_of(hidden) == (404, "no-such-game")
    assert (await expect(ada.get(), 200))["status"] == "aborted"


async def test_the_operator_may_end_a_game_and_not_play_it(api: Api) -> None:
    ada = await start(api)
    operator = Player(api, await api.create_account(OPERATOR))

    refused = await operator.command("resign", seat=0)
    await expect(operator.command("abort", reason="the hall was cleared"), 200)

    assert problem_of(refused) == (403, "not-allowed")
    assert (await expect(ada.get(), 200))["status"] == "aborted"


async def test_an_action_with_spaces_is_logged_in_canonical_form(api: Api) -> None:
    ada = await strike(api)
    body = {"command": COMMAND, "seat": ada.seat, **await build_strike(ada)}

    await expect(ada.post(f"/games/{ada.game}/actions", json.dumps(body, indent=2).encode()), 200)

    lines = (await expect(ada.get("/events"), 200))["items"]
    assert next(line["data"]["action"] for line in lines if line["type"] == "action_played") == body["action"]


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("seals", {"seal": "ab" * 32, "action": BID}),
        ("seals", {"seal": "ab" * 32, "salt": SALT}),
        ("seals", {}),
        ("entrustments", {"seal": "ab" * 32, "action": BID, "salt": SALT}),
        ("entrustments", {"action": BID}),
        ("entrustments", {"salt": SALT}),
    ],
)
async def test_a_seal_is_in_one_custody_or_the_other(api: Api, name: str, fields: dict[str, Any]) -> None:
    ada = await start(api)
    before = await count_lines(ada)

    response = await ada.command(name, seat=0, decision="r1/bid/0", **fields)

    assert problem_of(response) == (400, "invalid-input")
    assert await count_lines(ada) == before


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"command": "1"}, "$.command", "Expected a lower-case UUID, not version 8"),
        ({"command": COMMAND.upper()}, "$.command", "Expected a lower-case UUID, not version 8"),
        ({"ruleset": "charioteer"}, "$.ruleset", "Expected a ruleset's name with its version, such as charioteer@1"),
        ({"components": "AB"}, "$.components", "Expected 64 lower-case hex digits"),
        ({"organisers": {"me": None}}, "key in $.organisers", "Expected a lower-case UUID"),
    ],
)
async def test_a_field_that_is_spelled_in_another_way_is_answered_with_the_right_one(
    api: Api, changes: dict[str, Any], place: str, said: str
) -> None:
    ada = await register(api, "Ada")

    response = await ada.open(**changes)

    assert problem_of(response) == (400, "invalid-input")
    assert response.json()["errors"] == [{"field": place, "message": said}]


async def test_a_table_that_was_left_an_hour_ago_counts_no_more_among_the_house_games_of_its_opener(
    database: Database,
) -> None:
    async with running_api(database, kits=KITS) as api:
        ada = await register(api, "Ada", number=1)

        async def open_another(number: int) -> int:
            game = f"0199c0de-0000-7000-8000-{number:012d}"
            offers = [None, {"kind": "house", "bot": "careful"}]
            answer = await ada.open(command=game, ruleset="chariot-race@1", offers=offers)
            await api.project()
            return answer.status_code

        at_once = [await open_another(number) for number in range(1, 6)]
        api.clock.now_ms += 3_600_001
        later = await open_another(6)

    assert (at_once, later) == ([201, 201, 201, 201, 409], 201)
