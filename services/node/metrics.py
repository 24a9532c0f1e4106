"""The metrics of one process: counters while it works, and gauges that are read on request."""

from msgspec import Struct

from infra.metrics import Family, Label, Metrics
from infra.settings import Settings
from services.api.app import list_all_operations
from services.api.live import Live
from services.api.meters import Meters
from services.api.metrics import MetricsPage, read_metrics_token
from services.api.parts import Parts
from services.node.vitals import Vitals

CACHES = ("frame_buffers", "folded_games", "history_states", "tokens")


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


def build_metrics_page(measuring: Measuring, parts: Parts, live: Live, vitals: Vitals) -> MetricsPage | None:
    """Add the gauges of the parts, and build the page for holders of the token."""
    if measuring.token is None:
        return None
    metrics, hub = measuring.metrics, live.hub
    vitals.show_in(metrics)
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
            "folded_games": len(parts.arena.folded),
            "history_states": parts.histories.states_count,
            "tokens": len(parts.tokens),
        },
    )
    return MetricsPage(metrics=metrics, token=measuring.token, refresh=vitals.refresh)
