"""The games of a check in other processes: under other hash seeds, and by other interpreters.

As a program: `python -m services.practice.checks.elsewhere SUBJECT GAMES` prints the digests as JSON.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.practice.checks.check import digest_games
from services.practice.checks.subject import find_subject

HASH_SEEDS = ("0", "1", "4242")
# A game takes some tenths of a second; a process that hangs is a fault of the rules.
PROCESS_S_MAX = 900


class ElsewhereFailed(Exception):
    """A process that played no games; the message has its last line."""


def play_elsewhere(named: str, games: int, *, pythons: Sequence[str] = ()) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the digests of the same games by the name of each process. Raises ElsewhereFailed."""
    for seed in HASH_SEEDS:
        yield f"hash seed {seed}", _run(sys.executable, named, games, hash_seed=seed)
    for python in pythons:
        yield python, _run(python, named, games, hash_seed="0")


def _run(python: str, named: str, games: int, *, hash_seed: str) -> Mapping[str, str]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    try:
        ended = subprocess.run(  # noqa: S603  an interpreter that the caller names
            [python, "-m", "services.practice.checks.elsewhere", named, str(games)],
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                **({"PYTHONPATH": path} if python == sys.executable else {}),
            },
            capture_output=True,
            timeout=PROCESS_S_MAX,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise ElsewhereFailed(f"expected the games of {named} from {python}, found {last}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ElsewhereFailed(f"expected the games of {named} from {python}, found {error}") from error
    return msgspec.json.decode(ended.stdout, type=dict[str, str])


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(digest_games(find_subject(sys.argv[1]).kit, int(sys.argv[2]))))
