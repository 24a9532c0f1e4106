"""A bundle: the one file with everything needed to verify a game offline. The same game gives the same bytes.

Nothing in a bundle is believed because it is in it; trust comes from the key or policy that the verifier has already.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from domain.audit.archive import (
    BadArchive,
    Member,
    Part,
    Place,
    Slot,
    Source,
    find_first,
    find_members,
    format_archive,
)
from domain.audit.reading import iter_lines
from domain.ids import GameId

# Example: `0199c0de-0000-7000-8000-000000000001.spina.zip`, as `unzip -l` lists it
#
#     format                  the edition of docs/proof.md that the file follows: `spina/bundle/v1` and a newline
#     log.ndjson              the game's lines as they are stored, a newline after each (record.py)
#     components.json         decks, tracks and tables: the bytes whose SHA-256 the first line names (canonical.py)
#     last.tlog-proof         that the ledger has the last line, with its signed checkpoint
#     first-seat.tlog-proof   the same for the line that took the first seat
#     since.tlog-growth       that the ledger of last.tlog-proof and an older one, or a newer, are one that only grew
#     policy                  which keys the operator states are the ledger's and its witnesses'
#     HOWTO.txt               a few sentences for a reader who opens the file and knows nothing
#
# Every bundle begins with its format, and a reader looks at it before all else: of another one it knows nothing.
#
# The container is archive.py's. The two proofs and the policy are there once a checkpoint covers the lines, and stay
# the same from the end of the game on. since.tlog-growth is there for a reader who asked for it: in the form of
# add_checkpoint.py the size of the smaller of the two trees, the path, and the checkpoint of the larger one. Refused:
# other members, another order, and sizes beyond the limits. HOWTO.txt may state anything: it is not looked at.

FORMAT = "format"
FORMAT_BODY = b"spina/bundle/v1\n"
LOG = "log.ndjson"
COMPONENTS = "components.json"
LAST_PROOF = "last.tlog-proof"
FIRST_SEAT_PROOF = "first-seat.tlog-proof"
SINCE = "since.tlog-growth"
POLICY = "policy"
HOWTO = "HOWTO.txt"

# A long race has some thousand lines of some hundred bytes; this is ten times that.
LOG_SIZE_MAX = 16 * 1024 * 1024
# The largest log is a tournament's, or an operators' record.
ANY_LOG_SIZE_MAX = 64 * 1024 * 1024
# The allowed content of a components file.
COMPONENTS_SIZE_MAX = 1_000_000
# A signed note may have a million bytes, and a path 63 hashes.
PROOF_SIZE_MAX = 1_100_000
POLICY_SIZE_MAX = 100_000
HOWTO_SIZE_MAX = 16_384
# All of them, with room for the entries of the container.
BUNDLE_SIZE_MAX = LOG_SIZE_MAX + COMPONENTS_SIZE_MAX + 3 * PROOF_SIZE_MAX + POLICY_SIZE_MAX + HOWTO_SIZE_MAX + 4_096


ANY_LOG_SLOT = Slot(name=LOG, size_max=ANY_LOG_SIZE_MAX, is_required=True)
FORMAT_SLOT = Slot(name=FORMAT, size_max=100, is_required=True)
_ANY_FORMAT = re.compile(rb"spina/bundle/v[1-9][0-9]{0,5}\n")


class UnknownFormat(BadArchive):
    """A bundle of an edition of the format that this release does not read."""


def list_slots(*, log_size_max: int, first_proof: str, more: Sequence[Slot] = ()) -> list[Slot]:
    """List the places of every bundle in their order, with `more` before the last."""
    return [
        FORMAT_SLOT,
        Slot(name=LOG, size_max=log_size_max, is_required=True),
        Slot(name=COMPONENTS, size_max=COMPONENTS_SIZE_MAX, is_required=True),
        Slot(name=LAST_PROOF, size_max=PROOF_SIZE_MAX, is_required=False),
        Slot(name=first_proof, size_max=PROOF_SIZE_MAX, is_required=False),
        Slot(name=SINCE, size_max=PROOF_SIZE_MAX, is_required=False),
        Slot(name=POLICY, size_max=POLICY_SIZE_MAX, is_required=False),
        *more,
        Slot(name=HOWTO, size_max=HOWTO_SIZE_MAX, is_required=True),
    ]


_SLOTS = list_slots(log_size_max=LOG_SIZE_MAX, first_proof=FIRST_SEAT_PROOF)

_HOWTO = """\
This file proves one game played on Spina, the game with the id
{game}

Check all of it, offline:

    spina verify {game}.spina.zip --policy FILE

FILE names the keys you trust. The one in this archive is the operator's own word; take yours from somewhere else.

Tell the story of the game:

    spina replay {game}.spina.zip

