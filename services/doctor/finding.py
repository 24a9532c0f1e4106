"""One line of the doctor's report."""

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    what: str
    # Whether a server can run with it.
    is_ok: bool
    found: str
    # What to do; empty when nothing is. Beside something that is ok it is a piece of advice, and no more.
    advice: str = ""
