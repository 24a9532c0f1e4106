"""The file of the operators' record: its log and the ledger's proof of it, without components, as it has no rules."""

from domain.audit.archive import Member, Slot, Source, find_members, format_archive
from domain.audit.bundle import (
    ANY_LOG_SIZE_MAX,
    COMPONENTS,
    FIRST_SEAT_PROOF,
    LogBundle,
    StoredLogBundle,
    check_format,
    is_opened_by,
    list_members,
    list_slots,
    load_log,
    read_members,
)
from domain.ids import StreamId
from domain.operators.events import OPENING

# Example: `0199c0de-0000-8000-8000-000000000001.record.zip`, as `unzip -l` lists it
#
#     format             the edition of docs/proof.md that the file follows
#     log.ndjson         the record's lines as they are stored, a newline after each (record.py)
#     last.tlog-proof    that the ledger has the last line, with its signed checkpoint
#     since.tlog-growth  that the ledger only grew since another checkpoint of the reader's, who asked for it
#     policy             which keys the operator states are the ledger's and its witnesses'
#     HOWTO.txt          a few sentences for a reader who opens the file and knows nothing
#
# The container is archive.py's. Refused: other members, another order, and sizes beyond the limits.

SUFFIX = ".record.zip"
_ABSENT = {COMPONENTS, FIRST_SEAT_PROOF}
_SLOTS: list[Slot] = [
    each for each in list_slots(log_size_max=ANY_LOG_SIZE_MAX, first_proof=FIRST_SEAT_PROOF) if each.name not in _ABSENT
]
RECORD_SIZE_MAX = sum(slot.size_max for slot in _SLOTS) + 4_096

_HOWTO = """\
This file proves the operators' record {record}: the acts of the operators of one Spina server.

Check all of it, offline:

    spina verify {record}.record.zip --policy FILE

FILE names the keys you trust. The one in this archive is the operator's own word; take yours from somewhere else. A
record that ends too early is not seen by this file alone: the ledger has the number of its lines. The form of
everything here is docs/proof.md of the project.
"""


def build_howto(record: StreamId) -> bytes:
    return _HOWTO.format(record=record).encode()


def format_record_bundle(bundle: LogBundle) -> bytes:
    """Write the one file."""
    members: list[Member] = list_members(bundle, first_proof=FIRST_SEAT_PROOF)
    return format_archive(members)


def parse_record_bundle(raw: Source) -> LogBundle:
    """Read the file from its one accepted spelling, or raise BadArchive."""
    return LogBundle(**load_log(open_record_bundle(raw)))


def open_record_bundle(raw: Source) -> StoredLogBundle:
    """Read the file but for its log, which is read from the same source when it is split. Raises BadArchive."""
    check_format(raw)
    places = find_members(raw, _SLOTS)
    return StoredLogBundle(**read_members(raw, places, first_proof=FIRST_SEAT_PROOF))


def is_record_log(log: Source) -> bool:
    """Return whether a bundle's log is an operators' record."""
    return is_opened_by(OPENING, log)
