"""Wheels of this source tree, built and installed without an index."""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PATIENCE_S = 120.0


def pip(*arguments: str | Path) -> None:
    """Run pip without the settings of this machine."""
    command = [sys.executable, "-I", "-m", "pip", "--isolated", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_S)  # noqa: S603  our own arguments


def build_wheel(root: Path, files: Iterable[Path], folder: Path) -> Path:
    """Build a wheel from copies of these files below a root: a build leaves others beside its sources."""
    source = folder / "source"
    for file in files:
        copy = source / file.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    (built,) = folder.glob("*.whl")
    return built
