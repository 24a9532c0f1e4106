"""schemathesis over the whole description, against a real server: nothing undocumented, no failure of ours."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from urllib.request import Request, urlopen

import pytest

from infra.keys import MasterKey, format_master_key
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, environment, serving

KEY = format_master_key(MasterKey(bytes(range(32))))
SEED = 1_795_003_200
# A body that fits its schema may still be refused: by the rules, or as numbers such as 2.0 have no place in a log.
UNFIT_CHECKS = "positive_data_acceptance"
# The program's own limit is ten seconds, which a busy machine exceeds.
SETTINGS = f"request-timeout = {PATIENCE_S}\n"
# Forty seconds of processors, which eight other suites may share.
RUN_WITHIN_S = 20 * 60.0
# A stream on which nothing happens states hardly anything: after so long a silence it was read far enough.
STREAMS = {"follow_game", "follow_account"}
STREAM_SETTINGS = f"""
[[operations]]
include-operation-id = {sorted(STREAMS)}
request-timeout = 1.0
"""
# Their bodies hold the same actions and rulings as those of `play_action` and of the rulings of a tournament, whose
# boundaries are looked at; of these four only in `make simulate`.
REPEATED = {"entrust_action", "reveal_action", "preview_action", "preview_ruling"}
# Boundaries are four of five requests: a short run looks at those of one operation of four, drawn by its seed.
INSIDE_SETTINGS = """
[[operations]]
include-operation-id = {operations}
phases.coverage.enabled = false
"""
# As many as a run takes that is not asked for more.
EXAMPLES_OF_A_SHORT_RUN = 2


def test_every_answer_is_one_that_the_description_tells_of(
    tmp_path: Path, database: Database, redis_url: str, pytestconfig: pytest.Config
) -> None:
    examples = int(pytestconfig.getoption("--examples"))
    given = {
        "SPINA_DATABASE_URL": database.owner_url,
        "SPINA_REDIS_URL": redis_url,
        "SPINA_MASTER_KEY": KEY,
        "SPINA_RATE_PER_S": "0",
    }

    with serving(tmp_path, **given) as server:
        url = server.until_ready().removesuffix("/v1/health")
        inside = [] if examples > EXAMPLES_OF_A_SHORT_RUN else choose_inside(url, pytestconfig.getoption("--seed"))
        ended = run_schemathesis(url, tmp_path, token=register(url), examples=examples, inside=inside)

    assert ended.returncode == 0, ended.stdout[-8_000:]
    assert re.search(r"Selected: (\d+)/\1\n +Tested: \1\n", ended.stdout)


def register(url: str) -> str:
    asked = Request(f"{url}/v1/players", data=b'{"name":"Ada"}', headers={"content-type": "application/json"})  # noqa: S310  the server under test, on the loopback
    with urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310  the same
        return str(json.load(answer)["token"])


def choose_inside(url: str, seed: int) -> list[str]:
    """Choose the operations whose boundaries a short run leaves out."""
    with urlopen(f"{url}/v1/openapi.json", timeout=PATIENCE_S) as answer:  # noqa: S310  the same
        paths = json.load(answer)["paths"].values()
    operations = {operation["operationId"] for path in paths for operation in path.values()} - REPEATED - STREAMS
    numbers = Random(seed)  # noqa: S311  drawn again by the seed
    return sorted({*REPEATED, *numbers.sample(sorted(operations), len(operations) * 3 // 4)})


def run_schemathesis(
    url: str, folder: Path, *, token: str, examples: int, inside: Sequence[str]
) -> subprocess.CompletedProcess[str]:
    settings = INSIDE_SETTINGS.format(operations=json.dumps(inside)) if inside else ""
    folder.joinpath("schemathesis.toml").write_text(SETTINGS + STREAM_SETTINGS + settings)
    program = Path(sys.executable).with_name("schemathesis")
    options = ["--max-examples", str(examples), "--seed", str(SEED), "--exclude-checks", UNFIT_CHECKS]
    options += ["--header", f"Authorization: Bearer {token}"]
    return subprocess.run(  # noqa: S603  our own program, with arguments of the tests
        [program, "run", f"{url}/v1/openapi.json", "--no-color", "--warnings", "off", *options],
        cwd=folder,
        env=environment({}),
        capture_output=True,
        text=True,
        timeout=RUN_WITHIN_S,
        check=False,
    )
