"""Descriptions of structs and their fields in the API's document, in words that the code has.

A field's words are, in this order: its own row in a `fields.toml`, the comment above it, the sentence of its struct's
docstring that quotes it, and the row of its plain name. Sources are read when the document is asked for first.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from inspect import cleandoc, getsource
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec
from msgspec import Struct, inspect

FIELDS_FILE = "fields.toml"
_SENTENCE_END = re.compile(r"(?<=[.]) (?=[A-Z`*])")
# A row serves fields of one name, not all of which may be null.
_IF_NULL = re.compile(r"; null [^;.]*")
# The parts of a type's description in which further types are.
_INNER = ("type", "item_type", "key_type", "value_type", "types", "item_types")


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rows of one `fields.toml`: of structs, of fields by name, and of a struct's field as `Struct.field`."""

    structs: dict[str, str] = {}
    fields: dict[str, str] = {}


def read_table(text: str) -> Table:
    return msgspec.convert(tomllib.loads(text), Table)


@cache
def read_general_table() -> Table:
    """Read the words of fields that rulesets and the rest of the API share."""
    return read_table(files("services.api.http").joinpath(FIELDS_FILE).read_text())


@cache
def read_ruleset_table(folder: str) -> Table:
    """Read a ruleset's own words; a ruleset may have none."""
    path = Path(folder) / FIELDS_FILE
    return read_table(path.read_text()) if path.exists() else Table()


def describe_structs(schemas: Mapping[str, Any], types: Iterable[Any], tables: Sequence[Table]) -> dict[str, Any]:
    """Return the schemas with the words of their structs, which are those within the types. The first table wins."""
    described = dict(schemas)
    for kind in list_structs(types):
        name = kind.cls.__name__
        if name in described:
            described[name] = _describe(described[name], kind, tables)
    return described


def list_structs(types: Iterable[Any]) -> Sequence[inspect.StructType]:
    """List the structs within these types, those of their fields included."""
    structs: dict[type, inspect.StructType] = {}
    waiting: list[Any] = list(inspect.multi_type_info(types))
    while waiting:
        found = waiting.pop()
        if isinstance(found, inspect.StructType):
            if found.cls in structs:
                continue
            structs[found.cls] = found
            waiting += [field.type for field in found.fields]
        waiting += _list_inner(found)
    return tuple(structs.values())


def _list_inner(found: Any) -> Iterator[Any]:
    for part in _INNER:
        inner = getattr(found, part, ())
        yield from inner if isinstance(inner, tuple) else (inner,)


def _describe(schema: dict[str, Any], kind: inspect.StructType, tables: Sequence[Table]) -> dict[str, Any]:
    name, own = kind.cls.__name__, kind.cls.__dict__.get("__doc__")
    rows = [table.structs[name] for table in tables if name in table.structs]
    title = cleandoc(own) if own else next(iter(rows), None)
    words = {field.encode_name: _find_words(kind.cls, field.name, tables) for field in kind.fields}
    if kind.tag_field is not None:
        words[kind.tag_field] = f"The kind: always `{kind.tag}`."
    properties = {
        field: {**part, "description": _fit(text, part)} if (text := words.get(field)) else part
        for field, part in schema.get("properties", {}).items()
    }
    described = {**schema, "properties": properties} if properties else schema
    return {**described, "description": title} if title else described


def _fit(text: str, schema: dict[str, Any]) -> str:
    """Return the words without their clause on null where the schema allows none."""
    return text if "null" in json.dumps(schema) else _IF_NULL.sub("", text)


def _find_words(cls: type, field: str, tables: Sequence[Table]) -> str | None:
    own = [table.fields.get(f"{cls.__name__}.{field}") for table in tables]
    plain = [table.fields.get(field) for table in tables]
    return next(filter(None, (*own, _find_comment(cls, field), _find_sentence(cls, field), *plain)), None)


def _find_comment(cls: type, field: str) -> str | None:
    return next((found[field] for base in cls.__mro__ if field in (found := _read_comments(base))), None)


def _find_sentence(cls: type, field: str) -> str | None:
    """Find the sentence of the docstring that quotes the field: the first that begins so, or else the first at all."""
    sentences = _SENTENCE_END.split(" ".join((cls.__dict__.get("__doc__") or "").split()))
    quoting = [sentence for sentence in sentences if f"`{field}`" in sentence]
    return next((sentence for sentence in quoting if sentence.startswith(f"`{field}`")), next(iter(quoting), None))


@cache
def _read_comments(cls: type) -> Mapping[str, str]:
    """Read the comments above the fields of a struct; those of a struct that was built have no source."""
    if not issubclass(cls, Struct) or cls is Struct:
        return {}
    try:
        source = dedent(getsource(cls))
    except (OSError, TypeError):
        return {}
    lines = source.splitlines()
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.ClassDef), cls
    fields = [node for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
    comments = {node.target.id: _read_above(lines, node.lineno - 1) for node in fields}  # type: ignore[union-attr]  # names alone
    return {name: text for name, text in comments.items() if text}


def _read_above(lines: Sequence[str], index: int) -> str:
    """Return the comment that ends above a line."""
    start = index
    while lines[start - 1].lstrip().startswith("# "):
        start -= 1
    return " ".join(line.strip().removeprefix("# ") for line in lines[start:index])
