"""Processor time of tests, children and servers counted: a plugin of pytest that writes it down, and the table of it.

    .venv/bin/python -m pytest -p tests.costs tests/services/cli
    .venv/bin/python -m tests.costs .build/costs

With `-n` the servers of a run are the line `rest`, as no worker started them.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from operator import itemgetter
from os import getpid, sysconf
from pathlib import Path

import pytest

TICKS = sysconf("SC_CLK_TCK")
DEAREST = 50
# `0.41 0.53 setup tests/test_tours.py::test_a_tour`: seconds of processors and of the clock, phase, test.
LINE = "{cpu_s:.3f} {clock_s:.3f} {name}"
# Parent, and the time of a process and of the children it waited for, in /proc/PID/stat behind the name.
PARENT = 1
TIMES = slice(11, 15)
# A look at every process takes some milliseconds, and shows nothing about a phase shorter than this.
SHORT_S = 0.02
METER_KEY = pytest.StashKey["Meter"]()


class Meter:
    """Hands the processor time of a process and its descendants to one phase after another."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._counted_s = cpu_of_tree(getpid())

    def begin(self) -> None:
        """Leave what was spent so far, on imports and collection, to the rest."""
        self._counted_s = cpu_of_tree(getpid())

    def measured(self, name: str) -> Iterator[None]:
        own_s, clock_s = time.process_time(), time.monotonic()
        try:
            return (yield)
        finally:
            own_s, clock_s = time.process_time() - own_s, time.monotonic() - clock_s
            if clock_s < SHORT_S:
                cpu_s, self._counted_s = own_s, self._counted_s + own_s
            else:
                tree_s = cpu_of_tree(getpid())
                # A browser's processes that end take their time out of the tree.
                cpu_s, self._counted_s = max(0.0, tree_s - self._counted_s), tree_s
            self.write(LINE.format(cpu_s=cpu_s, clock_s=clock_s, name=name))

    def close(self) -> None:
        """Count as the rest what no line of this process, or of its workers, counts."""
        counted_s = sum(float(line.partition(" ")[0]) for line in self._file.read_text().splitlines())
        self.write(LINE.format(cpu_s=max(0.0, cpu_of_tree(getpid()) - counted_s), clock_s=0.0, name="rest -"))

    def write(self, line: str) -> None:
        # One short write appends whole, beside those of other workers.
        with self._file.open("a") as file:
            file.write(line.replace("\n", " ") + "\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--costs", type=Path, default=Path(".build/costs"), help="the file that gets a line for each phase"
    )


def pytest_configure(config: pytest.Config) -> None:
    file = config.rootpath / config.getoption("--costs")
    if not hasattr(config, "workerinput"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    config.stash[METER_KEY] = Meter(file)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.stash[METER_KEY].close()


# Before that of pytest-xdist, which ends the call.
@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    session.config.stash[METER_KEY].begin()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from item.config.stash[METER_KEY].measured(f"setup {item.nodeid}"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from item.config.stash[METER_KEY].measured(f"call {item.nodeid}"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    return (yield from item.config.stash[METER_KEY].measured(f"teardown {item.nodeid}"))


def cpu_of_tree(root: int) -> float:
    """Seconds of a process, of its living descendants, and of those that any of them waited for."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for process in Path("/proc").iterdir():
        # A process may end between two looks.
        with suppress(OSError, ValueError):
            pid, fields = int(process.name), (process / "stat").read_text().rpartition(")")[2].split()
            ticks[pid] = sum(map(int, fields[TIMES]))
            children.setdefault(int(fields[PARENT]), []).append(pid)
    total, tree = 0, [root]
    while tree:
        pid = tree.pop()
        total += ticks.get(pid, 0)
        tree += children.get(pid, ())
    return total / TICKS


def dearest(costs: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(costs.items(), key=itemgetter(1), reverse=True)


def main() -> None:
    """Print the dearest tests as the table of tests/README.md, and the sum of each folder."""
    tests: defaultdict[str, float] = defaultdict(float)
    folders: defaultdict[str, float] = defaultdict(float)
    for line in Path(sys.argv[1]).read_text().splitlines():
        cpu_s, _clock_s, _phase, test = line.split(" ", 3)
        folders["/".join(test.partition("::")[0].split("/")[:3])] += float(cpu_s)
        if test != "-":
            tests[test] += float(cpu_s)
    write = sys.stdout.write
    write("| CPU s | file | behaviour |\n|---|---|---|\n")
    for test, total_s in dearest(tests)[:DEAREST]:
        file, _, name = test.partition("::")
        write(f"| {total_s:.0f} | `{file}` | `{name.removeprefix('test_')}` |\n")
    write("\n")
    for folder, total_s in dearest(folders):
        write(f"{total_s:8.0f} {folder}\n")


if __name__ == "__main__":
    main()
