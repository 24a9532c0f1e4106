"""A player over HTTP as tests play: with or without links and a key of its own, in its own custody or the server's."""

from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from httpx2 import Response

from domain.canonical import encode
from domain.ids import CommandId, DecisionId, GameId, Seat, StreamId
from domain.links import build_links
from domain.seal import seal_action
from domain.signature import signed_input
from tests.services.api.server import Api

SALT = "33" * 32
# The secret of a link to a seat, and the offer of the seat.
INVITATION = "77" * 32
LINK = {"kind": "link", "hash": sha256(bytes.fromhex(INVITATION)).hexdigest()}
GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
OPENING: dict[str, Any] = {"command": GAME, "ruleset": "torches@1", "seats": 2}


class Player:
    """One account. `seat` is known once it was taken."""

    def __init__(self, api: Api, token: str | None, *, number: int = 0, game: GameId = GAME) -> None:
        self.api = api
        self.game = game
        self.seat = Seat(0)
        self.id = ""
        self.key: Ed25519PrivateKey | None = None
        self.links: tuple[str, ...] = ()
        self.headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._number = number
        self._commands = 0

    async def get(self, path: str = "", **params: Any) -> Response:
        headers = self.headers | params.pop("headers", {})
        return await self.api.client.get(f"/v1/games/{self.game}{path}", headers=headers, params=params)

    async def post(self, path: str, body: dict[str, Any] | bytes) -> Response:
        """Send a body in canonical form, so that the actions in it are, or as it stands."""
        content = body if isinstance(body, bytes) else encode(body)
        headers = {"content-type": "application/json", **self.headers}
        return await self.api.client.post(f"/v1{path}", content=content, headers=headers)

    async def command(self, name: str, **fields: Any) -> Response:
        return await self.post(f"/games/{self.game}/{name}", {"command": self.next_id(), **fields})

    async def open(self, **terms: Any) -> Response:
        return await self.post("/games", {**OPENING, "command": self.game, **terms})

    async def take(self, seat: int = 0, **fields: Any) -> Response:
        self.seat = Seat(seat)
        if self.links:
            fields = {"anchor": self.links[0], "links": len(self.links) - 1, **fields}
        if self.key is not None:
            fields["key"] = self.key.public_key().public_bytes_raw().hex()
        asked = {"anchor": None, "links": 0, "key": None, **fields, "seat": seat}
        signed = {name: value for name, value in asked.items() if name != "invitation"} | {"player": self.id}
        return await self.signed("seats", "seat_taken", signed, **asked)

    async def ready(self, **fields: Any) -> Response:
        data = {"seat": self.seat, "nonce": await self.nonce(), **fields}
        return await self.signed("ready", "seat_readied", data, **data)

    async def seal(self, decision: str, action: Any) -> Response:
        """Own custody: the server sees the hash alone."""
        data = {"seat": self.seat, "decision": decision, "seal": self.seal_of(decision, action)}
        return await self.signed("seals", "action_sealed", data, **data)

    async def entrust(self, decision: str, action: Any) -> Response:
        """Server custody: the server seals and reveals."""
        data = {"seat": self.seat, "decision": decision, "seal": self.seal_of(decision, action)}
        sent = {"seat": self.seat, "decision": decision, "action": action, "salt": SALT, "nonce": await self.nonce()}
        return await self.signed("entrustments", "action_sealed", data, **sent)

    async def reveal(self, decision: str, action: Any, **fields: Any) -> Response:
        nonce = await self.nonce()
        data = {"seat": self.seat, "decision": decision, "action": action, "salt": SALT, "nonce": nonce, **fields}
        return await self.signed("reveals", "action_revealed", data, **data)

    async def play(self, decision: str, action: Any, **fields: Any) -> Response:
        data = {"seat": self.seat, "decision": decision, "action": action, "nonce": await self.nonce(), **fields}
        return await self.signed("actions", "action_played", data, **data)

    async def resign(self) -> Response:
        return await self.signed("resign", "seat_resigned", {"seat": self.seat}, seat=self.seat)

    async def signed(self, name: str, type_: str, data: dict[str, Any], **sent: Any) -> Response:
        """Send a command, with the data of its line signed where this player has a key."""
        command = self.next_id()
        body = {"command": command, **sent}
        if self.key is not None:
            base = (await self.get()).json()["head"]
            message = signed_input(base=base, command=command, data=data, stream=self.game, type_=type_)
            body["base"], body["sig"] = base, self.key.sign(message).hex()
        return await self.post(f"/games/{self.game}/{name}", body)

    def seal_of(self, decision: str, action: Any) -> str:
        return seal_action(
            game=self.game, seat=self.seat, decision=DecisionId(decision), salt=SALT, action=encode(action)
        )

    async def nonce(self) -> str | None:
        """Return the next link, by the links that the server has seen."""
        if not self.links:
            return None
        shown = (await self.get()).json()["seats"][self.seat]
        return self.links[self.links.index(shown["last_link"]) + 1] if shown["links_left"] else None

    def next_id(self) -> CommandId:
        self._commands += 1
        return CommandId(f"0199c0de-0000-7000-{0x9000 + self._number:04x}-{self._commands:012d}")


async def register(api: Api, name: str, *, number: int = 0, links: int = 0, is_signing: bool = False) -> Player:
    """Make an account over HTTP."""
    response = await api.client.post("/v1/players", json={"name": name})
    assert response.status_code == 201, response.text
    made = response.json()
    player = Player(api, made["token"], number=number)
    player.id = made["id"]
    if links:
        player.links = build_links(sha256(name.encode()).digest(), links)
    if is_signing:
        player.key = Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())
    return player


async def seat_two(api: Api, *, game: GameId = GAME, **terms: Any) -> tuple[Player, Player]:
    """Open a game of two and start it."""
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    ada.game = bob.game = game
    await expect(ada.open(**terms), 201)
    for seat, player in enumerate((ada, bob)):
        await expect(player.take(seat), 200)
    for player in (ada, bob):
        await expect(player.ready(), 200)
    return ada, bob


async def seat_two_in_private(api: Api, *, game: GameId = GAME, **terms: Any) -> tuple[Player, Player]:
    """Open a private game of two, invite the second by a link, and start it."""
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    ada.game = bob.game = game
    await expect(ada.open(visibility="private", offers=[None, LINK], **terms), 201)
    await expect(ada.take(0), 200)
    await expect(bob.take(1, invitation=INVITATION), 200)
    for player in (ada, bob):
        await expect(player.ready(), 200)
    return ada, bob


async def expect(asking: Any, status: int) -> Any:
    """Return the body of an answer that has this status."""
    response: Response = await asking
    assert response.status_code == status, response.text
    return response.json()
