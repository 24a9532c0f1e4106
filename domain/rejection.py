"""Rejections: the domain's refusals, expected, named, shown to the caller, and without any effect.

Each has the expected and the found value; its `code` is stable, as programs match on it.
"""

from typing import ClassVar, Literal

# Not there for the caller; open to another account; refused as the stream stands now; refused as it was sent.
Kind = Literal["absent", "forbidden", "not_now", "never"]


class Rejection(Exception):
    """Base of the four kinds of rejections. The message never quotes a secret, a salt, a nonce or a token."""

    code: ClassVar[str]
    kind: ClassVar[Kind]

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class Absent(Rejection):
    """Not found, or not visible to the caller."""

    kind = "absent"


class Forbidden(Rejection):
    """Another account or another key may."""

    kind = "forbidden"


class NotNow(Rejection):
    """The stream stands differently now, or a limit is reached."""

    kind = "not_now"


class Unprocessable(Rejection):
    """The input can be accepted at no moment."""

    kind = "never"


class IllegalAction(Unprocessable):
    """The rules do not allow this action here. Rulesets derive their own reasons from it."""

    code = "illegal-action"
