"""Files that keep a verifier at work or fill its memory: audits end within their limits, with their own verdict."""

import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from domain.audit.case import NO_TRUST
from domain.audit.check import TooDear
from domain.audit.reading import LINES_MAX
from domain.rulesets.released import RELEASED, Rebuilder
from services.audits.audit import (
    BROKEN,
    UNCHECKED,
    UNREADABLE,
    Audited,
    Terms,
    audit_bytes,
    audit_file,
    exit_code_of,
)
from services.audits.limits import MEMORY_BYTES, Allowance
from services.audits.sentences import kind_of, tell_verdict
from services.audits.tournament_audit import audit_tournament_file, is_tournament_file
from tests.peak import peak_of
from tests.services.audits.hostile import HOSTILE, Hostile

TERMS = Terms(trust=NO_TRUST, builders=RELEASED)
EXHAUSTING = "No verdict: checking this file takes more time or memory than any game needs. Do not believe it."
# What `spina verify` prints after a report in the long run.
MEASURED = """
import resource, sys
from pathlib import Path
from services.cli.main import main

try:
    main()
except SystemExit as ended:
    code = ended.code
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(code, used.ru_utime + used.ru_stime, peak.split()[1])
"""
PROCESSOR_S_MAX = 10.0
MEMORY_BYTES_MAX = 200_000_000
# A line of three hundred bytes is one object of its bytes and some of its fields: 1.3 KB.
MEMORY_BYTES_PER_BYTE = 5
# Of these files the size alone is what is hostile.
LONG = [hostile for hostile in HOSTILE if hostile.many > LINES_MAX // 2]


def audit(path: Path) -> Audited:
    if is_tournament_file(path):
        return audit_tournament_file(path, TERMS, processes=1)
    return audit_file(path, TERMS, Rebuilder())


class Greedy:
    """A file whose first bytes take more memory than there is for it."""

    def __len__(self) -> int:
        return 0

    def __getitem__(self, piece: slice) -> bytes:
        return bytes(2 * MEMORY_BYTES)


def work_for_ever() -> None:
    for number in count():
        assert number >= 0


def test_work_that_never_ends_is_ended() -> None:
    with pytest.raises(TooDear, match=r"within 0\.2 s of processor time"), Allowance(0).limited(0):
        work_for_ever()


def hold_for_ever() -> None:
    held = [b""]
    while held:
        held.append(bytes(50))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel counts the memory of a process on Linux alone")
def test_work_that_holds_ever_more_is_ended_before_the_kernel_refuses_memory() -> None:
    with pytest.raises(TooDear, match="within 120 MB of memory") as dear, Allowance().limited(0):
        hold_for_ever()

    assert dear.value.__context__ is None


def test_a_dear_file_uses_up_the_time_of_the_others_and_leaves_them_time_for_their_size() -> None:
    allowance = Allowance(0.3)
    with pytest.raises(TooDear, match=r"within 0\.3 s"), allowance.limited(0):
        work_for_ever()

    with pytest.raises(TooDear, match=r"within 0\.4 s"), allowance.limited(100_000):
        work_for_ever()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel bounds the memory of a process on Linux alone")
def test_a_file_that_asks_for_too_much_memory_has_a_verdict_of_its_own() -> None:
    audited = audit_bytes(Greedy(), name="greedy", trust=NO_TRUST, rebuilder=Rebuilder())

    assert tell_verdict(audited) == EXHAUSTING
    assert audited.refusal == "expected an audit within 120 MB of memory, found a file that asks for more than any game"
    assert exit_code_of(audited) == UNREADABLE


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name.replace(" ", "-"))
def test_a_hostile_file_is_read_to_its_end(hostile: Hostile, tmp_path: Path) -> None:
    path = tmp_path / "hostile.zip"
    path.write_bytes(hostile.make(hostile.some))

    audited = audit(path)

    assert kind_of(audited) == hostile.gives


@pytest.mark.parametrize("hostile", LONG, ids=lambda hostile: hostile.name.replace(" ", "-"))
def test_the_memory_of_an_audit_grows_by_a_few_bytes_for_each_of_the_file(hostile: Hostile, tmp_path: Path) -> None:
    sizes, peaks = [], []
    for more in (1, 2):
        path = tmp_path / f"{more}.zip"
        path.write_bytes(hostile.make(more * hostile.some))
        audit(path)
        peaks.append(peak_of(partial(audit, path)))
        sizes.append(path.stat().st_size)

    assert (peaks[1] - peaks[0]) / (sizes[1] - sizes[0]) < MEMORY_BYTES_PER_BYTE


@pytest.mark.skipif("not config.getoption('--hostile')", reason="a long run of `make simulate`")
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name.replace(" ", "-"))
def test_a_hostile_file_of_full_size_ends_within_ten_seconds_and_two_hundred_megabytes(
    hostile: Hostile, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.zip"
    path.write_bytes(hostile.make(hostile.many))

    *told, used = run_measured(path)

    code, processor_s, peak_kb = used.split()
    print(f"{hostile.name}: {''.join(told[:3])} {used}")  # noqa: T201  the figures of a long run
    assert int(code) in {BROKEN, UNREADABLE, UNCHECKED}
    assert float(processor_s) < PROCESSOR_S_MAX
    assert int(peak_kb) * 1024 < MEMORY_BYTES_MAX


def run_measured(path: Path) -> list[str]:
    command = [sys.executable, "-c", MEASURED, "verify", str(path), "--processes", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)  # noqa: S603  our own program
    return done.stdout.splitlines()
