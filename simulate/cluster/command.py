"""`spina simulate cluster`: primaries of three database nodes under Patroni killed and frozen, under load."""

from typing import Annotated

import typer

from services.terminal.printing import say
from simulate.load.telling import AsJson, Minutes, run_and_tell

Kills = Annotated[int, typer.Option(min=0, max=10_000, help="How many primaries are killed or frozen.")]


def cluster(kills: Kills = 4, minutes: Minutes = 600, as_json: AsJson = False) -> None:
    """Kill and freeze primaries under load from several processes, then compare the log with all that was acknowledged.

    Needs Patroni and etcd, which `make cluster` installs. Ctrl-C ends the faults, and the checks follow. The exit code
    is 1 where a check failed.

    Example: spina simulate cluster --kills 200
    """
    from infra.embedded.account import candidates
    from infra.embedded.program import ServerFailed
    from simulate.cluster.faults import Fault
    from simulate.cluster.running import ClusterNotWhole
    from simulate.cluster.simulation import simulate_cluster
    from simulate.load.journal import NotHealed

    def on_fault(fault: Fault) -> None:
        if not as_json:
            say(fault.told)

    run_and_tell(
        lambda folder, run: simulate_cluster(folder, run, candidates()[0], on_fault),
        *(ServerFailed, ClusterNotWhole, NotHealed),
        kills=kills,
        minutes=minutes,
        as_json=as_json,
    )
