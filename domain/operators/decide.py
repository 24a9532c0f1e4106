"""Deciding: a command and the folded record in, its line or a named rejection out. Nothing is changed or read."""

from domain.log.actors import name_actor
from domain.log.command import Command
from domain.log.enact import Decided, enact
from domain.log.entry import Input
from domain.log.fields import check_fields
from domain.log.opening import write_opening
from domain.operators.commands import OpenRecord, RecordCommand
from domain.operators.events import RecordOpened
from domain.operators.kind import RECORDS, begin, check_opening
from domain.operators.state import Record


def decide_opening(command: OpenRecord) -> Decided[Record]:
    """Decide the command that opens the record of a ledger, or raise the Rejection that states why not."""
    check_fields(command)
    entry = write_opening(command, RecordOpened(ledger=command.ledger, leaf_key=command.leaf_key))
    check_opening(entry)
    return Decided(state=begin(entry), entries=(entry,))


def decide(record: Record, command: RecordCommand) -> Decided[Record]:
    """Decide one act, or raise the Rejection that states why not."""
    check_fields(command, Command)
    check_fields(command.event)
    put = Input(
        event=command.event,
        by=name_actor(command.actor),
        at_ms=command.at_ms,
        command=command.id,
        sig=command.sig,
        base=command.base,
    )
    return enact(RECORDS, record, put)
