"""Playing over a socket: the same answers and the same problems as over HTTP, between the frames."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection

from domain.canonical import encode
from domain.game.kind import GAMES
from domain.game.state import SEATINGS_MAX
from domain.ids import PlayerId, Seat, StreamVersion
from domain.ruleset.catalogue import Catalogue
from services.commands.vault import Vault
from tests.database import Database
from tests.domain.game.game_harness import ADA, BOB, GAME, SALT
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Torches
from tests.services.api.server import KEY
from tests.services.live.game_play import fold_shown, open_game, read_log
from tests.services.live.live_readers import Watcher, watching_socket
from tests.services.live.node import Node, pace, running_node


class OrderWatcher(Watcher):
    """Knows which version it had seen when each answer came."""

    def __init__(self) -> None:
        super().__init__()
        self.seen_at_answer: list[int] = []

    def take(self, text: str) -> None:
        super().take(text)
        if text.startswith('{"type":"answer"'):
            self.seen_at_answer.append(self.versions[-1] if self.versions else 0)


class Seated:
    """A player at a socket."""

    def __init__(self, socket: ClientConnection, watcher: Watcher, seat: int) -> None:
        self.socket = socket
        self.watcher = watcher
        self.seat = seat
        self._requests = 0

    async def ask(self, do: str, **body: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._requests += 1
        number = self._requests
        command = f"0199c0de-0000-7000-{0x9000 + self.seat:04x}-{number:012d}"
        await self.socket.send(encode({"request": number, "do": do, "body": {"command": command, **body}}).decode())
        await self.watcher.until(lambda: self._find(number) is not None)
        found = self._find(number)
        assert found is not None
        return found

    def _find(self, number: int) -> dict[str, Any] | None:
        return next((sentence for sentence in self.watcher.told if sentence.get("request") == number), None)


@pytest.fixture
async def node(database: Database, redis_url: str) -> AsyncIterator[Node]:
    async with running_node(database, redis_url, pace=pace()) as node:
        yield node


async def sit_down(node: Node, stack: AsyncExitStack, player: PlayerId, seat: int) -> Seated:
    token = await node.parts.people.accounts.create_player(player, "A player")
    watcher = Watcher()
    socket = await stack.enter_async_context(watching_socket(node, watcher, token=token, after=0))
    return Seated(socket, watcher, seat)


def choose(board: Any, owed: dict[str, Any]) -> dict[str, Any]:
    if "/bid/" in owed["decision"]:
        hand = [number for number, *_ in board["board"]["places"][owed["seat"]]["hand"]]
        return {"card": hand[0], "drop": None, "kind": "bid"}
    if "/shield/" in owed["decision"]:
        return {"is_raised": False, "kind": "shield"}
    return {"kind": "strike", "target": 1 - owed["seat"]}


async def play(player: Seated) -> None:
    """Play by the messages of the socket, to the end."""
    while player.watcher.end is None:
        board: Any = player.watcher.board
        mine = [
            each
            for each in (board or {}).get("owed", ())
            if each["seat"] == player.seat and each["is_waited_for"] and each["kind"] != "opening"
        ]
        if not mine:
            seen = len(player.watcher.versions)
            await player.watcher.until(
                lambda seen=seen: len(player.watcher.versions) > seen or player.watcher.end is not None
            )
            continue
        owed = mine[0]
        body = {"seat": player.seat, "decision": owed["decision"], "action": choose(board, owed), "nonce": None}
        if owed["kind"] == "sealed":
            answer = await player.ask("entrustments", **body, salt=SALT)
        else:
            answer = await player.ask("actions", **body)
        last = answer["answer"]["last_version"]
        await player.watcher.until(lambda last=last: player.watcher.versions[-1] >= last)


async def test_a_whole_game_is_played_over_two_sockets(node: Node) -> None:
    await open_game(node.parts.games.arena, options={"rounds": 2})
    async with AsyncExitStack() as stack:
        players = [await sit_down(node, stack, player, seat) for seat, player in enumerate((ADA, BOB))]
        for player in players:
            assert (await player.ask("seats", seat=player.seat))["type"] == "answer"
        for player in players:
            assert (await player.ask("ready", seat=player.seat))["type"] == "answer"
        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            for player in players:
                tasks.create_task(play(player))

    lines = await read_log(node)
    stored = await node.parts.store.load_stream(GAME)
    secret = Vault(KEY).open_secret(GAME, stored.secret_box)
    assert redecide(GAMES, lines, Catalogue([Torches()]), secret).status == "finished"
    for player in players:
        assert player.watcher.versions == list(range(1, len(lines) + 1))
        assert player.watcher.lines == lines
        assert player.watcher.board == fold_shown(lines, Seat(player.seat), secret)


@pytest.mark.parametrize(
    ("do", "body"),
    [
        ("seats", {"seat": 7}),
        ("seats", {"seat": 0, "colour": "red"}),
        ("seats", {"seat": "first"}),
        ("ready", {"seat": 0}),
        ("actions", {"seat": 0, "decision": "r1/left/0", "action": {"kind": "strike"}}),
        ("seals", {"seat": 0, "decision": "r1/bid/0"}),
        ("entrustments", {"seat": 0, "decision": "r1/bid/0", "action": {}, "salt": "33" * 32}),
        ("previews", {"seat": 0, "decision": "r1/bid/0", "action": {}}),
        ("rulings", {"ruling": "seat_removed", "seat": 0, "reason": "none"}),
        ("abort", {"reason": "none"}),
        ("abort", {}),
    ],
)
async def test_a_socket_refuses_in_the_words_of_http(node: Node, do: str, body: dict[str, Any]) -> None:
    await open_game(node.parts.games.arena)
    token = await node.parts.people.accounts.create_player(BOB, "Bob")
    sent = {**body} if do == "previews" else {"command": "0199c0de-0000-7000-9999-000000000001", **body}
    watcher = Watcher()
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    over_http = await node.client.post(f"/v1/games/{GAME}/{do}", content=encode(sent), headers=headers)
    async with watching_socket(node, watcher, token=token) as socket:
        await socket.send(encode({"request": 5, "do": do, "body": sent}).decode())
        told = await watcher.until_told("problem")

    assert over_http.status_code >= 400
    assert told == {"type": "problem", "request": 5, "problem": over_http.json()}


async def test_the_same_command_over_http_and_socket_is_one_command(node: Node) -> None:
    await open_game(node.parts.games.arena)
    token = await node.parts.people.accounts.create_player(BOB, "Bob")
    body = {"command": "0199c0de-0000-7000-9999-000000000001", "seat": 1}
    watcher = Watcher()
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    over_http = await node.client.post(f"/v1/games/{GAME}/seats", content=encode(body), headers=headers)
    async with watching_socket(node, watcher, token=token) as socket:
        await socket.send(encode({"request": 1, "do": "seats", "body": body}).decode())
        told = await watcher.until_told("answer")

    assert over_http.status_code == 200
    assert told == {"type": "answer", "request": 1, "answer": over_http.json()}
    assert over_http.json()["receipt"] is not None
    assert (await node.parts.games.arena.load(GAME)).version == StreamVersion(2)


async def test_nobody_commands_without_a_token(node: Node) -> None:
    await open_game(node.parts.games.arena)
    watcher = Watcher()

    async with watching_socket(node, watcher) as socket:
        await socket.send(encode({"request": 1, "do": "abort", "body": {"command": GAME, "reason": "x"}}).decode())
        told = await watcher.until_told("problem")

    assert told["problem"]["status"] == 401


@pytest.mark.parametrize(
    "sent",
    ["", "{", "[" * 60_000, '{"request":1,"do":"rm","body":{}}', '{"request":-1,"do":"ready","body":{}}', b"\xff\x00"],
)
async def test_what_is_no_command_closes_the_socket_with_a_problem(node: Node, sent: str | bytes) -> None:
    await open_game(node.parts.games.arena)
    watcher = Watcher()

    async with watching_socket(node, watcher) as socket:
        await socket.send(sent)
        code = await watcher.until_closed()

    assert code == 4400
    assert next(sentence for sentence in watcher.told if sentence["type"] == "problem")["problem"]["status"] == 400


async def test_a_message_larger_than_any_command_closes_the_socket(node: Node) -> None:
    await open_game(node.parts.games.arena)
    watcher = Watcher()

    async with watching_socket(node, watcher) as socket:
        await socket.send(msgspec.json.encode("x" * 70_000).decode())

        assert await watcher.until_closed() == 1009


async def test_the_next_command_is_answered_after_the_frames_of_the_last_one(node: Node) -> None:
    await open_game(node.parts.games.arena)
    token = await node.parts.people.accounts.create_player(BOB, "Bob")
    watcher = OrderWatcher()

    async with watching_socket(node, watcher, token=token) as socket:
        for number in range(1, 2 * SEATINGS_MAX + 1):
            body = {"command": f"0199c0de-0000-7000-9999-{number:012d}", "seat": 0}
            asked = {"request": number, "do": "seats" if number % 2 else "leave", "body": body}
            await socket.send(encode(asked).decode())
        await watcher.until(lambda: 1 + 2 * SEATINGS_MAX in watcher.versions)

    # Each wrote one line: the game was at version 1 before.
    assert watcher.seen_at_answer[1:] == list(range(2, 2 * SEATINGS_MAX + 1))
