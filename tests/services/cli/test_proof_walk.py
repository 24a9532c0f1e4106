"""From a game over HTTP to its proof in hand: real servers, a real notary, and nothing but what a user types."""

import json
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from msgspec import Struct

from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.note_key import format_note_key
from domain.ledger.policy import Policy, PolicyLog, PolicyWitness
from domain.ledger.policy_file import format_policy
from infra.embedded.credentials import choose_port
from infra.keys import MasterKey, format_master_key
from infra.ledger_keys import derive_log_signer
from infra.settings import Settings
from infra.witness_files import WitnessFiles, hash_origin
from services.node.ledger import POLICY_FILE_NAME
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, run, serving
from tests.services.cli.witness_program import NAME, witnessing

KEY = MasterKey(bytes(range(32)))
LOG_KEY = derive_log_signer(KEY, Settings().origin).key
# Leaves that the witness has seen when the server is killed, twice in the middle of a game.
KILLED_AT = (60, 200)
DEMANDS = {"own_custody", "signed", "links", "witnessed_opening"}
LOOKS_MAX = 3_000
PAUSE_S = 0.02


class Club(Struct, frozen=True):
    """Who has seen every checkpoint that counts: a server's data with its name in it, and where it will answer."""

    data: Path
    policy: Path
    port: int


def open_club(folder: Path) -> Club:
    port = choose_port()
    signer = WitnessFiles(folder / "witness").read_signer(NAME)
    known = PolicyWitness(name="club", key=signer.key, url=f"http://127.0.0.1:{port}")
    policy = Policy(logs=(PolicyLog(key=LOG_KEY),), witnesses=(known,), groups=(), quorum="club")
    (folder / "data" / "ledger").mkdir(parents=True)
    (folder / "data" / "ledger" / POLICY_FILE_NAME).write_bytes(format_policy(policy))
    (folder / "club.policy").write_bytes(format_policy(policy))
    return Club(folder / "data", folder / "club.policy", port)


def until_cosigned(url: str, size: int, playing: Future[Any]) -> None:
    """Wait until the witness has seen so many leaves, or there is nothing more to come."""
    for _ in range(LOOKS_MAX):
        status, raw = fetch_whatever(f"{url}/{hash_origin(Settings().origin)}/checkpoint")
        if status == 200 and parse_signed_checkpoint(raw).checkpoint.tree_size >= size:
            return
        if wait([playing], PAUSE_S).done:
            return
    raise AssertionError(f"expected {size} leaves to be cosigned, found {raw!r}")


def fetch_whatever(url: str) -> tuple[int, bytes]:
    try:
        return 200, fetch(url)
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read()


def fetch(url: str) -> bytes:
    with urlopen(url, timeout=PATIENCE_S) as response:  # noqa: S310  the server under test, on the loopback
        raw: bytes = response.read()
    return raw


def test_a_game_of_own_custody_and_signatures_is_proven_by_its_file_and_a_key(tmp_path: Path) -> None:
    data, policy = tmp_path / "data", tmp_path / "trusted.policy"
    with serving(data) as server:
        url = server.until_ready().removesuffix("/v1/health")
        demonstrated = run("demo", "--url", url, "--seats", "2", "--own-custody", "--signed", "--json")
        place = json.loads(demonstrated.stdout)["url"]
        exported = run("export", place.rpartition("/")[2], "--to", str(tmp_path), SPINA_DATA=str(data))
        policy.write_bytes(fetch(f"{url}/v1/ledger/policy"))
        downloaded = fetch(f"{place}/bundle")
        own = json.loads(fetch(f"{place}/audit"))
    key = next(line.split()[1] for line in policy.read_text().splitlines() if line.startswith("log "))

    by_key = run("verify", exported.stdout.strip(), "--key", key)
    by_policy = run("verify", exported.stdout.strip(), "--policy", str(policy))

    assert exported.stderr == ""
    assert downloaded == Path(exported.stdout.strip()).read_bytes()
    assert (by_key.returncode, by_policy.returncode, own["exit_code"]) == (0, 0, 0), by_key.stdout
    kept = {
        assurance["name"]
        for assurance in own["report"]["assurances"]
        if assurance["is_demanded"] and assurance["is_kept"]
    }
    assert "its own ledger has signed for it, but no witness has." in by_key.stdout.splitlines()[0]
    assert kept == {"own_custody", "signed", "links"}


def test_a_game_that_demands_a_witnessed_opening_is_played_before_a_witness(tmp_path: Path, database: Database) -> None:
    club = open_club(tmp_path)
    given = {"SPINA_DATABASE_URL": database.owner_url, "SPINA_MASTER_KEY": format_master_key(KEY)}

    with serving(club.data, **given) as server:
        url = server.until_ready().removesuffix("/v1/health")
        with witnessing(tmp_path / "witness", log=f"{url}/v1/ledger", policy=club.policy, port=club.port):
            options = ("--url", url, "--seats", "2", "--witnessed", "--own-custody", "--signed", "--json")
            demonstrated = run("demo", "--ruleset", "chariot-race", *options)
            game = json.loads(demonstrated.stdout)["url"].rpartition("/")[2]
            exported = run("export", game, "--to", str(tmp_path), SPINA_DATA=str(club.data), **given)

    verified = run("verify", exported.stdout.strip(), "--policy", str(club.policy), "--json")
    by_key = run("verify", exported.stdout.strip(), "--key", format_note_key(LOG_KEY))

    report = json.loads(verified.stdout)["files"][0]["report"]
    results = {finding["check"]: finding["result"] for finding in report["findings"]}
    assert (verified.returncode, by_key.returncode) == (0, 0), verified.stdout
    assert results["witnesses"]["seen"] == "cosignatures: club"
    assert {assurance["name"] for assurance in report["assurances"] if assurance["is_demanded"]} == DEMANDS
    assert all(assurance["is_kept"] for assurance in report["assurances"])


def test_a_server_that_is_killed_again_and_again_still_proves_its_game_to_a_witness(
    tmp_path: Path, database: Database
) -> None:
    club = open_club(tmp_path)
    given = {
        "SPINA_DATABASE_URL": database.owner_url,
        "SPINA_MASTER_KEY": format_master_key(KEY),
        "SPINA_PORT": str(choose_port()),
    }
    url = f"http://127.0.0.1:{given['SPINA_PORT']}"
    with witnessing(tmp_path / "witness", log=f"{url}/v1/ledger", policy=club.policy, port=club.port) as witness:
        with ThreadPoolExecutor(1) as pool:
            playing: Future[CompletedProcess[str]] | None = None
            for size in KILLED_AT:
                with serving(club.data, **given) as server:
                    server.until_ready()
                    # Whoever begins to play wants a server that is there; later it may be away.
                    playing = playing or pool.submit(
                        run, *("demo", "--url", url, "--seats", "2", "--ruleset", "chariot-race", "--json")
                    )
                    until_cosigned(witness.url, size, playing)
                    server.process.kill()
            with serving(club.data, **given) as server:
                server.until_ready()
                assert playing is not None
                game = json.loads(playing.result().stdout)["url"].rpartition("/")[2]
                exported = run("export", game, "--to", str(tmp_path), SPINA_DATA=str(club.data), **given)
        fork, _ = fetch_whatever(f"{witness.url}/{hash_origin(Settings().origin)}/fork")

    verified = run("verify", exported.stdout.strip(), "--policy", str(club.policy))

    assert verified.returncode == 0, verified.stdout
    assert fork == 404
