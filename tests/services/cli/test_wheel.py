"""The wheel of the server: every file that it needs, and nothing of the tests, measurements and simulations."""

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from infra.version import VERSION
from tests.architecture.kept_files import ROOT, kept_files
from tests.services.cli.program import one_sentence
from tests.wheels import build_wheel

SHIPPED = ("domain", "projections", "infra", "services", "clients")
CLIENT = "clients/python/"
# Read by people, and on the machine that builds or starts a container.
OUTSIDE = (
    "infra/deploy/",
    "clients/go/",
    "services/api/scalar/README.md",
    *(f"{CLIENT}{name}" for name in ("pyproject.toml", "README.md", "LICENSE")),
)
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = [path for path in kept_files() if path.relative_to(ROOT).parts[0] not in {"tests", "docs"}]
    return build_wheel(ROOT, files, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_server_and_the_client(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    kept = {path.relative_to(ROOT).as_posix() for path in kept_files()}
    needed = {each for each in kept if each.startswith(SHIPPED) and not each.startswith(OUTSIDE)}
    assert {name for name in names if not name.startswith("infra/deploy/")} == {
        each.removeprefix(CLIENT) for each in needed
    }
    assert wheel.name == f"spina-{VERSION}-py3-none-any.whl"


@pytest.mark.parametrize("arguments", [("bench", "all", "--json", "x"), ("simulate", "charioteer"), ("simulate",)])
def test_an_installation_says_that_a_package_of_the_source_tree_is_missing(
    wheel: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    # Without `site`, so that the path of the source tree is not added.
    environment = {"PYTHONPATH": f"{tmp_path}:{sysconfig.get_path('purelib')}:{sysconfig.get_path('platlib')}"}

    ended = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-S", "-m", "services.cli", *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )

    assert one_sentence(ended) == (
        f"expected the package {arguments[0]}, found none: it comes with the source tree of Spina alone"
    )
