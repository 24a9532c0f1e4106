"""The operators' record as a kind of stream: acts without consequences, admitted from the log alone."""

from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.derived_ids import derive_record
from domain.log.entry import Entry, Input
from domain.log.kind import StreamKind
from domain.log.record import Line, parse_at
from domain.log.state import begin_log, with_command
from domain.operators.events import ACT_TYPES, OPENING, TAGS, RecordOpened
from domain.operators.rejections import UnfitRecord
from domain.operators.state import Record

BY = "operator"


def find_type(line: Line) -> type[Struct] | None:
    """Find the struct of a line's type, or None where no such type is known."""
    if line.kind != "input":
        return None
    return RecordOpened if line.type == OPENING else ACT_TYPES.get(line.type)


def check_opening(entry: Entry) -> None:
    """Check that a first line begins the one record of the ledger that it names."""
    opened, line = entry.event, entry.line
    assert isinstance(opened, RecordOpened), f"a record begins with its opening, not {line.type}"
    expected = derive_record(opened.ledger)
    if line.stream != expected:
        raise UnfitRecord(expected=f"{expected}, the id of the record of {opened.ledger}", found=line.stream)
    if (line.by, line.sig) != (BY, None):
        raise UnfitRecord(expected=f"an opening by {BY}, unsigned", found=f"by {line.by}, sig {line.sig}")


def begin(entry: Entry) -> Record:
    """Fold the first line."""
    assert isinstance(entry.event, RecordOpened), f"a record begins with its opening, not {entry.line.type}"
    return Record(**begin_log(entry, entry.event))


def evolve(record: Record, entry: Entry) -> Record:
    """Fold a line."""
    line = entry.line
    assert line.command is not None, "every act is a command's"
    return msgspec.structs.replace(
        record,
        version=line.version,
        head=entry.hash,
        at_ms=parse_at(line.at),
        bases=(entry.hash,),
        commands=with_command(record.commands, line.command),
    )


def _pass(*_: Any) -> None:
    """Acts need nothing before them, and nothing follows from them. A record has no bound: all acts are recorded."""


def _list_authors(_: Record, event: Struct) -> tuple[str, ...]:
    return () if isinstance(event, RecordOpened) else (BY,)


def _is_of_command(_put: Input) -> bool:
    return True


RECORDS: Final[StreamKind[Record]] = StreamKind(
    name="record",
    opening=OPENING,
    is_played=False,
    find_type=lambda line, _: find_type(line),
    find_tag=lambda _, event: TAGS[type(event)],
    find_ruleset=lambda _: None,
    check_opening=lambda entry, _: check_opening(entry),
    begin=lambda entry, *_: begin(entry),
    check_phase=_pass,
    list_authors=_list_authors,
    list_authors_by_terms=_list_authors,
    is_of_command=_is_of_command,
    find_key=lambda *_: None,
    admit=_pass,
    follow=_pass,
    evolve=evolve,
    settle=lambda record: record,
)
