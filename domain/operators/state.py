"""The operators' record as folded from its log: its place alone, as each act stands for itself."""

from domain.log.state import LogState
from domain.operators.events import RecordOpened


class Record(LogState, frozen=True, kw_only=True):
    opened: RecordOpened
