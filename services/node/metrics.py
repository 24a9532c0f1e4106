"""The metrics of one process: counters while it works, and gauges read on request."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from infra.metrics import Family, Label, Metrics, Reading
from infra.postgres.replica import Replica
from infra.postgres.worker_signs import ReadSigns
from infra.process_figures import show_process
from infra.settings import Settings
from infra.store_faults import StoreUnavailable
from services.api.app import list_all_operations
from services.api.games.live import Live
from services.api.http.health import SharedHealth
from services.api.http.meters import Meters, MetricsPage, read_metrics_token
from services.api.http.parts import Parts
from services.workers.kinds import list_worker_names

PARTS = ("clock", "disk", "migrations", "postgres", "redis")

CACHES = ("frame_buffers", "folded_games", "history_states", "tokens")


class Vitals:
    def __init__(self, health: SharedHealth, read_signs: ReadSigns, *, now_ms: Callable[[], int]) -> None:
        self._health = health
        self._read_signs = read_signs
        self._now_ms = now_ms
        self._up: Reading = {}
        self._ready: Reading = {}
        self._lag_events: Reading = {}
        self._lag_s: Reading = {}
        self._silent_s: Reading = {}

    def show_in(self, metrics: Metrics) -> None:
        """Have the numbers read with the rest; they are as old as the last `refresh`."""
        parts = (Label(name="part", values=frozenset(PARTS)),)
        workers = (Label(name="worker", values=frozenset(list_worker_names())),)
        for name, help_, labels, read in (
            ("spina_up", "Whether a part is there and fit.", parts, lambda: self._up),
            ("spina_worker_ready", "Whether a worker is well, in whichever process.", workers, lambda: self._ready),
            ("spina_worker_lag_events", "Unread events of a worker.", workers, lambda: self._lag_events),
            ("spina_worker_lag_seconds", "Age of the first unread event.", workers, lambda: self._lag_s),
            ("spina_worker_heartbeat_age_seconds", "Since a worker's heartbeat.", workers, lambda: self._silent_s),
        ):
            metrics.gauge(Family(name=name, help=help_, labels=labels), read)

    async def refresh(self) -> None:
        """Ask all parts, each with its own limit of time. A part without an answer is left out."""
        checks = (await self._health.read()).checks
        self._up = {part: float(getattr(checks, part).status == "ok") for part in PARTS}
        self._ready = {name: float(check.status == "ok") for name, check in checks.workers.items()}
        self._lag_events, self._lag_s, self._silent_s = {}, {}, {}
        try:
            signs = await self._read_signs()
        except StoreUnavailable:
            return
        now_ms = self._now_ms()
        # A later release may have workers of its own.
        for name in signs.keys() & set(list_worker_names()):
            sign = signs[name]
            if sign.behind is not None:
                self._lag_events[name] = sign.behind
                self._lag_s[name] = 0 if sign.oldest_ms is None else max(0, now_ms - sign.oldest_ms) / 1000
            if sign.heartbeat_ms is not None:
                self._silent_s[name] = max(0, now_ms - sign.heartbeat_ms) / 1000


class Measuring(Struct, frozen=True, kw_only=True):
    """`token` is None where the metrics are not served."""

    metrics: Metrics
    meters: Meters
    token: str | None


def build_measuring(settings: Settings) -> Measuring:
    """Begin to count. Raises SettingsRefused where the token cannot be used."""
    path = settings.metrics_token_file
    metrics = Metrics()
    meters = Meters(metrics, list_all_operations())
    return Measuring(metrics=metrics, meters=meters, token=None if path is None else read_metrics_token(path))


def build_metrics_page(
    measuring: Measuring, parts: Parts, live: Live, vitals: Vitals, replicas: Sequence[Replica]
) -> MetricsPage | None:
    """Add the gauges of the parts, and build the page for holders of the token."""
    if measuring.token is None:
        return None
    metrics, hub = measuring.metrics, live.hub
    vitals.show_in(metrics)
    show_process(metrics)
    show_replicas(metrics, replicas)
    metrics.gauge(
        Family(name="spina_readers", help="Who follows a game live, through this process."),
        lambda: {"": hub.readers_count},
    )
    metrics.gauge(
        Family(name="spina_hub_lag_seconds", help="From the receipt of the line told last to when readers had it."),
        lambda: {"": hub.lag_s},
    )
    cache = Label(name="cache", values=frozenset(CACHES))
    metrics.gauge(
        Family(name="spina_cache_entries", help="What this process remembers.", labels=(cache,)),
        lambda: {
            "frame_buffers": hub.buffers_count,
            "folded_games": len(parts.games.arena.folded),
            "history_states": parts.games.histories.states_count,
            "tokens": len(parts.people.known_tokens),
        },
    )
    return MetricsPage(metrics=metrics, token=measuring.token, refresh=vitals.refresh)


def show_replicas(metrics: Metrics, replicas: Sequence[Replica]) -> None:
    """Add the state of each replica, by its place in the setting."""
    labels = (Label(name="replica", values=frozenset(replica.name for replica in replicas)),)
    metrics.gauge(
        Family(name="spina_replica_ready", help="Whether reads may go to a replica.", labels=labels),
        lambda: {replica.name: float(replica.is_fit) for replica in replicas},
    )
    metrics.gauge(
        Family(name="spina_replica_lag_bytes", help="Log of the primary that a replica lacks.", labels=labels),
        lambda: {replica.name: replica.lag_bytes for replica in replicas if replica.lag_bytes is not None},
    )
