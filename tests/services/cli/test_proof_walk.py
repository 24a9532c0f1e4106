"""From a game over HTTP to its proof in hand: real servers, a real notary, and nothing but what a user types."""

import json
from pathlib import Path
from urllib.request import urlopen

from domain.ledger.note_key import format_note_key
from domain.ledger.policy import Policy, PolicyLog, PolicyWitness
from domain.ledger.policy_file import format_policy
from infra.keys import MasterKey, format_master_key
from infra.ledger_keys import derive_log_signer
from infra.settings import Settings
from infra.witness_files import WitnessFiles
from services.ledger_building import POLICY_FILE_NAME
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, run, serving
from tests.services.cli.witness_program import NAME, free_port, witnessing

KEY = MasterKey(bytes(range(32)))


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
    kept = {each["name"] for each in own["report"]["assurances"] if each["is_demanded"] and each["is_kept"]}
    assert "Everything holds." in by_key.stdout
    assert kept == {"own_custody", "signed", "links"}


def test_a_game_that_demands_a_witnessed_opening_is_played_before_a_witness(tmp_path: Path, database: Database) -> None:
    data, port = tmp_path / "data", free_port()
    log = PolicyLog(key=derive_log_signer(KEY, Settings().origin).key)
    signer = WitnessFiles(tmp_path / "witness").read_signer(NAME)
    known = PolicyWitness(name="club", key=signer.key, url=f"http://127.0.0.1:{port}")
    policy = tmp_path / "club.policy"
    policy.write_bytes(format_policy(Policy(logs=(log,), witnesses=(known,), groups=(), quorum="club")))
    (data / "ledger").mkdir(parents=True)
    (data / "ledger" / POLICY_FILE_NAME).write_bytes(policy.read_bytes())
    given = {"SPINA_DATABASE_URL": database.owner_url, "SPINA_MASTER_KEY": format_master_key(KEY)}

    with serving(data, **given) as server:
        url = server.until_ready().removesuffix("/v1/health")
        with witnessing(tmp_path / "witness", log=f"{url}/v1/ledger", policy=policy, port=port):
            options = ("--url", url, "--seats", "2", "--witnessed", "--own-custody", "--signed", "--json")
            demonstrated = run("demo", "--ruleset", "chariot-race", *options)
            game = json.loads(demonstrated.stdout)["url"].rpartition("/")[2]
            exported = run("export", game, "--to", str(tmp_path), SPINA_DATA=str(data), **given)

    verified = run("verify", exported.stdout.strip(), "--policy", str(policy), "--json")
    by_key = run("verify", exported.stdout.strip(), "--key", format_note_key(log.key))

    report = json.loads(verified.stdout)["files"][0]["report"]
    results = {each["check"]: each["result"] for each in report["findings"]}
    assert (verified.returncode, by_key.returncode) == (0, 0), verified.stdout
    assert results["witnesses"]["seen"] == "cosignatures: club"
    assert all(each["is_demanded"] and each["is_kept"] for each in report["assurances"])
