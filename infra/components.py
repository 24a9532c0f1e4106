"""A ruleset's components from their file: decks, tracks and tables as plain data, for the ruleset to validate.

TOML has floats and dates; a log has neither, so a file with one is refused with the path of it.
"""

import tomllib
from pathlib import Path
from typing import Any

from domain.canonical import INTEGER_MAX, Json
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset

# The largest file, with a status for each of its values, is some tens of kilobytes.
COMPONENTS_SIZE_MAX = 1_000_000


class ComponentsRefused(Exception):
    """A components file cannot be read; the message says which, where and why."""

    def __init__(self, path: Path, *, at: str, expected: str, found: str) -> None:
        self.path = path
        self.at = at
        super().__init__(f"{path.name}: at {at}: expected {expected}, found {found}")


def load_ruleset(kit: Kit) -> AnyRuleset:
    """Build a ruleset from the components in its folder; raises ComponentsRefused and the ruleset's own refusals."""
    return kit.build(read_components(Path(kit.folder) / "components.toml"))


def read_components(path: Path) -> dict[str, Json]:
    """Read one `components.toml`; raises ComponentsRefused."""
    try:
        size = path.stat().st_size
        if size > COMPONENTS_SIZE_MAX:
            expected = f"at most {COMPONENTS_SIZE_MAX} bytes"
            raise ComponentsRefused(path, at="the file", expected=expected, found=f"{size} bytes")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ComponentsRefused(path, at="the file", expected="a readable file", found=str(error.strerror)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ComponentsRefused(path, at="the file", expected="TOML in UTF-8", found=str(error)) from error
    _check(path, data, "$")
    return data


def _check(path: Path, value: Any, at: str) -> None:
    match value:
        case bool() | str():
            pass
        case int():
            if abs(value) > INTEGER_MAX:
                raise ComponentsRefused(path, at=at, expected="an integer within ±(2^53-1)", found=str(value))
        case list():
            for place, item in enumerate(value):
                _check(path, item, f"{at}[{place}]")
        case dict():
            for key, item in value.items():
                if not key.isascii():
                    raise ComponentsRefused(path, at=at, expected="an ASCII key", found=ascii(key))
                _check(path, item, f"{at}.{key}")
        case _:
            expected = "a boolean, integer, string, list or table"
            raise ComponentsRefused(path, at=at, expected=expected, found=f"{type(value).__name__} {value}")
