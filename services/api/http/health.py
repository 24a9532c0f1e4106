"""Whether this server may be sent requests: each part is asked, and given only a moment to answer.

Redis carries hints alone, workers come after the fact, a disk is full only later, and a clock that was set is not
followed: the server is degraded and still ready.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Literal, TypeVar

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.status_codes import HTTP_200_OK, HTTP_503_SERVICE_UNAVAILABLE
from msgspec import Struct

from infra.version import VERSION
from services.api.http.documented import ForAnyone
from services.workers.kinds import list_worker_names

T = TypeVar("T")

# A load balancer asks every few seconds and gives up soon; a part that needs longer is away for a player too.
CHECK_TIMEOUT_S = 2.0
# Health is public and unlimited; the parts are asked once in this time for all callers.
SHARED_S = 1.0
HEALTH_STATE = "shared_health"
HEALTH_PATH = "/v1/health"


class Check(Struct, frozen=True, kw_only=True):
    """One part, and its condition in a few words that hold no address and no secret."""

    status: Literal["ok", "unavailable"]
    found: str


READY = Check(status="ok", found="ready")


class Checks(Struct, frozen=True, kw_only=True):
    postgres: Check
    redis: Check
    migrations: Check
    # The disk with the server's own files.
    disk: Check = READY
    # The machine's clock, beside that of the process.
    clock: Check = READY
    # Each worker, in any process: without one, games go on and something is late.
    workers: dict[str, Check] = {}


class Health(Struct, frozen=True, kw_only=True):
    status: Literal["ok", "degraded", "unavailable"]
    version: str
    checks: Checks


Probe = Callable[[], Awaitable[Check]]
# Probes all workers at once, by name.
WorkersProbe = Callable[[], Awaitable[dict[str, Check]]]


async def probe_nothing() -> Check:
    return READY


async def probe_no_workers() -> dict[str, Check]:
    return {}


class Probes(Struct, frozen=True, kw_only=True):
    """How to ask each part. A probe reports its finding and raises nothing."""

    postgres: Probe
    redis: Probe
    migrations: Probe
    disk: Probe = probe_nothing
    clock: Probe = probe_nothing
    workers: WorkersProbe = probe_no_workers


class SharedHealth:
    """One answer for all who ask at the same moment, and for those who come within a second of it."""

    def __init__(self, probes: Probes, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._probes = probes
        self._now_s = now_s
        # Guards the answer and its time: callers meanwhile wait for it, bounded as the probes are.
        self._asking = asyncio.Lock()
        self._answer: Health | None = None
        self._asked_at_s = 0.0

    async def read(self) -> Health:
        async with self._asking:
            if self._answer is None or self._now_s() - self._asked_at_s >= SHARED_S:
                self._asked_at_s = self._now_s()
                self._answer = await read_health(self._probes)
            return self._answer


AT_WORK = dict.fromkeys(list_worker_names(), READY)
EXAMPLE_OK = Health(
    status="ok", version=VERSION, checks=Checks(postgres=READY, redis=READY, migrations=READY, workers=AT_WORK)
)
EXAMPLE_DEGRADED = msgspec.structs.replace(
    EXAMPLE_OK,
    status="degraded",
    checks=msgspec.structs.replace(EXAMPLE_OK.checks, redis=Check(status="unavailable", found="no connection")),
)
EXAMPLE_UNAVAILABLE = msgspec.structs.replace(
    EXAMPLE_OK,
    status="unavailable",
    checks=msgspec.structs.replace(
        EXAMPLE_OK.checks,
        postgres=Check(status="unavailable", found="no answer within 2 s"),
        migrations=Check(status="unavailable", found="no answer within 2 s"),
    ),
)


async def read_health(probes: Probes, *, timeout_s: float = CHECK_TIMEOUT_S) -> Health:
    """Ask all parts at once; takes no longer than the timeout."""
    late = Check(status="unavailable", found=f"no answer within {timeout_s:g} s")

    async def bounded(probe: Callable[[], Awaitable[T]], otherwise: T) -> T:
        try:
            async with asyncio.timeout(timeout_s):
                return await probe()
        except TimeoutError:
            return otherwise

    postgres, redis, migrations, disk, clock, workers = await asyncio.gather(
        bounded(probes.postgres, late),
        bounded(probes.redis, late),
        bounded(probes.migrations, late),
        bounded(probes.disk, late),
        bounded(probes.clock, late),
        bounded(probes.workers, dict.fromkeys(list_worker_names(), late)),
    )
    checks = Checks(postgres=postgres, redis=redis, migrations=migrations, disk=disk, clock=clock, workers=workers)
    return Health(status=_status(checks), version=VERSION, checks=checks)


def _status(checks: Checks) -> Literal["ok", "degraded", "unavailable"]:
    if "unavailable" in (checks.postgres.status, checks.migrations.status):
        return "unavailable"
    others = (checks.redis, checks.disk, checks.clock, *checks.workers.values())
    return "ok" if {rival.status for rival in others} == {"ok"} else "degraded"


def _examples(*values: Health) -> list[Example]:
    return [Example(summary=health.status, value=msgspec.to_builtins(health)) for health in values]


@get(
    HEALTH_PATH,
    operation_class=ForAnyone,
    operation_id="read_health",
    summary="Version and readiness",
    description="200 when requests may be sent here (`ok`, or `degraded` without Redis, a worker, room on the disk "
    "or the machine's clock), 503 when not.",
    tags=["server"],
    responses={
        HTTP_200_OK: ResponseSpec(
            data_container=Health, description="Ready", examples=_examples(EXAMPLE_OK, EXAMPLE_DEGRADED)
        ),
        HTTP_503_SERVICE_UNAVAILABLE: ResponseSpec(
            data_container=Health, description="Not ready", examples=_examples(EXAMPLE_UNAVAILABLE)
        ),
    },
)
async def get_health(state: State) -> Response[Health]:
    shared: SharedHealth = state[HEALTH_STATE]
    health = await shared.read()
    status = HTTP_503_SERVICE_UNAVAILABLE if health.status == "unavailable" else HTTP_200_OK
    return Response(health, status_code=status, headers={"cache-control": "no-store"})
