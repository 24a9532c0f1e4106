"""What goes wrong at the command line for an expected reason is one sentence and exit code 1, never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

REFUSED_EXIT_CODE = 1


@contextmanager
def told_in_a_sentence(*refusals: type[Exception]) -> Iterator[None]:
    """Turn the named exceptions into their message on standard error and the exit code."""
    try:
        yield
    except refusals as refusal:
        from infra.redaction import redact_text

        typer.echo(f"spina: {redact_text(str(refusal))}", err=True)
        raise typer.Exit(REFUSED_EXIT_CODE) from None
