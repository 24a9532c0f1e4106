"""The one place that prints: no character leaves here that a terminal would obey, whoever chose the text.

Names of files, arguments, answers of servers and the content of bundles are all texts of strangers.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup


def say(text: str, *, err: bool = False) -> None:
    """Print lines of text."""
    typer.echo(escape_lines(text), err=err)


def say_json(value: object) -> None:
    """Print a value as JSON, with invisible characters escaped as JSON does it."""
    # Help is quick without it.
    import msgspec

    text = msgspec.json.encode(value).decode()
    typer.echo(
        "".join(
            character if character.isprintable() or character == "\n" else json.dumps(character)[1:-1]
            for character in text
        )
    )


def escape_lines(text: str) -> str:
    from domain.audit.findings import escape_unseen

    return "\n".join(map(escape_unseen, text.split("\n")))


class PlainGroup(TyperGroup):
    """A group of commands whose refusals quote arguments with their control characters written out."""

    def make_context(self, *given: Any, **named: Any) -> Any:
        with _refusals_escaped():
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:
        with _refusals_escaped():
            return super().invoke(ctx)


@contextmanager
def _refusals_escaped() -> Iterator[None]:
    try:
        yield
    except ExceptionGroup:
        # No refusal of the library, and its message is read-only.
        raise
    except Exception as refused:
        # Every refusal of the library has its text there; it prints it once this was raised again.
        message = getattr(refused, "message", None)
        if isinstance(message, str):
            refused.message = escape_lines(message)  # type: ignore[attr-defined]  # just read
        raise
