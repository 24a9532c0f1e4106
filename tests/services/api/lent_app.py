"""Apps of the API that are lent to one server after another, as a tenth of a second goes into the routes of each.

An app holds nothing of its server but its state, which is replaced.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from litestar import Litestar
from litestar.datastructures import State

from services.api.app import Offered, build_app, build_state
from services.api.http.health import Probes
from services.api.http.parts import Parts

# By the services that are offered, as each brings routes of its own.
IDLE: defaultdict[tuple[bool, ...], list[Litestar]] = defaultdict(list)


@contextmanager
def lent_app(*, probes: Probes, parts: Parts, offered: Offered | None = None) -> Iterator[Litestar]:
    """Lend an app that serves the parts while the block runs."""
    offered = offered or Offered()
    services = (offered.live, offered.ledger, offered.audits, offered.metrics)
    idle = IDLE[tuple(service is not None for service in services)]
    app = idle.pop() if idle else build_app(probes=probes, parts=parts, offered=offered)
    app.state = build_state(probes=probes, parts=parts, offered=offered)
    try:
        yield app
    finally:
        app.state = State()
        idle.append(app)
