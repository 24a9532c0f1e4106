"""Odd answers: actions of the right type, made of legal ones by one change, of which most are illegal."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from services.practice.checks.variants import list_values

MUTANTS_MAX = 12


class Odd:
    """Remembers the values that the fields of actions had, and changes answers by them."""

    def __init__(self, action_type: Any) -> None:
        self._action_type = action_type
        self._seen: dict[str, dict[str, Any]] = {}
        for name, value in list_values(action_type):
            self._note(f".{name}", value)

    def make(self, answers: Sequence[Any], numbers: Random) -> list[Any]:
        """Make some odd answers out of the legal ones."""
        plain = [msgspec.to_builtins(answer) for answer in answers[: 2 * MUTANTS_MAX]]
        for answer in plain:
            for path, value in _walk(answer, ""):
                # A value of another decision fits the field, and mostly not the board.
                self._note(path, value)
        changed = [mutant for answer in plain for mutant in self._change(answer, "")]
        chosen = numbers.sample(changed, min(MUTANTS_MAX, len(changed)))
        return [read for mutant in chosen if (read := self._read(mutant)) is not None]

    def _note(self, path: str, value: Any) -> None:
        self._seen.setdefault(path, {})[repr(value)] = value

    def _change(self, value: Any, path: str) -> Iterator[Any]:
        """Yield a value with one change, at any depth."""
        yield from self._seen.get(path, {}).values()
        match value:
            case bool():
                yield not value
            case int():
                yield from (value - 1, value + 1, -1, 0)
            case list():
                yield from ([], value[1:], value[:-1], [*value, *value[-1:]], value[::-1])
                for place, item in enumerate(value):
                    yield from ([*value[:place], new, *value[place + 1 :]] for new in self._change(item, f"{path}[]"))
            case dict():
                for name, item in value.items():
                    yield from ({**value, name: new} for new in (None, *self._change(item, f"{path}.{name}")))
            case _:
                pass

    def _read(self, mutant: Any) -> Any:
        try:
            return msgspec.convert(mutant, self._action_type)
        except msgspec.ValidationError:
            return None


def _walk(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, value
    match value:
        case dict():
            for name, item in value.items():
                yield from _walk(item, f"{path}.{name}")
        case list():
            for item in value:
                yield from _walk(item, f"{path}[]")
        case _:
            pass
