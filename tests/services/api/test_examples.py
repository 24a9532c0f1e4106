"""The description's examples, sent as they stand: fails for an operation without one, or with one that is refused."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from domain.accounts.account import Account
from domain.accounts.token import hash_token
from domain.ids import CommandId
from domain.rulesets.released import KITS
from services.api.accounts.kept_links import LINKS_EXAMPLE
from services.api.http.course_examples import COURSE_EXAMPLE, COURSE_HASH
from services.api.http.examples import (
    ADD_WAY_EXAMPLE,
    CODE,
    CONSENT_EXAMPLE,
    GAME,
    OPEN_EXAMPLE,
    ORGANISER,
    PLAY_EXAMPLE,
    READY_EXAMPLE,
    RESET,
    RESIGN_EXAMPLE,
    SEAL_EXAMPLE,
    TAKE_EXAMPLE,
    TOURNAMENT,
    WAY_EXAMPLE,
)
from services.api.tournaments.tournament_examples import (
    CALL_EXAMPLE,
    CALL_ORGANISER_EXAMPLE,
    CHECK_IN_EXAMPLE,
    ENTER_EXAMPLE,
    RULING_EXAMPLES,
)
from services.api.tournaments.tournament_examples import OPEN_EXAMPLE as CUP_EXAMPLE
from services.notices.mails import find_mails
from tests.database import Database
from tests.mail_server import Inbox, receiving_mails
from tests.services.api.described import describe
from tests.services.api.differences import list_differences
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api

METHODS = ("get", "post")


class Story:
    """Ada and Bea at the game of the examples, as far as it has come."""

    def __init__(self, api: Api, ada: Player, bea: Player, organiser: Player) -> None:
        self.api = api
        self.ada = ada
        self.bea = bea
        self.organiser = organiser
        self.terms: dict[str, Any] = {}

    async def nothing(self) -> Player:
        return self.ada

    async def visiting(self) -> Player:
        page = Player(self.api, None)
        page.headers = {"authorization": "Session"}
        return page

    async def invited(self) -> Player:
        """Give Ada the code of the example, which the server would choose otherwise."""
        made = (await self.ada.post("/account/codes", {"minutes": 10})).json()
        await self.api.execute("update spina.token set hash = $1 where id = $2::uuid", hash_token(CODE), made["id"])
        return await self.visiting()

    async def told(self) -> Player:
        """Give Ada the way of the example, whose id the server would choose otherwise."""
        made = await expect(self.ada.post("/account/ways", ADD_WAY_EXAMPLE), 201)
        await self.api.execute("update spina.notice_way set id = $1 where id = $2", WAY_EXAMPLE["id"], made["id"])
        return self.ada

    async def kept(self) -> Player:
        await expect(self.ada.post("/account/links", LINKS_EXAMPLE), 201)
        return self.ada

    async def course_kept(self) -> Player:
        await expect(self.ada.post("/courses", COURSE_EXAMPLE), 201)
        return self.ada

    async def opened(self) -> Player:
        await expect(self.ada.post("/games", OPEN_EXAMPLE), 201)
        return self.ada

    async def seated(self) -> Player:
        await self.opened()
        await expect(self.ada.post(f"/games/{GAME}/seats", TAKE_EXAMPLE), 200)
        await expect(self.bea.take(1), 200)
        return self.ada

    async def started(self) -> Player:
        await self.seated()
        await expect(self.ada.post(f"/games/{GAME}/ready", READY_EXAMPLE), 200)
        await expect(self.bea.ready(), 200)
        return self.ada

    async def handed(self) -> Player:
        """Let the clock of Ada's seat run out, in a game with a stand-in."""
        terms = {**OPEN_EXAMPLE, "demands": [], "stand_in": {"bot": "longest", "after": 1}}
        await expect(self.ada.post("/games", terms), 201)
        await expect(self.ada.post(f"/games/{GAME}/seats", TAKE_EXAMPLE), 200)
        await expect(self.bea.take(1), 200)
        await expect(self.ada.post(f"/games/{GAME}/ready", READY_EXAMPLE), 200)
        await expect(self.bea.ready(), 200)
        await self.api.expire(GAME, 0)
        return self.ada

    async def agreed(self) -> Player:
        await self.started()
        await expect(self.ada.post(f"/games/{GAME}/consents", CONSENT_EXAMPLE), 200)
        return self.ada

    async def paused(self) -> Player:
        await self.agreed()
        other = {"command": self.bea.next_id(), "seat": 1, "to": "pause"}
        await expect(self.bea.post(f"/games/{GAME}/consents", other), 200)
        return self.ada

    async def all_sealed(self) -> Player:
        await self.started()
        await expect(self.ada.post(f"/games/{GAME}/seals", SEAL_EXAMPLE), 200)
        await expect(self.bea.seal("t1/move/1", RESET), 200)
        return self.ada

    async def over(self) -> Player:
        await self.started()
        await expect(self.ada.post(f"/games/{GAME}/resign", RESIGN_EXAMPLE), 200)
        return self.ada

    async def racing(self) -> Player:
        terms = {**OPEN_EXAMPLE, "ruleset": "chariot-race@1", "options": {}}
        await expect(self.ada.post("/games", terms), 201)
        await expect(self.ada.post(f"/games/{GAME}/seats", TAKE_EXAMPLE), 200)
        await expect(self.bea.take(1), 200)
        await expect(self.ada.post(f"/games/{GAME}/ready", READY_EXAMPLE), 200)
        await expect(self.bea.ready(), 200)
        return self.ada

    async def cup(self) -> Player:
        await expect(self.organiser.post("/tournaments", {**CUP_EXAMPLE, **self.terms}), 201)
        return self.ada

    async def entered(self) -> Player:
        await self.cup()
        await expect(self.ada.post(f"/tournaments/{TOURNAMENT}/entries", ENTER_EXAMPLE), 200)
        other = {"command": self.bea.next_id(), "entrant": 1, "anchor": self.bea.links[0], "links": 1024}
        await expect(self.bea.post(f"/tournaments/{TOURNAMENT}/entries", other), 200)
        return self.ada

    async def called(self) -> Player:
        await self.entered()
        await expect(self.organiser.post(f"/tournaments/{TOURNAMENT}/rounds", CALL_EXAMPLE), 200)
        return self.ada

    async def drawn(self) -> Player:
        await self.called()
        await expect(self.ada.post(f"/tournaments/{TOURNAMENT}/check-ins", CHECK_IN_EXAMPLE), 200)
        other = {"command": self.bea.next_id(), "entrant": 1, "round": 1, "nonce": self.bea.links[1]}
        await expect(self.bea.post(f"/tournaments/{TOURNAMENT}/check-ins", other), 200)
        return self.ada

    async def organised(self) -> Player:
        await self.entered()
        return self.organiser

    async def called_for(self) -> Player:
        await self.entered()
        await expect(self.ada.post(f"/tournaments/{TOURNAMENT}/calls", CALL_ORGANISER_EXAMPLE), 200)
        return self.organiser

    async def handed_on(self) -> Player:
        await self.entered()
        handed = next(example for example in RULING_EXAMPLES if example["ruling"] == "entry_handed")
        await expect(self.organiser.post(f"/tournaments/{TOURNAMENT}/rulings", handed), 200)
        return self.ada

    async def help_asked(self) -> Player:
        await self.entered()
        invited = next(example for example in RULING_EXAMPLES if example["ruling"] == "helper_invited")
        await expect(self.organiser.post(f"/tournaments/{TOURNAMENT}/rulings", invited), 200)
        return self.ada

    async def judged(self) -> Player:
        await self.drawn()
        return self.organiser

    async def delayed(self) -> Player:
        self.terms = {"delay_s": 60}
        await self.drawn()
        return self.organiser

    async def presided(self) -> Player:
        return self.organiser

    async def ruled(self) -> Player:
        await self.started()
        return self.organiser


