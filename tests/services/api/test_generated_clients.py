"""Client generators read the whole description: every operation and every body comes out, without a warning."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from infra.keys import MasterKey, format_master_key
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, environment, serving

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
READ_WITH_MODELS = """
import json, sys
import generated
for name, example in json.load(sys.stdin):
    found = getattr(generated, name).model_validate(example)
    assert json.loads(found.model_dump_json(exclude_unset=True)) == example, name
"""


@pytest.fixture
def description(tmp_path: Path, database: Database, redis_url: str) -> dict[str, Any]:
    given = {"SPINA_DATABASE_URL": database.owner_url, "SPINA_REDIS_URL": redis_url, "SPINA_MASTER_KEY": KEY}
    with serving(tmp_path, **given) as server:
        url = server.until_ready().removesuffix("/v1/health")
        with urlopen(f"{url}/v1/openapi.json", timeout=PATIENCE_S) as answer:  # noqa: S310  on the loopback
            tmp_path.joinpath("openapi.json").write_bytes(answer.read())
    described: dict[str, Any] = json.loads(tmp_path.joinpath("openapi.json").read_bytes())
    return described


def test_openapi_python_client_generates_every_operation(tmp_path: Path, description: dict[str, Any]) -> None:
    tmp_path.joinpath("config.yml").write_text(ZIP_IS_BYTES)

    said = run(tmp_path, "openapi-python-client", "generate", "--path", "openapi.json", "--meta", "none",
               "--output-path", "generated", "--config", "config.yml")  # fmt: skip

    assert "warning" not in said.lower(), said
    operations = [operation for item in description["paths"].values() for operation in item.values()]
    generated = [path.stem for path in tmp_path.glob("generated/api/*/*.py") if path.stem != "__init__"]
    assert len(generated) == len(operations)
    run(tmp_path, "python", "-c", READ_WITH_CLIENT, given=list_bodies(description))


def test_datamodel_code_generator_generates_models_that_take_every_example(
    tmp_path: Path, description: dict[str, Any]
) -> None:
    run(tmp_path, "datamodel-codegen", "--input", "openapi.json", "--input-file-type", "openapi",
        "--output", "generated.py", "--output-model-type", "pydantic_v2.BaseModel")  # fmt: skip

    run(tmp_path, "python", "-c", READ_WITH_MODELS, given=list_bodies(description))


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
