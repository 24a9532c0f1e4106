"""Environments with one wheel of this source tree and its declared requirements alone, made without an index."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from infra.deploy.distributions import PIP_TIMEOUT_S, pip

Installer = Callable[..., None]


def by_pip(python: Path, *arguments: str | Path) -> None:
    pip("--python", python, *arguments)


def by_uv(python: Path, command: str, *arguments: str | Path) -> None:
    """Do the same in a fifth of the time: uv compiles nothing and is no Python."""
    uv = Path(sys.executable).with_name("uv")
    asked = [uv, "pip", command, "--quiet", "--python", python, *arguments]
    subprocess.run(asked, check=True, capture_output=True, timeout=PIP_TIMEOUT_S)  # noqa: S603  our own arguments


def install(wheel: Path, venv: Path, *extras: str, do: Installer = by_uv) -> Path:
    """Install a wheel into an empty environment, with the releases of its requirements installed here."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True, timeout=PIP_TIMEOUT_S)  # noqa: S603  our own arguments
    python = venv / "bin" / "python"
    (packages,) = venv.glob("lib/python*/site-packages")
    do(python, "install", "--no-index", "--no-deps", wheel)
    name = wheel.name.partition("-")[0]
    wanting = Distribution.at(next(packages.glob(f"{name}-*.dist-info")))
    for requirement in find_requirements(wanting, *extras).values():
        link_files(requirement, packages)
    do(python, "check")
    return python


def find_requirements(wanting: Distribution, *extras: str) -> dict[str, Distribution]:
    """Find the installed distributions that one requires, and those that these require."""
    found: dict[str, Distribution] = {}
    waiting = [(wanting, frozenset(extras))]
    while waiting:
        source, wanted = waiting.pop()
        for line in source.requires or []:
            name = re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-")
            extra = re.search(r"extra == [\"']([\w-]+)", line)
            if name in found or (extra is not None and extra[1] not in wanted):
                continue
            try:
                found[name] = distribution(name)
            except PackageNotFoundError:
                # Required on another Python or system; `pip check` finds a missing one.
                continue
            asked = re.match(r"[\w.-]+\[([\w,-]+)\]", line)
            waiting.append((found[name], frozenset(asked[1].split(",") if asked else ())))
    return found


def link_files(installed: Distribution, packages: Path) -> None:
    """Show the packages of a distribution in another environment; its programs lie outside of them."""
    for name in {file.parts[0] for file in installed.files or ()} - {"..", "__pycache__"}:
        there = Path(str(installed.locate_file(name)))
        if name.endswith(".dist-info"):
            # uv looks at no link.
            shutil.copytree(there, packages / name)
        else:
            (packages / name).symlink_to(there)