# How far the story must have come for an operation, and who asks then.
STAGES: dict[str, Callable[[Story], Awaitable[Player]]] = {
    "read_health": Story.nothing,
    "list_problems": Story.nothing,
    "read_problem": Story.nothing,
    "register_player": Story.nothing,
    "read_account": Story.nothing,
    "list_tokens": Story.nothing,
    "add_token": Story.nothing,
    "revoke_tokens": Story.nothing,
    "add_code": Story.nothing,
    "sign_in": Story.invited,
    "sign_out": Story.visiting,
    "rename_player": Story.nothing,
    "export_account": Story.started,
    "forget_account": Story.nothing,
    "ask_mail": Story.nothing,
    "read_own_games": Story.started,
    "list_declines": Story.nothing,
    "decline_offers": Story.nothing,
    "accept_sender": Story.nothing,
    "keep_links": Story.nothing,
    "read_links": Story.kept,
    "list_ways": Story.nothing,
    "add_way": Story.nothing,
    "change_way": Story.told,
    "remove_way": Story.told,
    "test_way": Story.told,
    "list_rulesets": Story.nothing,
    "check_course": Story.nothing,
    "keep_course": Story.nothing,
    "list_courses": Story.course_kept,
    "read_course": Story.course_kept,
    "open_game": Story.nothing,
    "list_games": Story.opened,
    "offer_seat": Story.opened,
    "take_seat": Story.opened,
    "leave_seat": Story.seated,
    "ready_seat": Story.seated,
    "resign": Story.started,
    "reclaim_seat": Story.handed,
    "give_consent": Story.started,
    "withdraw_consent": Story.agreed,
    "end_pause": Story.paused,
    "seal_action": Story.started,
    "entrust_action": Story.started,
    "preview_action": Story.started,
    "open_rematch": Story.over,
    "reveal_action": Story.all_sealed,
    "play_action": Story.racing,
    "rule": Story.ruled,
    "abort_game": Story.ruled,
    "read_game": Story.started,
    "read_boards": Story.started,
    "read_events": Story.started,
    "read_chronicle": Story.started,
    "read_player": Story.started,
    "read_player_games": Story.started,
    "open_tournament": Story.presided,
    "list_tournaments": Story.cup,
    "enter_tournament": Story.cup,
    "withdraw": Story.entered,
    "check_in": Story.called,
    "close_entries": Story.organised,
    "call_round": Story.organised,
    "rule_on_tournament": Story.judged,
    "preview_ruling": Story.judged,
    "close_tournament": Story.organised,
    "abort_tournament": Story.organised,
    "read_tournament": Story.cup,
    "read_entrants": Story.entered,
    "read_standings": Story.drawn,
    "read_pairings": Story.drawn,
    "export_tournament": Story.drawn,
    "continue_entry": Story.handed_on,
    "join_as_helper": Story.help_asked,
    "follow_table": Story.delayed,
    "skip_round": Story.entered,
    "call_organiser": Story.entered,
    "answer_call": Story.called_for,
    "announce": Story.organised,
    "list_ruling_forms": Story.nothing,
    "read_next": Story.called,
    "read_deadlines": Story.called,
    "read_tournament_events": Story.cup,
}


