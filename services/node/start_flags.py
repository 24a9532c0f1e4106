"""Start-up flags: which workers a process leaves to others, and other choices of one start."""

from msgspec import Struct

from services.node.otlp import TracingSettings


class StartFlags(Struct, frozen=True, kw_only=True):
    # Names of workers that other processes stand by for.
    without: frozenset[str] = frozenset()
    # SPINA_ORIGIN names a log that this database has not been published as.
    is_new_origin: bool = False
    # The collector of spans, if any.
    tracing: TracingSettings | None = None


START_FLAGS = StartFlags()
