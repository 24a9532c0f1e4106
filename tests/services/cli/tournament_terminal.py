"""A real server with an organiser at a terminal and players at their own: they share only the public API.

Commands run within the process of the test, as there are many; each has an environment with nothing of ours in it.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from typer.testing import CliRunner

from domain.audit.bundle import parse_bundle
from domain.audit.tournament_bundle import parse_tournament_bundle
from services.cli.main import app
from spina_client.client import Client, register
from spina_client.connection import Connection, Request, connected
from spina_client.ids import Seat, TournamentId
from spina_client.problems import Refused
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Account
from spina_client.tournament import TournamentAt, list_tournaments
from tests.own_logging import own_logging
from tests.services.cli.program import serving

LOOKS_MAX = 400
LOOK_PAUSE_S = 0.05


class Ended(Struct, frozen=True):
    """How a command ended; `sentence` is its refusal."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        *_, last = self.err.strip().splitlines()
        assert last.startswith("spina: "), self.err
        return last.removeprefix("spina: ")

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def invoke(*arguments: str, **given: str) -> Ended:
    """Run a command as `spina` would."""
    ours = {name: None for name in os.environ if name.startswith("SPINA_")}
    with own_logging():
        result = CliRunner().invoke(app, arguments, env={**ours, "COLUMNS": "240", "TERM": "dumb", **given})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout, result.stderr)


class Guest:
    """A player at a terminal of its own, with its links in its own pocket."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.secrets = build_seat_secrets()

    def at(self, connection: Connection, tournament: str) -> TournamentAt:
        return TournamentAt(Client(connection, self.account), TournamentId(tournament), self.secrets)


class Hall:
    """The server's address, the token files, and the folder for the commands' output."""

    def __init__(self, url: str, folder: Path, data: Path) -> None:
        self.url = url
        self.folder = folder
        self.data = data
        self.token_file = folder / "orga.token"

    def spina(self, *arguments: str, **given: str) -> Ended:
        """Run `spina tournament …` at this server."""
        return invoke("tournament", *arguments, "--url", self.url, **given)

    def fetch(self, path: str, **params: str | int) -> bytes:
        """Read the server's own bytes, and come again where it asks for that."""

        async def fetching() -> bytes:
            async with connected(self.url) as connection:
                return await connection.send(Request(method="GET", path=path, token=None, params=params))

        return asyncio.run(fetching())

    def organise(self, *arguments: str) -> Ended:
        """Run it as the organiser; it must succeed."""
        ended = self.spina(*arguments, "--token-file", str(self.token_file))
        assert ended.code == 0, ended
        return ended

    def make_organiser(self) -> None:
        made = invoke("account", "create", "--role", "organiser", "--name", "Orga", "--json", SPINA_DATA=str(self.data))
        self.token_file.write_text(made.json["token"])
        self.organiser: str = made.json["id"]

    def open(self, *options: str) -> str:
        terms = ("--name", "Consualia", "--ruleset", "chariot-race", "--rounds", "2", "--table-size", "2")
        return self.organise("open", *terms, *options).out.strip()

    def enter(self, tournament: str, *names: str) -> list[Guest]:
        async def entering() -> list[Guest]:
            async with connected(self.url) as connection:
                guests = [Guest(await register(connection, name)) for name in names]
                # A name that another test of the same server has taken would be another one, in some orders.
                assert [guest.account.name for guest in guests] == [*names]
                for guest in guests:
                    await guest.at(connection, tournament).enter()
                return guests

        return asyncio.run(entering())

    def check_in(self, tournament: str, *guests: Guest) -> None:
        async def checking_in() -> None:
            async with connected(self.url) as connection:
                for guest in guests:
                    at = guest.at(connection, tournament)
                    seen = await at.read_next()
                    assert seen is not None
                    await at.check_in(seen)

        asyncio.run(checking_in())

    def play(self, tournament: str, *guests: Guest) -> None:
        """Seat all drawn entrants; the lowest seat of each table resigns at once, and its result is taken."""

        async def playing() -> None:
            async with connected(self.url) as connection:
                seats = [seat for guest in guests if (seat := await _sit_down(guest.at(connection, tournament)))]
                for seat in seats:
                    await seat.ready()
                for seat in seats:
                    if seat.seat == 0:
                        await seat.resign()
                at = guests[0].at(connection, tournament)
                seen = await at.read()
                while seen.round_status != "closed":
                    seen = await at.wait_on(seen.version)

        asyncio.run(playing())

    def until_proven(self, tournament: str) -> None:
        """Wait for the checkpoint over the last line, which covers all its games."""

        async def proving() -> None:
            async with connected(self.url) as connection:
                request = Request(method="GET", path=f"/v1/tournaments/{tournament}/bundle", token=None)
                for _ in range(LOOKS_MAX):
                    bundle = parse_tournament_bundle(await connection.send(request))
                    proofs = [bundle.last_proof, *(parse_bundle(game.raw).last_proof for game in bundle.games)]
                    if None not in proofs:
                        return
                    await asyncio.sleep(LOOK_PAUSE_S)
            raise AssertionError(tournament)

        asyncio.run(proving())

    def until_listed(self, tournament: str, status: str) -> None:
        """Wait for the list, which follows the log a moment later."""

        async def listing() -> None:
            async with connected(self.url) as connection:
                for _ in range(LOOKS_MAX):
                    if any(each.id == tournament for each in await list_tournaments(connection, status=status)):
                        return
                    await asyncio.sleep(LOOK_PAUSE_S)
            raise AssertionError(tournament)

        asyncio.run(listing())


async def _sit_down(at: TournamentAt) -> SeatAt | None:
    seen = await at.read_next()
    assert seen is not None
    if seen.what != "play" or seen.game is None or seen.seat is None:
        return None
    seat = SeatAt(at.client, seen.game, Seat(seen.seat), build_seat_secrets())
    for _ in range(LOOKS_MAX):
        with suppress(Refused):
            await seat.take()
            return seat
        # The steward opens it in a moment.
        await asyncio.sleep(LOOK_PAUSE_S)
    raise AssertionError(seen)


@contextmanager
def hall_of_its_own(folder: Path, **given: str) -> Iterator[Hall]:
    data = folder / "data"
    with serving(data, **given) as server:
        hall = Hall(server.until_ready().removesuffix("/v1/health"), folder, data)
        hall.make_organiser()
        yield hall
