"""A server that is asked to stop in the middle of everything loses nothing that was acknowledged; streams state why."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from signal import SIGTERM
from typing import Any
from uuid import uuid4

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from domain.ids import GameId, StreamId, StreamVersion
from infra.keys import create_key_file
from infra.postgres.event_store import open_event_store
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, serving

TOKEN = "f" * 64
CLIENTS = 4
ENOUGH = 60
RESTARTING = 1012


class Load:
    """Clients that command until the server goes, over HTTP and over sockets."""

    def __init__(self, base: str, token: str) -> None:
        self.base = base
        self.headers = {"authorization": f"Bearer {token}"}
        # Game and version of everything that was acknowledged.
        self.acknowledged: set[tuple[GameId, int]] = set()
        self.refused: list[dict[str, Any]] = []
        self.ends: list[tuple[Any, int | None]] = []
        self.sockets_count = 0
        self.has_enough = asyncio.Event()

    def note(self, game: GameId, version: int) -> None:
        self.acknowledged.add((game, version))
        if len(self.acknowledged) >= ENOUGH and self.sockets_count == CLIENTS:
            self.has_enough.set()

    async def open_game(self, client: httpx2.AsyncClient) -> GameId:
        game = GameId(StreamId(str(uuid4())))
        answer = await client.post("/games", json={"command": game, "ruleset": "chariot-race@1", "seats": 2})
        if answer.is_success:
            self.note(game, answer.json()["last_version"])
        else:
            self.refused.append(answer.json())
        return game

    async def open_games(self) -> None:
        async with httpx2.AsyncClient(base_url=self.base, headers=self.headers, timeout=PATIENCE_S) as client:
            try:
                while True:
                    await self.open_game(client)
            except httpx2.TransportError:
                # The server has gone; whether this one was stored is for whoever asks again.
                return

    async def move_over_a_socket(self) -> None:
        """Offer a seat to all, over and over."""
        async with httpx2.AsyncClient(base_url=self.base, headers=self.headers) as client:
            game = await self.open_game(client)
        url = f"{self.base.replace('http', 'ws')}/games/{game}/socket"
        end = None
        async with connect(url, additional_headers=self.headers) as socket:
            await self._ask(socket, 0)
            with suppress(ConnectionClosed):
                # Whoever was sent anything follows the game.
                await socket.recv()
                self.sockets_count += 1
                async for text in socket:
                    message = json.loads(text)
                    end = message if message.get("type") == "end" else end
                    if message.get("type") == "answer":
                        self.note(game, message["answer"]["last_version"])
                    if message.get("type") in ("answer", "problem"):
                        await self._ask(socket, message["request"] + 1)
            self.ends.append((end, socket.close_code))

    async def _ask(self, socket: ClientConnection, number: int) -> None:
        body = {"command": str(uuid4()), "seat": 0, "to": None}
        # What came before the close is still to be read.
        with suppress(ConnectionClosed):
            await socket.send(json.dumps({"request": number, "do": "offers", "body": body}))


async def test_under_load_a_signal_loses_nothing_that_was_acknowledged(
    tmp_path: Path, database: Database, redis_url: str
) -> None:
    key_file, token_file = tmp_path / "key", tmp_path / "token"
    create_key_file(key_file)
    token_file.write_text(TOKEN)
    given = {
        "SPINA_DATABASE_URL": database.app_url,
        "SPINA_OWNER_DATABASE_URL": database.owner_url,
        "SPINA_REDIS_URL": redis_url,
        "SPINA_MASTER_KEY_FILE": str(key_file),
        "SPINA_METRICS_TOKEN_FILE": str(token_file),
        "SPINA_RATE_PER_S": "0",
    }
    with serving(tmp_path / "data", **given) as server:
        base = server.until_ready().removesuffix("/health")
        load = Load(base, await register(base))
        async with asyncio.TaskGroup() as tasks, asyncio.timeout(PATIENCE_S):
            for _ in range(CLIENTS):
                tasks.create_task(load.open_games())
                tasks.create_task(load.move_over_a_socket())
            await load.has_enough.wait()
            metrics = await read_metrics(base)
            code = await asyncio.to_thread(server.stop, SIGTERM)

    async with open_event_store(database.app_url) as store:
        games = {game for game, _ in load.acknowledged}
        stored = {game: len(await store.read_stream(game, after=StreamVersion(0), limit=1_000)) for game in games}
    assert code == 0
    assert [(game, version) for game, version in load.acknowledged if stored[game] < version] == []
    assert all(item["status"] == 503 and item["may_send_again"] for item in load.refused)
    assert load.ends == [({"type": "end", "reason": "restarting"}, RESTARTING)] * CLIENTS
    check_metrics(metrics, acknowledged_min=ENOUGH)


async def register(base: str) -> str:
    async with httpx2.AsyncClient() as client:
        answer = await client.post(f"{base}/players", json={"name": "Ada"})
        return str(answer.raise_for_status().json()["token"])


async def read_metrics(base: str) -> str:
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}) as client:
        answer = await client.get(f"{base.removesuffix('/v1')}/metrics")
        return answer.raise_for_status().text


def check_metrics(metrics: str, *, acknowledged_min: int) -> None:
    """Check that the numbers of a busy process are there, and none of what only some may know."""
    samples = dict(line.rsplit(" ", 1) for line in metrics.splitlines() if not line.startswith("#"))
    accepted = sum(int(count) for name, count in samples.items() if 'outcome="accepted"' in name)
    assert accepted >= acknowledged_min
    assert int(samples["spina_append_seconds_count"]) > 0
    # Whoever has just taken another seat is between two places.
    assert 0 <= int(samples["spina_readers"]) <= CLIENTS
    assert [samples[f'spina_up{{part="{part}"}}'] for part in ("migrations", "postgres", "redis")] == ["1"] * 3
    assert 'spina_worker_lag_events{worker="timekeeper"}' in samples
    assert not any(each in metrics for each in ("Ada", "-4000-", "other"))