By hand: each line of log.ndjson is one event, and `prev` in it is the SHA-256 of the line before without its newline:

    head -n 1 log.ndjson | tr -d '\\n' | sha256sum

The SHA-256 of components.json stands in the first line, under "components". The form of everything here, from which
anyone can write a verifier of their own, is docs/proof.md of the project.
"""


LogT = TypeVar("LogT", bound=Source)


class LogBundleOf(Struct, Generic[LogT], frozen=True, kw_only=True):
    """The content of any log's file; the parts of the ledger are None until a checkpoint covers the lines.

    `first_seat_proof` is that of the line that took the first seat, or of the first entrant. The log of an audited file
    stays in the file.
    """

    log: LogT
    howto: bytes
    last_proof: bytes | None = None
    first_seat_proof: bytes | None = None
    since: bytes | None = None
    policy: bytes | None = None


class BundleOf(LogBundleOf[LogT], frozen=True, kw_only=True):
    """The content of the file of a game or a tournament."""

    components: bytes


# With the log in memory, and in the file.
LogBundle: TypeAlias = LogBundleOf[bytes]
Bundle: TypeAlias = BundleOf[bytes]
StoredLogBundle: TypeAlias = LogBundleOf[Source]
StoredBundle: TypeAlias = BundleOf[Source]


def list_unvouched(bundle: LogBundleOf[Any]) -> tuple[str, ...]:
    """List the members that no check reads."""
    return (HOWTO,) if bundle.policy is None else (POLICY, HOWTO)


def build_howto(game: GameId) -> bytes:
    return _HOWTO.format(game=game).encode()


def bundle_name(game: GameId) -> str:
    return f"{game}.spina.zip"


def format_bundle(bundle: Bundle) -> bytes:
    """Write the one file."""
    return format_archive(list_members(bundle, first_proof=FIRST_SEAT_PROOF))


def parse_bundle(raw: Source) -> Bundle:
    """Read a bundle from its one accepted spelling, or raise BadArchive."""
    return Bundle(**load_log(open_bundle(raw)))


def load_log(opened: StoredLogBundle) -> dict[str, Any]:
    """Return the fields of a bundle, its log among them as bytes."""
    return asdict(opened) | {"log": opened.log[:]}


def open_bundle(raw: Source) -> StoredBundle:
    """Read a bundle but for its log, which is read from the same source when it is split. Raises BadArchive."""
    check_format(raw)
    places = find_members(raw, _SLOTS)
    return StoredBundle(**read_members(raw, places, first_proof=FIRST_SEAT_PROOF))


def check_format(raw: Source) -> None:
    """Check that any bundle is of the format that this release reads; raises UnknownFormat, and BadArchive."""
    found = find_first(raw, [FORMAT_SLOT]).read(raw).body
    if found == FORMAT_BODY:
        return
    refuse = UnknownFormat if _ANY_FORMAT.fullmatch(found) else BadArchive
    raise refuse(expected=f"the format {FORMAT_BODY.decode().strip()}", found=ascii(found.decode("latin-1").strip()))


def find_log(raw: Source) -> Source:
    """Find the log of any bundle, which states of what kind it is; raises BadArchive."""
    check_format(raw)
    return Part(raw, find_first(raw, [FORMAT_SLOT, ANY_LOG_SLOT]))


def is_opened_by(opening: str, log: Source) -> bool:
    """Return the kind of a bundle by the bytes that end its log's first line, as those of a canonical one do.

    Must agree with findOpening in services/web/verify/archive.js.
    """
    return next(iter_lines(log), b"").endswith(f'"type":"{opening}","version":1}}'.encode())


def list_members(bundle: LogBundle, *, first_proof: str, more: Sequence[Member] = ()) -> list[Member]:
    """List the parts that there are, in the order of their places."""
    parts = (
        (LOG, bundle.log),
        (COMPONENTS, bundle.components if isinstance(bundle, BundleOf) else None),
        (LAST_PROOF, bundle.last_proof),
        (first_proof, bundle.first_seat_proof),
        (SINCE, bundle.since),
        (POLICY, bundle.policy),
    )
    members = [Member(name=name, body=body) for name, body in parts if body is not None]
    return [Member(name=FORMAT, body=FORMAT_BODY), *members, *more, Member(name=HOWTO, body=bundle.howto)]


def read_members(raw: Source, places: Iterable[Place], *, first_proof: str) -> dict[str, Any]:
    """Return the fields of a bundle from its members. The log is read when it is split."""
    by_name = {place.name: place for place in places}
    names = {
        "components": COMPONENTS,
        "last_proof": LAST_PROOF,
        "first_seat_proof": first_proof,
        "since": SINCE,
        "policy": POLICY,
        "howto": HOWTO,
    }
    there = {field: by_name[name].read(raw).body for field, name in names.items() if name in by_name}
    return {"log": Part(raw, by_name[LOG])} | there
