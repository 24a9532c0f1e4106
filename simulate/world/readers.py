"""Readers of simulated games: each follows a node's hub, comes back to another when that dies, and keeps its frames."""

import asyncio
from typing import Any

import msgspec

from domain.ids import GameId, PlayerId, StreamVersion
from infra.store_faults import StoreUnavailable
from services.commands.arena import NoSuchGame
from services.live.following import leaving, pull
from services.live.hub import Stopping
from services.live.messages import End, Frame, SeatChanged
from services.live.steps import apply_patch
from services.reading.access import Caller
from simulate.world.clients import Clients
from simulate.world.node import Node, Parts

# After so long without a frame a reader looks whether its connection is still there.
SILENCE_S = 3.0
# Of a stranger, over about the time of a game.
INTRUSIONS = 20


class Follower:
    """One reader of one game. `versions` and `lines` are as they came; `board` is patched together."""

    def __init__(self, clients: Clients, game: GameId, player: PlayerId | None) -> None:
        self.game = game
        self.player = player
        self.lines: list[bytes] = []
        self.received_ms: list[float] = []
        self.first: StreamVersion | None = None
        self.board: Any = None
        self.is_whole_due = True
        self.faults: list[str] = []
        self.has_all = False
        self._clients = clients

    @property
    def version(self) -> StreamVersion | None:
        return None if self.first is None else StreamVersion(self.first + len(self.lines) - 1)

    async def follow(self) -> None:
        """Follow the game to its end."""
        while not self.has_all:
            await self._follow_at_a_node()

    async def intrude(self) -> None:
        """Ask for a game again and again that must not be shown to this reader."""
        for _ in range(INTRUSIONS):
            await self._follow_at_a_node()

    async def _follow_at_a_node(self) -> None:
        node = self._clients.numbers.choice(self._clients.nodes)
        inbox: asyncio.Queue[Any] = asyncio.Queue()
        task = node.call(lambda parts: self._pump(parts, inbox))
        if task is not None:
            await self._take_in(node, inbox)
            task.cancel()
        await asyncio.sleep(self._clients.numbers.uniform(0.2, 0.8))

    async def _pump(self, parts: Parts, inbox: "asyncio.Queue[Any]") -> None:
        """Hand on the hub's messages, in the node's process."""
        try:
            reader = await parts.hub.join(self.game, Caller(player=self.player), after=self.version)
        except (NoSuchGame, Stopping, StoreUnavailable):
            inbox.put_nowait(End(reason="restarting"))
            return
        async with leaving(parts.hub, reader):
            while True:
                for message in await pull(parts.hub, reader):
                    inbox.put_nowait(message)
                    if isinstance(message, End):
                        return

    async def _take_in(self, node: Node, inbox: "asyncio.Queue[Any]") -> None:
        self.is_whole_due = True
        host = node.host
        while True:
            try:
                message = await asyncio.wait_for(inbox.get(), SILENCE_S)
            except TimeoutError:
                message = None
            if node.host is not host:
                # Its process has died meanwhile; frames on their way are lost with the connection.
                return
            match message:
                case Frame():
                    self._read(message)
                case SeatChanged():
                    self.is_whole_due = True
                case End(reason=reason):
                    self.has_all = reason == "over"
                    return
                case _:
                    pass

    def _read(self, frame: Frame) -> None:
        told = _FRAME.decode(frame.body)
        if self.version is not None and frame.version != self.version + 1:
            self.faults.append(f"a reader of {self.game} at {self.version} was told version {frame.version}")
        if self.first is None:
            self.first = frame.version
        self.lines.append(bytes(told.line))
        self.received_ms.append(asyncio.get_running_loop().time() * 1000)
        self.board = told.board if self.is_whole_due else apply_patch(self.board, told.board)
        self.is_whole_due = False


class _Told(msgspec.Struct, frozen=True):
    line: msgspec.Raw
    board: Any


_FRAME = msgspec.json.Decoder(_Told)
