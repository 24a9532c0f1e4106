"""One seat of one game: taken, played and left, with its links, salts, seals and signatures.

The next link follows from the last one in the log, so a seat is played on after any interruption.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from spina_client.client import Client
from spina_client.formats import Json, encode, seal_action
from spina_client.ids import DecisionId, GameId, LineHash, Seat
from spina_client.seat_secrets import SealedAction, SeatSecrets, build_salt
from spina_client.seen import Accepted, GameSeen, Previewed, SeatSeen
from spina_client.signed_commands import Event, send_signed


def _keep_nothing(_secrets: SeatSecrets) -> None:
    """Leave the secrets to the program."""


class SeatAt:
    """A seat of this account, taken or about to be. Every method raises the exceptions of the client."""

    def __init__(
        self,
        client: Client,
        game: GameId,
        seat: Seat,
        secrets: SeatSecrets,
        *,
        keep: Callable[[SeatSecrets], None] | None = None,
    ) -> None:
        """`keep` gets the secrets before each request that makes new ones binding, so that none is ever lost."""
        self.client = client
        self._keep = keep or _keep_nothing
        self.game = game
        self.seat = seat
        self.secrets = secrets
        # The newest line that was seen here.
        self._head: LineHash | None = None

    def __repr__(self) -> str:
        return f"SeatAt({self.game}, seat {self.seat}, {self.secrets!r})"

    async def take(self, *, invitation: str | None = None) -> Accepted:
        """Take the seat with the anchor and the public key of its secrets; a private game asks for its invitation."""
        secrets = self.secrets
        self._keep(secrets)
        fields = {"seat": self.seat, "anchor": secrets.anchor, "links": secrets.count, "key": secrets.public_key}
        sent = {**fields, "invitation": invitation}
        return await self._command("seats", "seat_taken", {**fields, "player": self.client.account.id}, sent)

    async def ready(self) -> Accepted:
        """Declare the seat ready; the game starts once every seat is."""
        seen = await self.read()
        data = {"seat": self.seat, "nonce": self._next_link(seen)}
        return await self._command("ready", "seat_readied", data, data)

    async def leave(self) -> Accepted:
        return await self._command("leave", "seat_left", {"seat": self.seat}, {"seat": self.seat})

    async def resign(self) -> Accepted:
        return await self._command("resign", "seat_resigned", {"seat": self.seat}, {"seat": self.seat})

    async def reclaim(self) -> Accepted:
        """Take the seat back from the house bot that plays for it."""
        return await self._command("reclaim", "seat_reclaimed", {"seat": self.seat}, {"seat": self.seat})

    async def consent(self, to: Literal["end", "pause"]) -> Accepted:
        """Agree to end the game without a result, or to pause its clocks."""
        return await self._agree("consents", "consent_given", to)

    async def withdraw(self, to: Literal["end", "pause"]) -> Accepted:
        return await self._agree("withdrawals", "consent_withdrawn", to)

    async def end_pause(self) -> Accepted:
        """End a pause."""
        return await self._command("end-pause", "pause_ended", {"seat": self.seat}, {"seat": self.seat})

    async def read(self) -> GameSeen:
        seen = await self.client.read_game(self.game)
        self._head = seen.head
        return seen

    async def play(self, seen: GameSeen, decision: DecisionId, action: Json) -> Accepted:
        """Answer a plain decision."""
        data = {"seat": self.seat, "decision": decision, "action": action, "nonce": self._next_link(seen)}
        sent = {**data, "entrusted_link": self._further_link(seen)}
        return await self._command("actions", "action_played", data, sent)

    async def preview(self, decision: DecisionId, action: Json) -> msgspec.Raw:
        """Return the effect of an action, as the ruleset shows it. Nothing is stored."""
        client, body = self.client, {"seat": self.seat, "decision": decision, "action": action}
        path = f"/v1/games/{self.game}/previews"
        return (await client.connection.post(path, Previewed, body, token=client.account.token)).effect

    async def seal(self, decision: DecisionId, action: Json) -> Accepted:
        """Answer a sealed decision in own custody: the server gets the hash alone, until `reveal`."""
        salt = build_salt()
        self.secrets.sealed[decision] = SealedAction(action=action, salt=salt)
        self._keep(self.secrets)
        data = {"seat": self.seat, "decision": decision, "seal": self._seal(decision, action, salt)}
        return await self._command("seals", "action_sealed", data, data)

    async def entrust(self, seen: GameSeen, decision: DecisionId, action: Json) -> Accepted:
        """Answer a sealed decision in the server's custody: it seals now and reveals when all seals are in."""
        salt = build_salt()
        data = {"seat": self.seat, "decision": decision, "seal": self._seal(decision, action, salt)}
        # Where several choices are owed or kept at once each needs a link; the server walks back from the furthest.
        owed = {owed.decision for owed in seen.owed if owed.seat == self.seat and owed.kind == "sealed"}
        choices = len(owed | self._in_custody(seen))
        nonce = self.secrets.find_link(self._own(seen).last_link, steps=min(choices, self._own(seen).links_left))
        sent = {"seat": self.seat, "decision": decision, "action": action, "salt": salt, "nonce": nonce}
        self.secrets.entrusted.add(decision)
        self._keep(self.secrets)
        return await self._command("entrustments", "action_sealed", data, sent)

    async def reveal(self, seen: GameSeen, decision: DecisionId) -> Accepted:
        """Reveal the action sealed for this decision."""
        sealed = self.secrets.sealed[decision]
        data = {
            "seat": self.seat,
            "decision": decision,
            "action": sealed.action,
            "salt": sealed.salt,
            "nonce": self._next_link(seen),
        }
        sent = {**data, "entrusted_link": self._further_link(seen)}
        accepted = await self._command("reveals", "action_revealed", data, sent)
        del self.secrets.sealed[decision]
        return accepted

    async def _agree(self, name: str, type_: str, to: str) -> Accepted:
        data = {"seat": self.seat, "to": to}
        return await self._command(name, type_, data, data)

    async def _command(self, name: str, type_: str, data: dict[str, Any], sent: dict[str, Any]) -> Accepted:
        """Send a command; `data`, the data of its line, is signed where the seat has a key."""
        command = self.client.new_id()

        async def send(signature: dict[str, Any]) -> Accepted:
            return await self.client.post(f"/v1/games/{self.game}/{name}", {**sent, **signature}, command=command)

        event = Event(command=command, data=data, stream=self.game, type=type_)
        accepted = await send_signed(event, self.secrets.key, send, self._read_head, head=self._head)
        self._head = accepted.head
        return accepted

    async def _read_head(self) -> LineHash:
        return (await self.read()).head

    def _seal(self, decision: DecisionId, action: Json, salt: str) -> str:
        return seal_action(game=self.game, seat=self.seat, decision=decision, salt=salt, action=encode(action))

    def _next_link(self, seen: GameSeen) -> str | None:
        own = self._own(seen)
        return self.secrets.find_link(own.last_link, steps=min(own.links_left, 1))

    def _further_link(self, seen: GameSeen) -> str | None:
        """Return the link to entrust with the next one, so that the server can still reveal the actions it keeps."""
        count, own = len(self._in_custody(seen)), self._own(seen)
        if not count or own.links_left <= 1:
            return None
        return self.secrets.find_link(own.last_link, steps=min(1 + count, own.links_left))

    def _in_custody(self, seen: GameSeen) -> set[DecisionId]:
        return self.secrets.entrusted.intersection(seen.sealed)

    def _own(self, seen: GameSeen) -> SeatSeen:
        return seen.seats[self.seat]
