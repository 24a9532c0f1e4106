"""All answers of a server about a game to one caller, over every surface, so that two servers can be compared."""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any

from httpx2 import ASGITransport, AsyncClient, Response
from msgspec import Struct

from domain.ids import GameId, PlayerId, StreamId, StreamVersion
from infra.metrics import Metrics
from services.api.app import list_all_operations
from services.api.http.meters import Meters
from services.api.http.wrapping import measured
from services.commands.arena import NoSuchGame
from services.live.following import encode_event
from services.live.hub import Hub
from services.live.messages import Frame
from services.node.live import built_live
from services.reading.access import Caller
from tests.services.api.player import GAME, SALT, Player
from tests.services.api.server import Api
from tests.services.live.node import pace

NDJSON = {"accept": "application/x-ndjson"}
# Decisions of others, unnamed cards, commands out of their time: refusals are answers too.
WRONG: dict[str, tuple[dict[str, Any], ...]] = {
    "previews": (
        {"seat": 0, "decision": "t1/move/0", "action": {}},
        {"seat": 1, "decision": "t1/move/1", "action": {"cards": [0], "discard": None, "kind": "reset"}},
        {"seat": 1, "decision": "t1/move/1", "action": {"cards": [40], "discard": None, "kind": "reset"}},
    ),
    "seals": (
        {"seat": 0, "decision": "t1/move/0", "seal": "0" * 64},
        {"seat": 1, "decision": "t99/move/1", "seal": "0" * 64},
    ),
    "entrustments": ({"seat": 0, "decision": "t1/move/0", "action": {}, "salt": SALT},),
    "reveals": ({"seat": 1, "decision": "t1/move/1", "action": {}, "salt": SALT},),
    "actions": ({"seat": 1, "decision": "t1/move/1", "action": {}},),
    "offers": ({"seat": 0, "to": None}, {"seat": 1, "to": {"kind": "house", "bot": "none"}}),
    "seats": ({"seat": 0},),
    "ready": ({"seat": 1},),
    "leave": ({"seat": 0},),
    "resign": ({"seat": 0}, {"seat": 9}),
    "rulings": (
        {"ruling": "seat_removed", "seat": 0, "reason": "none"},
        {"ruling": "clock_extended", "seats": [0], "ms": 1, "reason": "none"},
    ),
    "abort": ({"reason": "none"},),
    "reclaim": ({"seat": 0},),
    "consents": ({"seat": 0, "to": "end"}, {"seat": 1, "to": "pause"}),
    "withdrawals": ({"seat": 0, "to": "end"},),
    "end-pause": ({"seat": 0}, {"seat": None}),
    "rematch": ({},),
}
# All else that is asked about one game; each command of `WRONG` has the path of its name.
ABOUT_ONE_GAME = (
    "/v1/games/{game}",
    "/v1/games/{game}?at=1",
    "/v1/games/{game}?seat=0",
    "/v1/games/{game}?at=99",
    "/v1/games/{game}/boards",
    "/v1/games/{game}/events",
    "/v1/games/{game}/chronicle",
    "/v1/games/{game}/bundle",
    "/v1/games/{game}/audit",
    "/v1/ledger/proofs/{game}/1",
    "/games/{game}",
    "/embed/games/{game}",
    "/games/{game}/picture.png",
    "/games/{game}/picture.png?at=1",
)
# They join the hub, which is asked in their place: a stream has no end.
STREAMS = ("/v1/games/{game}/live", "/v1/games/{game}/socket")

_PUBLIC_LOG = "shown from the public lines alone: tests/services/reading/tournaments/test_calendar.py"
_LEDGER = "holds blinded leaves, hashes and public keys alone: tests/services/ledger"
# Reads over HTTP that `tell` leaves out, each with the reason.
NOT_TOLD: Mapping[str, str] = {
    "read_web_file": "is the same bytes for every caller",
    "read_embedded_page": "is the page of `read_game_page`, for frames of other pages",
    "read_game_picture": "is drawn from the board of `read_game`, which is compared",
    "read_docs_script": "is the same bytes for every caller",
    "read_health": "names the state of servers and workers, and no game",
    "read_metrics": "is compared as `counted`",
    "follow_account": "sends the items of /v1/account/games, which are compared",
    "list_tokens": "reads the account alone",
    "list_ways": "reads the account alone",
    "list_declines": "reads the account alone",
    "read_links": "reads the account alone",
    "list_courses": "names courses, and no game",
    "list_problems": "names refusals, and no game",
    "list_ruling_forms": "names kinds of rulings, and no game",
    "read_problem": "names refusals, and no game",
    "read_course": "names a course, and no game",
    "export_account": "holds the rows of /v1/players/{player}/games, which are compared, and the offers to its account",
    "follow_game": "sends the frames of the hub, which are compared",
    "read_tournament": _PUBLIC_LOG,
    "read_entrants": _PUBLIC_LOG,
    "read_standings": _PUBLIC_LOG,
    "read_pairings": _PUBLIC_LOG,
    "read_next": _PUBLIC_LOG,
    "read_deadlines": _PUBLIC_LOG,
    "read_tournament_events": _PUBLIC_LOG,
    "export_tournament": _PUBLIC_LOG,
    "read_tournament_bundle": _PUBLIC_LOG,
    "read_checkpoint": _LEDGER,
    "read_tile": _LEDGER,
    "read_policy": _LEDGER,
}


