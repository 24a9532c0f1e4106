"""`spina verify` of a game at a server's address, and of a ledger that its reader has seen before."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from infra.keys import MasterKey, format_master_key
from spina_client.client import Client, Terms, register
from spina_client.connection import connected
from spina_client.ids import GameId, Seat
from spina_client.seat import SeatAt
from spina_client.seat_secrets import SeatSecrets
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, Serving, run, serving

KEY = format_master_key(MasterKey(bytes(range(32))))


@contextmanager
def server_with_games(data: Path, database: Database, games: int) -> Iterator[tuple[str, list[GameId]]]:
    """Serve, and play some games one after the other, each with its proofs kept before the next begins."""
    given = {"SPINA_DATABASE_URL": database.owner_url, "SPINA_MASTER_KEY": KEY}
    with serving(data, **given) as server:
        url = server.until_ready().removesuffix("/v1/health")
        yield url, [play(server, url, given) for _ in range(games)]


def play(server: Serving, url: str, given: dict[str, str]) -> GameId:
    game = asyncio.run(resign_at_once(url))
    exported = run("export", game, "--to", str(server.data), SPINA_DATA=str(server.data), **given)
    assert (exported.returncode, exported.stderr) == (0, "")
    return game


async def resign_at_once(url: str) -> GameId:
    """Play the shortest game there is."""
    async with connected(url) as connection:
        clients = [Client(connection, await register(connection, name)) for name in ("Ada", "Bob")]
        game = (await clients[0].open_game(Terms(ruleset="chariot-race@1", seats=2))).game
        seats = [SeatAt(client, game, Seat(place), SeatSecrets()) for place, client in enumerate(clients)]
        for at in seats:
            await at.take()
        for at in seats:
            await at.ready()
        await seats[0].resign()
        return game


def fetch_to(path: Path, url: str) -> Path:
    with urlopen(url, timeout=PATIENCE_S) as answer:  # noqa: S310  the server under test, on the loopback
        path.write_bytes(answer.read())
    return path


def findings_of(printed: str) -> dict[str, Any]:
    return {finding["check"]: finding["result"] for finding in json.loads(printed)["files"][0]["report"]["findings"]}


def test_a_game_is_verified_at_its_address_against_the_ledger_of_today(tmp_path: Path, database: Database) -> None:
    with server_with_games(tmp_path, database, 2) as (url, (first, second)):
        policy = fetch_to(tmp_path / "trusted.policy", f"{url}/v1/ledger/policy")

        page = run("verify", f"{url}/games/{first}", "--policy", str(policy), "--json")
        both = run("verify", f"{url}/v1/games/{first}", f"{url}/games/{second}", "--policy", str(policy))
        untrusted = run("verify", f"{url}/games/{first}")

    growth = findings_of(page.stdout)["growth"]
    assert (page.returncode, both.returncode, untrusted.returncode) == (0, 0, 3), page.stdout
    assert growth["seen"].startswith("from ")
    assert "2 of 2 bundles hold in everything." in both.stdout


def test_whoever_kept_a_bundle_sees_that_the_ledger_only_grew(tmp_path: Path, database: Database) -> None:
    with server_with_games(tmp_path, database, 2) as (url, (first, second)):
        policy = fetch_to(tmp_path / "trusted.policy", f"{url}/v1/ledger/policy")
        older = fetch_to(tmp_path / "older.zip", f"{url}/v1/games/{first}/bundle")
        proof = fetch_to(tmp_path / "older.tlog-proof", f"{url}/v1/ledger/proofs/{first}/1")
        newest = fetch_to(tmp_path / "newest", f"{url}/v1/ledger/checkpoint")
        options = ("--policy", str(policy), "--json")

        found = [
            findings_of(run("verify", f"{url}/games/{game}", "--since", str(kept), *options).stdout)["growth"]
            for game, kept in ((second, older), (second, proof), (first, newest))
        ]
        offline = run("verify", str(older), "--since", str(newest), *options)

    assert [finding["verdict"] for finding in found] == ["held"] * 3
    # The file that was kept has no path to what came after it.
    assert (offline.returncode, findings_of(offline.stdout)["growth"]["verdict"]) == (3, "not_checkable_yet")


def test_a_file_with_a_path_is_compared_offline(tmp_path: Path, database: Database) -> None:
    with server_with_games(tmp_path, database, 2) as (url, (first, second)):
        policy = fetch_to(tmp_path / "trusted.policy", f"{url}/v1/ledger/policy")
        older = fetch_to(tmp_path / "older.zip", f"{url}/v1/games/{first}/bundle")
        size = older.read_bytes().split(b"\nlocalhost/spina\n")[1].split(b"\n")[0].decode()
        since = fetch_to(tmp_path / "since.zip", f"{url}/v1/games/{second}/bundle?since={size}")

    ended = run("verify", str(since), "--since", str(older), "--policy", str(policy), "--json")

    assert ended.returncode == 0, ended.stdout
    assert findings_of(ended.stdout)["growth"]["seen"].startswith(f"from {size} leaves to ")


def test_a_private_game_is_verified_by_whoever_may_see_it(tmp_path: Path, database: Database) -> None:
    token, empty = tmp_path / "token", tmp_path / "empty"
    empty.write_text("\n")
    with server_with_games(tmp_path, database, 0) as (url, _):
        game, secret = asyncio.run(open_private(url))
        token.write_text(f"{secret}\n")
        stranger = run("verify", f"{url}/games/{game}")
        opener = run("verify", f"{url}/games/{game}", "--token-file", str(token))
    refused = run("verify", f"{url}/games/{game}", "--token-file", str(empty))

    assert (stranger.returncode, opener.returncode, refused.returncode) == (2, 3, 2)
    assert "1 lines" in opener.stdout
    assert "expected a token in" in refused.stderr


async def open_private(url: str) -> tuple[GameId, str]:
    async with connected(url) as connection:
        ada = await register(connection, "Ada")
        terms = Terms(ruleset="chariot-race@1", seats=2, visibility="private")
        return (await Client(connection, ada).open_game(terms)).game, ada.token


def test_an_address_that_gives_no_game_is_no_bundle(tmp_path: Path, database: Database) -> None:
    missing = "0199c0de-0000-7000-8000-00000000dead"
    with server_with_games(tmp_path, database, 0) as (url, _):
        unknown = run("verify", f"{url}/games/{missing}")
    gone = run("verify", f"{url}/games/{missing}")
    no_address = run("verify", "https://games.example/")
    no_file = run("verify", str(tmp_path / "none.zip"))

    assert (unknown.returncode, gone.returncode, no_address.returncode, no_file.returncode) == (2, 2, 2, 2)
    assert "no-such-game" in unknown.stdout
    assert "expected an answer from" in gone.stdout
    assert "expected the address of a game" in no_address.stdout
    assert "expected a bundle, a folder" in no_file.stderr
