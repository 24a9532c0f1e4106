"""What is asked of the parts of a server when its metrics are read: which are there, and how far workers are behind."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from infra.metrics import Family, Label, Metrics, Reading
from infra.postgres.worker_lag import ReadLag
from infra.store_faults import StoreUnavailable
from services.api.health import SharedHealth
from services.workers.projector import Projector

PARTS = ("migrations", "postgres", "redis")
WORKERS = ("notary", "timekeeper")
# Those of whom health tells; the projector is one there, and one for each projection where lags are.
TOLD_WORKERS = ("notary", "projector", "timekeeper")


class Lag(Struct, frozen=True, kw_only=True):
    """How many events a worker has not taken in, and how long ago the first of them became true."""

    events: int
    seconds: float


def list_projector_lags(projector: Projector) -> dict[str, Callable[[], Lag | None]]:
    """Build how the lag of each projection is asked for, by the name that metrics give it."""

    def asking(projection: str) -> Callable[[], Lag | None]:
        def ask() -> Lag | None:
            lag = projector.find_lag(projection)
            return None if lag is None else Lag(events=lag.events_behind, seconds=lag.seconds_behind)

        return ask

    return {f"projector.{each.name}": asking(each.name) for each in projector.projections}


class Vitals:
    """`others` are workers that measure themselves, by name; None while one has not yet."""

    def __init__(
        self,
        health: SharedHealth,
        read_lag: ReadLag,
        *,
        now_ms: Callable[[], int],
        others: Mapping[str, Callable[[], Lag | None]] | None = None,
    ) -> None:
        self._health = health
        self._read_lag = read_lag
        self._now_ms = now_ms
        self._others = dict(others or {})
        self._up: Reading = {}
        self._ready: Reading = {}
        self._lags: dict[str, Lag] = {}
        self._beat_s: Reading = {}

    def show_in(self, metrics: Metrics) -> None:
        """Have the numbers read with the rest; they are as old as the last `refresh`."""
        part = Label(name="part", values=frozenset(PARTS))
        worker = Label(name="worker", values=frozenset((*WORKERS, *self._others)))
        metrics.gauge(
            Family(name="spina_up", help="Whether a part is there and fit.", labels=(part,)), lambda: self._up
        )
        told = Label(name="worker", values=frozenset(TOLD_WORKERS))
        metrics.gauge(
            Family(name="spina_worker_ready", help="Whether a worker's work is done, wherever.", labels=(told,)),
            lambda: self._ready,
        )
        metrics.gauge(
            Family(name="spina_worker_lag_events", help="Events that a worker has not taken in.", labels=(worker,)),
            lambda: {name: lag.events for name, lag in self._lags.items()},
        )
        metrics.gauge(
            Family(name="spina_worker_lag_seconds", help="Age of the first event not taken in.", labels=(worker,)),
            lambda: {name: lag.seconds for name, lag in self._lags.items()},
        )
        metrics.gauge(
            Family(name="spina_timekeeper_beat_age_seconds", help="Since somebody last kept the clocks."),
            lambda: self._beat_s,
        )

    async def refresh(self) -> None:
        """Ask everybody, each with its own limit of time. What does not answer is left out."""
        checks = (await self._health.read()).checks
        self._up = {part: float(getattr(checks, part).status == "ok") for part in PARTS}
        self._ready = {name: float(check.status == "ok") for name, check in checks.workers.items()}
        measured = {name: read() for name, read in self._others.items()}
        self._lags = {name: lag for name, lag in measured.items() if lag is not None}
        self._beat_s = {}
        try:
            stored = await self._read_lag()
        except StoreUnavailable:
            return
        now_ms = self._now_ms()
        for name, lag in stored.items():
            age_ms = 0 if lag.oldest_ms is None else max(0, now_ms - lag.oldest_ms)
            self._lags[name] = Lag(events=lag.behind, seconds=age_ms / 1000)
            if lag.beat_ms is not None:
                self._beat_s = {"": max(0, now_ms - lag.beat_ms) / 1000}
