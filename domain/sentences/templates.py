"""Sentences as templates: data that `services/web/parts/templates.js` evaluates alike, by one vectors file.

A part in braces is a value or a choice; everything else is text. Nothing of it can be escaped.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

# Examples, of the data {"seat":1,"draws":[4,9],"attacker":null,"order":["red","green"],"cause":"ram"}:
#
#     {seat|Seat} draws {draws|count card}.                        Seat 1 draws 2 cards.
#     hit{attacker=null?| by {attacker|seat}} {cause|of causes}    hit in a ram
#     best at {order.0}, then {order|rest}                         best at red, then green
#
#     value    path { "|" filter }
#     choice   value [ ( "=" | "<" | ">" ) operand ] "?" text [ "|" text ]
#     path     names and places of lists, with dots between; "." is the data itself; "@name" is a part of the table
#     operand  null, a word, a number, or with a dot before it another path
#
# A name asked of a list is asked of each of its elements. A choice without operand holds unless its value is null,
# false, 0 or empty. A list is written as "a, b and c"; a part that is a list, as those of its texts that are not
# empty, with commas. A value that is null, missing, an object or a truth value cannot be written: then the line has no
# sentence. Filters, each of which goes over a list element by element but for those marked with *:
#
#     count ONE/MANY*  a number, or how many are in a list, with its noun; without MANY, ONE and an s
#     len* sum* rest* end* once* commas*   of a list: how many, their sum, all but the first, the last, each once, all
#                      with commas alone between them
#     has ELEMENT*     whether it is in a list
#     seat, Seat       the name of a seat inside of a sentence, and at its beginning; name: in full, or null
#     chariot, Chariot the same of a numbered chariot, which stands as "chariot N" among the names
#     of TABLE         the word of a table for a value; without one, its name with spaces
#     @PART            a part of the table, of this value as its data
#     spaced cap*      underscores as spaces; the first letter as a capital
#     plus N, mod N, abs, signed, cm, turned PATH   arithmetic: a sum, a remainder, a number without its sign or with it
#                      apart, micrometres as centimetres, degrees (-180 to 179) from the heading at PATH

_OPERATORS = re.compile(r"(?P<value>[^=<>]*)(?:(?P<operator>[=<>])(?P<operand>.*))?\Z", re.DOTALL)


class NoSentence(Exception):
    """A line has no sentence: it lacks a value that its template names."""


class Table(Struct, frozen=True, kw_only=True):
    """The words that templates refer to. `last` stands before the last of a list."""

    parts: Mapping[str, str | tuple[str, ...]] = {}
    tables: Mapping[str, Mapping[str, str]] = {}
    last: str = " and "


class Name(Struct, frozen=True, kw_only=True):
    short: str
    full: str


class Value(Struct, frozen=True):
    path: str
    filters: tuple[tuple[str, str], ...]


class Choice(Struct, frozen=True):
    value: Value
    operator: str | None
    operand: str
    then: tuple["Node", ...]
    other: tuple["Node", ...]


Node = str | Value | Choice
# By seat, and by "chariot N" where the rules number chariots.
Names = Mapping[Any, Name]


@lru_cache(maxsize=2_048)
def parse_template(text: str) -> tuple[Node, ...]:
    """Parse a template; raises a ValueError for braces that do not match."""
    nodes: list[Node] = []
    at = 0
    while (begin := text.find("{", at)) >= 0:
        end = _find_outside(text, "}", begin + 1)
        nodes += [text[at:begin], _parse_braces(text[begin + 1 : end])]
        at = end + 1
    return tuple(node for node in (*nodes, text[at:]) if node != "")


def _find_outside(text: str, sign: str, start: int) -> int:
    """Find a sign outside of inner braces; raises a ValueError without one."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] == sign and depth == 0:
            return at
        depth += {"{": 1, "}": -1}.get(text[at], 0)
    raise ValueError(f"expected {sign} in {text[start:]}")


def _parse_braces(text: str) -> Node:
    head, question, texts = text.partition("?")
    if not question:
        return _parse_value(text)
    try:
        end = _find_outside(texts, "|", 0)
    except ValueError:
        end = len(texts)
    found = _OPERATORS.match(head)
    assert found is not None, "the pattern matches every text"
    then, other = parse_template(texts[:end]), parse_template(texts[end + 1 :])
    return Choice(_parse_value(found["value"]), found["operator"], found["operand"] or "", then, other)


def _parse_value(text: str) -> Value:
    path, *filters = text.split("|")
    named = (name.partition(" ") for name in filters)
    return Value(path, tuple((name, argument) for name, _, argument in named))


def tell(template: str, data: Any, table: Table, names: Names) -> str:
    """Return the sentence of one line's data; raises NoSentence where the data does not fit."""
    return _Teller(table, names).text_of(parse_template(template), data)