@pytest.fixture
async def story(database: Database) -> AsyncIterator[Story]:
    async with (
        receiving_mails(Inbox()) as smtp_url,
        running_api(database, kits=KITS, mails=find_mails(smtp_url, "https://spina.example")) as api,
    ):
        ada = await register(api, "Ada", number=1)
        bea = await register(api, "Bea", number=2, links=1024)
        token = await api.create_account(Account(id=ORGANISER, name="Orga", role="organiser"))
        yield Story(api, ada, bea, Player(api, token))


OPERATIONS = [
    pytest.param(path, method, item[method], id=item[method]["operationId"])
    for path, item in describe()["paths"].items()
    for method in METHODS
    if method in item
]


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
async def test_every_operation_has_an_example_that_is_accepted(
    story: Story, path: str, method: str, operation: dict[str, Any]
) -> None:
    player = await STAGES[operation["operationId"]](story)
    await story.api.project()
    # An account's id is the server's to choose, so the one of the examples is unused.
    url = path.removeprefix("/v1").replace("{game}", example_of_game(operation)).replace("{player}", story.ada.id)
    url = url.replace("{tournament}", TOURNAMENT).replace("{stream}", GAME)
    url = url.replace("{code}", "seats-vacant").replace("{course}", COURSE_HASH)

    if method == "get":
        answers = [await story.api.client.get(f"/v1{url}", headers=player.headers)]
    else:
        # As they are pasted from the description: with spaces, in any order.
        answers = [await player.post(url, json.dumps(example).encode()) for example in request_examples(operation)]

    assert answers
    for response in answers:
        assert response.status_code in (200, 201), response.text
        described = operation["responses"][str(response.status_code)]["content"]["application/json"]
        examples = [example["value"] for example in described["examples"].values()]
        assert min((list_differences(example, response.json()) for example in examples), key=len) == []


def request_examples(operation: dict[str, Any]) -> list[Any]:
    return [
        example["value"] for example in operation["requestBody"]["content"]["application/json"]["examples"].values()
    ]


def example_of_game(operation: dict[str, Any]) -> str:
    games = [parameter["example"] for parameter in operation.get("parameters", []) if parameter["name"] == "game"]
    return str(games[0]) if games else ""


async def test_the_examples_of_one_game_are_those_of_its_rules(story: Story) -> None:
    await story.racing()

    owed = (await expect(story.ada.get(), 200))["owed"]

    assert (owed[0]["seat"], owed[0]["decision"]) == (PLAY_EXAMPLE["seat"], PLAY_EXAMPLE["decision"])


def test_every_operation_is_told_of_once_with_its_refusals() -> None:
    described = [(path, method, item[method]) for path, item in describe()["paths"].items() for method in item]

    assert len({operation["operationId"] for _, _, operation in described}) == len(described) == len(STAGES)
    for path, _method, operation in described:
        assert operation["summary"]
        if path != "/v1/health":
            assert {"400", "401", "429", "503"} <= set(operation["responses"])


def test_whoever_may_ask_for_a_seat_finds_an_example_of_one() -> None:
    asked = [
        parameter["examples"]
        for item in describe()["paths"].values()
        for operation in item.values()
        for parameter in operation.get("parameters", [])
        if parameter["name"] == "seat"
    ]

    assert len(asked) == 2
    assert all(0 <= example["value"] <= 5 for examples in asked for example in examples.values())


def test_ids_of_commands_in_the_examples_are_their_own() -> None:
    bodies = [
        example
        for path, item in describe()["paths"].items()
        for method in item
        # A preview has the body of its ruling, id and all.
        if "requestBody" in item[method] and not path.endswith("/rulings/previews")
        for example in request_examples(item[method])
    ]
    ids = [CommandId(body["command"]) for body in bodies if "command" in body]

    assert len(set(ids)) == len(ids)
