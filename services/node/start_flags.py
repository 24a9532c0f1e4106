"""What is said at the start of one process, and not in its settings: which of the work that one process does is its."""

from msgspec import Struct

from services.node.otlp import TracingTerms


class StartTerms(Struct, frozen=True, kw_only=True):
    # Another process, perhaps on a machine of its own, keeps the ledger.
    has_notary: bool = True
    # Another process keeps the clocks.
    has_timekeeper: bool = True
    # SPINA_ORIGIN names a log that this database has not been published as.
    is_new_origin: bool = False
    # Where spans go, if anywhere.
    tracing: TracingTerms | None = None


START_TERMS = StartTerms()
