"""Logging that a test sets up, and leaves as it was."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog


@contextmanager
def own_logging() -> Iterator[None]:
    """Restore handlers, level and processors at the end: those of a command are for a process of its own."""
    root, config = logging.getLogger(), structlog.get_config()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        structlog.configure(**config)
        root.handlers[:] = handlers
        root.setLevel(level)