class Told(Struct, frozen=True, kw_only=True):
    """One answer, as every party on the way can see it too."""

    status: int
    tag: str | None
    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)


class Surfaces:
    """One server with all it offers. Made by `all_surfaces`."""

    def __init__(self, api: Api, hub: Hub, game: GameId) -> None:
        self.api = api
        self.game = game
        self.hub = hub
        self.metrics = Metrics()
        meters = Meters(self.metrics, list_all_operations())
        api.parts.games.arena.on_handled = meters.note_command
        # The two packages write the same protocol with types of their own.
        app: Any = measured(api.app, meters, now_s=lambda: 0.0)
        self._client = AsyncClient(transport=ASGITransport(app=app), base_url="http://spina.test")

    async def tell(
        self, player: Player, *, others: tuple[Player, ...], office: Collection[str] = ()
    ) -> dict[str, Told]:
        """Ask for everything as an account, or without a token; commands are all refused but those of its office."""
        told: dict[str, Told] = {}
        newest = (await self._get(player, "")).json()["version"]
        for version in range(1, newest + 1):
            told[f"game at {version}"] = _told(await self._get(player, f"?at={version}"))
            told[f"proof of {version}"] = _told(await self._ask(player, f"/v1/ledger/proofs/{self.game}/{version}"))
        for first in range(1, newest + 1, 64):
            told[f"boards from {first}"] = _told(await self._get(player, f"/boards?from={first}"))
        for path in ("/events", "/chronicle", "/bundle", "/audit", "?seat=0", "?seat=9", f"?at={newest + 1}"):
            told[path] = _told(await self._get(player, path))
        told["ndjson"] = _told(await self._get(player, "/events", headers=NDJSON))
        pages = [f"/v1/players/{rival.id}{of}" for rival in others for of in ("", "/games")]
        for path in (
            "/v1/games",
            "/v1/rulesets",
            "/v1/account",
            "/v1/account/games",
            "/v1/tournaments",
            f"/games/{self.game}",
            *pages,
        ):
            told[path] = _told(await self._ask(player, path))
        return told | await self.refuse(player, office) | await self._follow(player, newest)

    async def refuse(self, player: Player, office: Collection[str] = ()) -> dict[str, Told]:
        """Send every command but those of an office; none may be accepted."""
        told = {}
        for name, bodies in WRONG.items():
            for number, body in () if name in office else enumerate(bodies):
                answer = await self._send(player, name, body, game=self.game)
                assert 400 <= answer.status_code < 500, (name, body, answer.text)
                told[f"{name} {number}"] = _told(answer)
        return told

    async def try_all(self, player: Player, game: str) -> dict[str, bytes]:
        """Ask for everything of a game, and for everything to be done with it, whether there is one or not."""
        told = {path: await self._ask(player, path.format(game=game)) for path in ABOUT_ONE_GAME}
        for name, bodies in WRONG.items():
            for number, body in enumerate(bodies):
                told[f"{name} {number}"] = await self._send(player, name, body, game=game)
        caller = Caller(player=PlayerId(player.id)) if player.id else Caller()
        try:
            self.hub.leave(await self.hub.join(GameId(StreamId(game)), caller))
        except NoSuchGame as refused:
            return {name: _seen(each) for name, each in told.items()} | {"live": str(refused).encode()}
        return {name: _seen(each) for name, each in told.items()}

    def counted(self) -> Told:
        """Read the metrics, as they are after all that was asked so far."""
        return Told(status=200, tag=None, content=self.metrics.render().encode())

    async def _follow(self, player: Player, newest: int) -> dict[str, Told]:
        caller = Caller(player=PlayerId(player.id)) if player.id else Caller()
        reader = await self.hub.join(self.game, caller, after=StreamVersion(0))
        frames: dict[str, Told] = {}
        try:
            while len(frames) < newest:
                for frame in await reader.pull():
                    if isinstance(frame, Frame):
                        frames[f"frame {frame.version}"] = Told(status=200, tag=None, content=encode_event(frame))
        finally:
            self.hub.leave(reader)
        return frames

    async def _get(self, player: Player, path: str, headers: dict[str, str] | None = None) -> Response:
        return await self._ask(player, f"/v1/games/{self.game}{path}", headers)

    async def _ask(self, player: Player, path: str, headers: dict[str, str] | None = None) -> Response:
        return await self._client.get(path, headers=player.headers | (headers or {}))

    async def _send(self, player: Player, name: str, body: dict[str, Any], *, game: str) -> Response:
        carried = body if name == "previews" else {"command": player.next_id(), **body}
        return await self._client.post(f"/v1/games/{game}/{name}", json=carried, headers=player.headers)


def _seen(answer: Response) -> bytes:
    return repr((answer.status_code, sorted(answer.headers.items()))).encode() + answer.content


def _told(answer: Response) -> Told:
    return Told(status=answer.status_code, tag=answer.headers.get("etag"), content=answer.content)


@asynccontextmanager
async def all_surfaces(api: Api, game: GameId = GAME) -> AsyncIterator[Surfaces]:
    async with built_live(api.parts, None, pace()) as live:
        yield Surfaces(api, live.hub, game)
