"""The files of the repository, as git lists them."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def kept_files() -> list[Path]:
    """List the files that are in the repository, and those about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607  the developer's git
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
