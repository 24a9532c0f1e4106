"""The client as a stranger has it: a wheel in an environment without the server, and the program of its README."""

import asyncio
import os
import re
import zipfile
from pathlib import Path

import pytest

from infra.deploy.distributions import build_wheel
from infra.version import VERSION
from tests.architecture.kept_files import ROOT, kept_files
from tests.database import Database
from tests.services.listening import listening
from tests.wheels import install

SOURCE = ROOT / "clients" / "python"
PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PATIENCE_S = 120.0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = [path for path in kept_files() if path.is_relative_to(SOURCE)]
    return build_wheel(SOURCE, files, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_client_alone(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    modules = {f"spina_client/{path.name}" for path in (SOURCE / "spina_client").iterdir() if path.is_file()}
    assert {name for name in names if ".dist-info/" not in name} == modules
    assert f"spina_client-{VERSION}.dist-info/licenses/LICENSE" in names
    assert wheel.name == f"spina_client-{VERSION}-py3-none-any.whl"


async def test_the_program_of_the_readme_plays_with_the_wheel_alone(
    wheel: Path, database: Database, tmp_path: Path
) -> None:
    (program,) = PROGRAM.findall((SOURCE / "README.md").read_text())
    python = await asyncio.to_thread(install, wheel, tmp_path / "venv")

    async with listening(database) as url:
        printed = await run_program(python, program, port=url.rpartition(":")[2])

    assert re.fullmatch(r"[0-9a-f-]{36} finished( \d\. seat [01]){2}\n", printed)


async def run_program(python: Path, program: str, *, port: str) -> str:
    process = await asyncio.create_subprocess_exec(
        python,
        "-I",
        "-c",
        program,
        env={**os.environ, "SPINA_PORT": port},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate()
    assert process.returncode == 0, f"{out.decode()}\n{err.decode()}"
    return out.decode()
