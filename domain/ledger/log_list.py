"""Log lists: the logs that public witnesses cosign, and how often each may ask them (witness-network.org, logs/v0)."""

from msgspec import Struct

from domain.ledger.note_key import ED25519, NoteKey, format_note_key, parse_note_key
from domain.ledger.spelling import Misspelt, decode_text, parse_number, quote

# Example (the keys shortened):
#
#     # the club's list
#     logs/v0
#
#     vkey games.example/log+259e2949+ASms…
#     qpd 86400
#     contact ops@games.example
#
#     vkey old.example+07a1…
#     origin another name of the log
#     qpd 24
#     contact sysadmin (at) old.example
#
#     file    = "logs/v0" log*
#     log     = "vkey" key, ["origin" text], "qpd" number, "contact" text         in this order, each on its own line
#     qpd     = how many requests to add a checkpoint the log may send a day to each witness, 1 or more
#
# The origin is the name in the key if left out. Blank lines and lines that begin with "#" state nothing; blanks
# around a line count as little. Refused: other words, another order, a log that is not whole, keys of another kind.

LIST_SIZE_MAX = 10_000_000

_HEADER = "logs/v0"


class ListedLog(Struct, frozen=True, kw_only=True):
    key: NoteKey
    origin: str
    requests_per_day: int
    contact: str


def parse_log_list(raw: bytes) -> tuple[ListedLog, ...]:
    text = decode_text(raw.replace(b"\r\n", b"\n").replace(b"\t", b" "), size_max=LIST_SIZE_MAX)
    lines = [line for line in map(str.strip, text.split("\n")) if line and not line.startswith("#")]
    if lines[:1] != [_HEADER]:
        raise Misspelt(expected=_HEADER, found=quote("".join(lines[:1])))
    reader = _Reader(lines[1:])
    logs = []
    while not reader.is_at_end:
        logs.append(reader.read_log())
    return tuple(logs)


def format_log_list(logs: tuple[ListedLog, ...]) -> bytes:
    return "\n".join([f"{_HEADER}\n", *map(_format_log, logs)]).encode()


def _format_log(log: ListedLog) -> str:
    origin = "" if log.origin == log.key.name else f"origin {log.origin}\n"
    return f"vkey {format_note_key(log.key)}\n{origin}qpd {log.requests_per_day}\ncontact {log.contact}\n"


class _Reader:
    """The lines that are left."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    @property
    def is_at_end(self) -> bool:
        return not self._lines

    def read_log(self) -> ListedLog:
        key = parse_note_key(self._take("vkey"))
        if key.kind != ED25519:
            raise Misspelt(expected=f"a key of kind 0x{ED25519:02x}", found=f"kind 0x{key.kind:02x}")
        has_origin = bool(self._lines) and self._lines[0].startswith("origin ")
        origin = self._take("origin") if has_origin else key.name
        requests = parse_number(self._take("qpd"))
        if requests == 0:
            raise Misspelt(expected="1 request a day or more", found="0")
        return ListedLog(key=key, origin=origin, requests_per_day=requests, contact=self._take("contact"))

    def _take(self, word: str) -> str:
        line = self._lines.pop(0) if self._lines else ""
        found, _, rest = line.partition(" ")
        if found != word or not rest.strip():
            raise Misspelt(expected=f"{word} and a value", found=quote(line) if line else "the end")
        return rest.strip()
