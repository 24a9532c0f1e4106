"""Rejections: the domain's refusals, expected, named, shown to the caller, and without any effect.

Each has the expected and the found value; its `code` is stable, as programs match on it.
"""

from typing import ClassVar


class Rejection(Exception):
    """Base of all rejections. The message never quotes a secret, a salt, a nonce or a token."""

    code: ClassVar[str]

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class IllegalAction(Rejection):
    """The rules do not allow this action here. Rulesets derive their own reasons from it."""

    code = "illegal-action"
