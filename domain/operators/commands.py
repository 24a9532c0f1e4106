"""Commands of the operators' record: the line that shall stand in it, in the envelope of every log's commands."""

from domain.ids import Hex32Field, LedgerNameField
from domain.log.command import Command
from domain.operators.events import OPENING, TAGS, AnyAct


class OpenRecord(Command, frozen=True, kw_only=True):
    """Opens the record of a ledger. `leaf_key` is fresh random bytes, made by the caller."""

    ledger: LedgerNameField
    leaf_key: Hex32Field

    @property
    def type(self) -> str:
        return OPENING


class RecordCommand(Command, frozen=True, kw_only=True):
    event: AnyAct

    @property
    def type(self) -> str:
        return TAGS[type(self.event)]
