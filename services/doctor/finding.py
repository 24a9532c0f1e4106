"""One line of the doctor's report."""

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    what: str
    is_ok: bool
    found: str
    # What to do; empty when nothing is.
    advice: str = ""
