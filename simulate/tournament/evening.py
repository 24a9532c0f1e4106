"""The evening of a club: every hand of its organisers and helpers, at moments that follow from the rounds alone.

It plays beside the accidents of the programme, so that the file of one evening has an act of each kind with its reason.
"""

import asyncio
import secrets
from collections.abc import Callable
from hashlib import sha256
from random import Random

from domain.ruleset.kit import Kit
from spina_client.bot import OVERTAKEN, Bot
from spina_client.client import Client, register
from spina_client.entrant import go_on
from spina_client.formats import Json
from spina_client.problems import Refused
from spina_client.seat_secrets import build_seat_secrets
from spina_client.tournament import TournamentAt
from spina_client.tournament_seen import TournamentSeen
from spina_players.bots.player import read_bot
from spina_players.demonstrations.tournament import AtRound

# Long enough for the server to stop every clock, and for an arbiter to look up.
PAUSE_S = 1.0
SECRET_BYTES = 32
# The bots that lose their phone and that call an organiser, by number.
LOST, CALLER = 6, 7


class Evening:
    """The work of the organiser and the helpers at each round; `by_hand` is the round whose draw is looked at."""

    def __init__(self, kit: Kit, *, by_hand: int, rule_after: AtRound) -> None:
        self.kit = kit
        self.by_hand = by_hand
        self.rule_after = rule_after
        self.helpers: dict[str, TournamentAt] = {}

    async def before(self, at: TournamentAt, round_: int) -> None:
        """Invite the helpers and keep a brother and a sister apart; hold the draw that is changed by hand."""
        if round_ == 1:
            for role in ("arbiter", "desk"):
                self.helpers[role] = await self._invite(at, role)
            await self.helpers["desk"].rule(
                "pairing_wished", {"entrants": [2, 3], "wish": "apart", "reason": "They are cousins."}
            )
        if round_ == self.by_hand:
            await self.helpers["desk"].rule("draw_held", {"round": round_, "reason": "We look at the tables first."})

    async def during(self, at: TournamentAt, round_: int) -> None:
        """Answer a dispute, pause the first round, seat one by hand, and hand an entry on."""
        if round_ == 1:
            await asyncio.gather(self._answer(), self._pause(at, round_))
        if round_ == self.by_hand:
            await _wait(at, lambda seen: seen.round == round_ and seen.round_status == "playing")
            device = await self._replace_phone(at)
            await self._seat(at, round_)
            await go_on(device, Bot(choose=read_bot(self.kit, self.kit.favourites[0]), numbers=Random(round_)))  # noqa: S311  of a bot's whims

    async def after(self, at: TournamentAt, round_: int) -> None:
        """Rule as every rehearsal does; after the first round two rule on the same at once."""
        await self.rule_after(at, round_)
        if round_ == 1:
            await self._rule_twice(at, round_)

    async def _invite(self, at: TournamentAt, role: str) -> TournamentAt:
        secret = secrets.token_bytes(SECRET_BYTES)
        invited = {"role": role, "link": sha256(secret).hexdigest(), "reason": f"The hall needs its {role}."}
        await at.rule("helper_invited", dict[str, Json](invited))
        connection = at.client.connection
        account = await register(connection, f"The {role}")
        helper = TournamentAt(Client(connection, account), at.tournament, build_seat_secrets(is_signing=True))
        await helper.join_as_helper(len(self.helpers), secret.hex())
        return helper

    async def _answer(self) -> None:
        desk = self.helpers["desk"]
        seen = await _wait(desk, lambda seen: bool(seen.calls))
        await desk.answer_call(seen.calls[0].line, "The marker stands where it stands; I am on my way.")

    async def _pause(self, at: TournamentAt, round_: int) -> None:
        arbiter = self.helpers["arbiter"]
        await _wait(at, lambda seen: seen.round == round_ and seen.round_status != "check_in")
        try:
            await arbiter.rule("round_paused", {"round": round_, "reason": "Smoke in the cellar."})
            await asyncio.sleep(PAUSE_S)
            await arbiter.rule("round_resumed", {"round": round_, "reason": "It was the kitchen."})
        except Refused as refused:
            # The last table may be quicker than the smoke.
            if refused.problem.status != OVERTAKEN:
                raise

    async def _seat(self, at: TournamentAt, round_: int) -> None:
        """Let the first of two tables change places, and release the draw."""
        desk = self.helpers["desk"]
        one, other = (await at.read_pairings()).items[round_ - 1].tables[:2]
        seats = [[seat.entrant for seat in table.seats] for table in (one, other)]
        seats[0][0], seats[1][0] = seats[1][0], seats[0][0]
        tables: list[Json] = [
            {"table": table.table, "attempt": table.attempt, "entrants": list[Json](seated)}
            for table, seated in zip((one, other), seats, strict=True)
        ]
        await desk.rule("tables_seated", {"round": round_, "tables": tables, "reason": "They came in one car."})
        await desk.rule("draw_released", {"round": round_, "reason": "The tables are as they should be."})

    async def _replace_phone(self, at: TournamentAt) -> TournamentAt:
        """Hand the entry of the lost phone on to another device."""
        entrants = (await at.read_entrants()).items
        lost = next(entry for entry in entrants if entry.left is None and f" {LOST + 1} " in (entry.name or ""))
        secret = secrets.token_bytes(SECRET_BYTES)
        fields: dict[str, Json] = {"entrant": lost.entrant, "link": sha256(secret).hexdigest(), "game": "again"}
        await self.helpers["desk"].rule("entry_handed", fields | {"reason": "The phone fell into the river."})
        connection = at.client.connection
        account = await register(connection, f"{lost.name} on another phone")
        device = TournamentAt(Client(connection, account), at.tournament, build_seat_secrets(is_signing=True))
        await device.continue_entry(lost.entrant, secret.hex())
        return device

    async def _rule_twice(self, at: TournamentAt, round_: int) -> None:
        """Let the organiser and the arbiter take the same points from the same entrant: one of them is refused."""
        seen = (await at.read()).version
        penalty: dict[str, Json] = {"entrant": 2, "round": round_, "points": -5, "reason": "Rolled twice."}
        rulers = (at, self.helpers["arbiter"])
        told = await asyncio.gather(
            *(ruler.rule("points_ruled", penalty, seen=seen) for ruler in rulers), return_exceptions=True
        )
        refused = [error for error in told if isinstance(error, BaseException)]
        assert len(refused) == 1, f"expected one of two equal rulings to be refused, found {refused}"
        if not (isinstance(refused[0], Refused) and refused[0].problem.code == "ruled-meanwhile"):
            raise refused[0]


async def _wait(at: TournamentAt, is_so: Callable[[TournamentSeen], bool]) -> TournamentSeen:
    seen = await at.read()
    while not is_so(seen):
        seen = await at.wait_on(seen.version)
    return seen
