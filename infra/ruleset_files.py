"""The files in a ruleset's folder: components as plain data, for the ruleset to validate, and words.

TOML has floats and dates; a log has neither, so components with one are refused with its path.
"""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from domain.canonical import INTEGER_MAX, Json
from domain.ruleset.kit import Build, Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.sentences.words import Words, complete_words, parse_words

# The largest file, with a status for each of its values, is some tens of kilobytes.
COMPONENTS_SIZE_MAX = 1_000_000


class ComponentsRefused(Exception):
    """A components file cannot be read; the message states which, where and why."""

    def __init__(self, path: Path, *, at: str, expected: str, found: str) -> None:
        self.path = path
        self.at = at
        super().__init__(f"{path.name}: at {at}: expected {expected}, found {found}")


def load_ruleset(kit: Kit) -> AnyRuleset:
    """Return the ruleset with the components in its folder, built once in a process.

    Raises ComponentsRefused and the ruleset's own refusals.
    """
    return _load(kit.build, kit.folder)


@cache
def _load(build: Build, folder: str) -> AnyRuleset:
    return build(read_components(Path(folder) / "components.toml"))


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


FILE_NAME = "words.toml"


@cache
def read_game_words() -> Words:
    """Read the words of every game."""
    return parse_words(read_components(Path(str(files("domain.sentences"))) / "game.toml"))


@cache
def read_tournament_words() -> Words:
    """Read the words of every tournament."""
    return parse_words(read_components(Path(str(files("domain.sentences"))) / "tournament.toml"))


@cache
def read_verdict_words() -> Words:
    """Read the words of the first line of every report."""
    return parse_words(read_components(Path(str(files("domain.sentences"))) / "verdicts.toml"))


def read_words(kit: Kit) -> Words:
    """Read the words of a ruleset, completed by those of every game; a ruleset without a file has these alone."""
    return complete_words(kit, _read_own_words(Path(kit.folder) / FILE_NAME), read_game_words())


@cache
def _read_own_words(path: Path) -> Words:
    return parse_words(read_components(path)) if path.exists() else Words()
