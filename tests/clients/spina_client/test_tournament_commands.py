"""Every command of a tournament has a method, whose body the server's own reader takes."""

from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from domain.canonical import encode
from domain.tournament.events import INPUT_TYPES
from services.api.tournaments.tournament_inputs import INPUTS
from spina_client.client import Client
from spina_client.formats import Json
from spina_client.ids import PlayerId, StreamVersion, TournamentId
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Account
from spina_client.tournament import TournamentAt
from spina_client.tournament_seen import NextSeen, TournamentAccepted, TournamentSeen

ID = "0199c0de-0000-7000-8000-000000000001"
SECRETS = build_seat_secrets(links_count=8, is_signing=True)
NEXT = cast("NextSeen", type("Next", (), {"entrant": 0, "round": 1, "last_link": SECRETS.anchor, "links_left": 8}))


class Recorded(TournamentAt):
    """A tournament that keeps its commands instead of sending them."""

    def __init__(self) -> None:
        account = Account(id=PlayerId(ID), name="Ada", token="")
        super().__init__(Client(cast("Any", None), account), TournamentId(ID), SECRETS)
        self.sent: list[tuple[str, str, dict[str, Any]]] = []

    async def read(self, *, min_version: StreamVersion | None = None) -> TournamentSeen:
        del min_version
        return cast("TournamentSeen", type("Seen", (), {"entries": 0}))

    async def signed(
        self, name: str, type_: str, fields: dict[str, Json], *, sent: dict[str, Json] | None = None, **_added: Json
    ) -> TournamentAccepted:
        self.sent.append((name, type_, {"command": ID, **fields, **(sent or {})}))
        return cast("TournamentAccepted", None)


CALLS: dict[str, Callable[[TournamentAt], Awaitable[TournamentAccepted]]] = {
    "entries": lambda at: at.enter("SUMMERCUP2226ABC", ("Albata", "ALBATA2226ABCDEF")),
    "withdrawals": lambda at: at.withdraw(NEXT),
    "helpers": lambda at: at.join_as_helper(0, "5d" * 32),
    "looks": lambda at: at.follow_table(1, 2, 1),
    "continuations": lambda at: at.continue_entry(0, "5d" * 32),
    "skips": lambda at: at.skip_round(0, 2),
    "calls": lambda at: at.call_organiser(0, "The clock stands."),
    "answers": lambda at: at.answer_call(StreamVersion(7), "On the way."),
    "announcements": lambda at: at.announce("Round 2 begins.", [1, 0]),
    "check-ins": lambda at: at.check_in(NEXT),
    "close-entries": lambda at: at.close_entries(),
    "rounds": lambda at: at.call_round(1),
    "rulings": lambda at: at.rule("entrant_removed", {"entrant": 0, "reason": "absent"}),
    "close": lambda at: at.close(),
    "abort": lambda at: at.abort("rain"),
}


def test_every_command_of_a_tournament_has_a_method() -> None:
    assert CALLS.keys() == INPUTS.keys()


@pytest.mark.parametrize("name", sorted(INPUTS))
async def test_the_body_of_a_method_is_one_that_the_server_takes(name: str) -> None:
    at = Recorded()

    await CALLS[name](at)

    ((path, type_, body),) = at.sent
    INPUTS[path].read(encode(body))
    assert path == name
    assert INPUT_TYPES[type_] in INPUTS[name].kinds
