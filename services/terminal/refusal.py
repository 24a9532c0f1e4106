"""A failure at the command line is one sentence, never a traceback: for an expected reason, or by a bug."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from services.terminal.printing import say

REFUSED_EXIT_CODE = 1
# As sysexits.h has them: an error inside the software, and a failure that passes.
BUG_EXIT_CODE = 70
AGAIN_EXIT_CODE = 75


@contextmanager
def told_in_a_sentence(*refusals: type[Exception], passing: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Turn the named exceptions into their message on standard error and an exit code, another one for `passing`."""
    try:
        yield
    except (*passing, *refusals) as refusal:
        from infra.redaction import redact_text

        say(f"spina: {redact_text(_tell(refusal))}", err=True)
        raise typer.Exit(AGAIN_EXIT_CODE if isinstance(refusal, passing) else REFUSED_EXIT_CODE) from None


def _tell(refusal: Exception) -> str:
    """Return its message, or a sentence about the file that the system refused."""
    if isinstance(refusal, OSError) and refusal.filename is not None:
        return f"expected access to {refusal.filename}, found: {refusal.strerror}"
    return str(refusal)


@contextmanager
def missing_extras_told_in_a_sentence() -> Iterator[None]:
    """Name the extra of this distribution that brings a missing package: a verifier needs no server's packages."""
    try:
        yield
    except ModuleNotFoundError as missing:
        from services.terminal.extras import find_extra

        package = (missing.name or "").partition(".")[0]
        extra = find_extra(package)
        if extra is None:
            raise
        say(
            f"spina: expected the Python package {package}, found none: pip install 'spina[{extra}]' brings it",
            err=True,
        )
        raise SystemExit(REFUSED_EXIT_CODE) from None


@contextmanager
def bugs_told_in_a_sentence() -> Iterator[None]:
    """Log an unexpected exception, frames without local values, and print it once, redacted like every log line."""
    try:
        yield
    except Exception as bug:  # noqa: BLE001  the outermost frame of the program: no caller is left
        import structlog

        from infra.logging import configure_logging
        from infra.redaction import redact_text

        # Most commands log nothing else; the few that do have ended.
        configure_logging("error")
        structlog.get_logger().critical("program_crashed", exc_info=bug)
        sentence = f"{type(bug).__name__}: {redact_text(str(bug))}"
        say(f"spina: a mistake of the program, please report it with the lines above: {sentence}", err=True)
        raise SystemExit(BUG_EXIT_CODE) from None
