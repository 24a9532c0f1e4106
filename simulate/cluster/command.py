"""`spina simulate cluster`: primaries of three database nodes under Patroni killed and frozen, under load."""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

Kills = Annotated[int, typer.Option(min=0, max=10_000, help="How many primaries are killed or frozen.")]
Minutes = Annotated[float, typer.Option(min=1, max=1_000, help="After so many minutes no further one is.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]


def cluster(kills: Kills = 4, minutes: Minutes = 600, as_json: AsJson = False) -> None:
    """Kill and freeze primaries under load from several processes, then compare the log with all that was acknowledged.

    Needs Patroni and etcd, which `make cluster` installs. The exit code is 1 where a check failed.

    Example: spina simulate cluster --kills 200
    """
    from infra.embedded.account import candidates
    from infra.embedded.program import ServerFailed
    from infra.logging import configure_logging
    from simulate.cluster.faults import Fault
    from simulate.cluster.running import ClusterNotWhole
    from simulate.cluster.simulation import simulate_cluster, tell
    from simulate.tournament.own_server import ServerDidNotStart

    configure_logging("error")

    def on_fault(fault: Fault) -> None:
        if not as_json:
            told = f"{fault.without_writes_s:.1f} s without writes, whole after {fault.whole_s:.1f} s"
            say(f"{fault.kind:9} {fault.primary}: {told}")

    with tempfile.TemporaryDirectory(prefix="spina-cluster-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        work = simulate_cluster(
            Path(folder), candidates()[0], kills=kills, until_s=time.monotonic() + minutes * 60, on_fault=on_fault
        )
        with told_in_a_sentence(ServerDidNotStart, ServerFailed, ClusterNotWhole, OSError):
            outcome = asyncio.run(work)
    if as_json:
        say_json(outcome)
    else:
        for row in tell(outcome):
            say(row)
        say(str(outcome.checked))
        say(f"audit {outcome.audit}")
        if outcome.stopped is not None:
            say(f"stopped: {outcome.stopped}")
    raise typer.Exit(0 if outcome.is_held else 1)
