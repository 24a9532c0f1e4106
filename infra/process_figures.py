"""The share of the machine that this process takes, under the names that Prometheus' own clients give to it."""

import resource
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from infra.metrics import Family, Metrics, Reading

# Where Linux shows a process its own figures.
OWN = Path("/proc/self")


def show_process(metrics: Metrics, own: Path = OWN) -> None:
    """Have the figures of this process read with the rest. A figure that its machine does not give is left out."""
    begun_s = time.time()
    metrics.total(
        Family(name="process_cpu_seconds_total", help="Processor time that this process took."),
        lambda: {"": time.process_time()},
    )
    for name, help_, read in (
        ("process_resident_memory_bytes", "Memory that this process holds.", partial(_read_memory, own)),
        ("process_open_fds", "Files and connections that this process has open.", partial(_count_files, own)),
        ("process_max_fds", "Files and connections that this process may have open.", _read_limit),
        ("process_start_time_seconds", "When this process began to count, since 1970.", lambda: {"": begun_s}),
    ):
        metrics.gauge(Family(name=name, help=help_), read)


def _read_memory(own: Path) -> Reading:
    with suppress(OSError):
        _size, resident, *_ = (own / "statm").read_text().split()
        return {"": int(resident) * resource.getpagesize()}
    return {}


def _count_files(own: Path) -> Reading:
    with suppress(OSError):
        return {"": sum(1 for _ in (own / "fd").iterdir())}
    return {}


def _read_limit() -> Reading:
    return {"": resource.getrlimit(resource.RLIMIT_NOFILE)[0]}