class _Teller:
    def __init__(self, table: Table, names: Names) -> None:
        self._table = table
        self._names = names

    def text_of(self, nodes: tuple[Node, ...], data: Any) -> str:
        return "".join(self._text_of_node(node, data) for node in nodes)

    def _text_of_node(self, node: Node, data: Any) -> str:
        match node:
            case str():
                return node
            case Value():
                return self._write(self._read(node, data))
            case Choice():
                return self.text_of(node.then if self._holds(node, data) else node.other, data)

    def _write(self, value: Any) -> str:
        if isinstance(value, list):
            *others, last = [self._write(item) for item in value] or [""]
            return f"{', '.join(others)}{self._table.last}{last}" if others else last
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise NoSentence(value)
        return str(value)

    def _holds(self, choice: Choice, data: Any) -> bool:
        value, operand = self._read(choice.value, data), choice.operand
        if choice.operator is None:
            return bool(value)
        if choice.operator == "=":
            other = find(data, operand[1:]) if operand.startswith(".") else operand
            return value is None if operand == "null" else value is not None and str(value) == str(other)
        return int(value) < int(operand) if choice.operator == "<" else int(value) > int(operand)

    def _read(self, value: Value, data: Any) -> Any:
        found = self._part(value.path[1:], data) if value.path.startswith("@") else find(data, value.path)
        for name, argument in value.filters:
            found = self._filter(name, argument, found, data)
        return found

    def _part(self, name: str, data: Any) -> str:
        part = self._table.parts[name]
        if isinstance(part, str):
            return self.text_of(parse_template(part), data)
        texts = (self.text_of(parse_template(text), data) for text in part)
        return ", ".join(text for text in texts if text)

    def _filter(self, name: str, argument: str, value: Any, data: Any) -> Any:
        if name in _WHOLE:
            return _WHOLE[name](value, argument)
        if name == "commas":
            return ", ".join(self._write(each) for each in _list(value))
        if name == "cap":
            text = self._write(value)
            return text[:1].upper() + text[1:]
        if isinstance(value, list):
            return [self._filter(name, argument, item, data) for item in value]
        if name.startswith("@"):
            return self._part(name[1:], value)
        if value is None:
            raise NoSentence(name)
        if name in ("seat", "Seat", "chariot", "Chariot"):
            key = value if name in ("seat", "Seat") else f"chariot {value}"
            return self._names[key].short if key in self._names else self._part(name, value)
        if name == "name":
            return self._names[value].full if value in self._names else None
        if name == "of":
            return self._table.tables[argument].get(self._write(value), spaced(self._write(value)))
        if name == "turned":
            return (value - find(data, argument) + 540) % 360 - 180
        return _EACH[name](value, argument)


def find(data: Any, path: str) -> Any:
    """Follow a path; a name that is missing is null."""
    for step in filter(None, path.split(".")):
        if isinstance(data, list) and step.isdigit():
            data = data[int(step)] if int(step) < len(data) else None
        elif isinstance(data, list):
            data = [find(item, step) for item in data]
        else:
            data = data.get(step) if isinstance(data, dict) else None
    return data


def spaced(text: str) -> str:
    return text.replace("_", " ")


def _count(value: Any, nouns: str) -> str:
    number = len(value) if isinstance(value, list) else value
    if not isinstance(number, int):
        raise NoSentence(value)
    one, _, many = nouns.partition("/")
    return f"{number} {one if number == 1 else many or one + 's'}"


def _cm(micrometres: int) -> str:
    whole, tenths = divmod((micrometres + 500) // 1_000, 10)
    return f"{whole}.{tenths}" if tenths else f"{whole}"


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise NoSentence(value)
    return value


def _end(value: Any, _: str) -> Any:
    if not _list(value):
        raise NoSentence(value)
    return value[-1]


_WHOLE: Mapping[str, Callable[[Any, str], Any]] = {
    "count": _count,
    "len": lambda value, _: len(_list(value)),
    "sum": lambda value, _: sum(_list(value)),
    "rest": lambda value, _: _list(value)[1:],
    "end": _end,
    "has": lambda value, element: element in [str(each) for each in _list(value)],
    "once": lambda value, _: list(dict.fromkeys(_list(value))),
}
_MINUS = "\u2212"
_EACH: Mapping[str, Callable[[Any, str], Any]] = {
    "spaced": lambda value, _: spaced(str(value)),
    "plus": lambda value, number: value + int(number),
    "mod": lambda value, number: value % int(number),
    "abs": lambda value, _: abs(int(value)),
    "signed": lambda value, _: f"{_MINUS if value < 0 else '+'} {abs(value)}",
    "cm": lambda value, _: _cm(value),
}
