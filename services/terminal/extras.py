"""The extras of this distribution: packages that some commands need, and an installation may be without."""

import re
from importlib.metadata import PackageNotFoundError, requires

# A requirement of an extra, as in `redis[hiredis]<9,>=8.1; extra == "server"`.
_OF_EXTRA = re.compile(r"([\w-]+).*;.*extra == ['\"](\w+)['\"]")


def find_extra(package: str) -> str | None:
    """Return the extra that brings an imported package, or None where none does."""
    extras = {match[1]: match[2] for line in _read_requirements() if (match := _OF_EXTRA.match(line))}
    return extras.get(package.replace("_", "-"))


def _read_requirements() -> list[str]:
    try:
        return requires("spina") or []
    except PackageNotFoundError:
        return []
