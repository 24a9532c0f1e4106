"""One line of the doctor's report."""

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    what: str
    # Whether a server can run with it.
    is_ok: bool
    found: str
    # The remedy; empty where none is needed. Beside an `ok` it is only a piece of advice.
    advice: str = ""
