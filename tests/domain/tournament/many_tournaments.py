"""Many random tournaments with hands in a third of their rounds, each counted again by a second implementation.

`python -m tests.domain.tournament.many_tournaments 0 50000` takes the seeds from 0 on, prints its progress and ends
with 1 at the first difference.
"""

import io
import sys
import zipfile
from collections.abc import Iterator
from random import Random

import msgspec

from domain.tournament.formats import HeatsAndFinal, Knockout, RoundRobin, ScoreRounds, fits_sizes
from domain.tournament.scores import list_standings
from domain.tournament.sizes import TableSizes
from tests.domain.tournament.test_random_tournaments import Chaos, Terms
from tests.recount import Recount
from tests.recount_teams import recount_teams

SHOWN_EVERY = 500


def choose_terms(chance: Random) -> Terms:
    """Choose a format and sizes of tables that fit each other."""
    while True:
        least = chance.choice((2, 2, 3))
        most = chance.randint(least, 4)
        sizes = TableSizes(min=least, max=most, preferred=chance.randint(least, most))
        kind = chance.choice(
            (
                ScoreRounds(rounds=chance.randint(1, 5)),
                RoundRobin(rounds=chance.randint(1, 5)),
                HeatsAndFinal(heats=chance.randint(1, 3), finalists=chance.randint(2, 4)),
                Knockout(survivors=chance.randint(1, 2)),
            )
        )
        if fits_sizes(kind, sizes):
            return kind, sizes


def play(seed: int) -> tuple[int, int]:
    """Play one tournament and count it again; returns its lines and the acts of the hands."""
    chance = Random(seed)  # noqa: S311  a run that can be repeated
    chaos = Chaos(*choose_terms(chance), count=chance.randint(2, 40), seed=seed)
    chaos.run()
    bundle = io.BytesIO()
    with zipfile.ZipFile(bundle, "w") as archive:
        archive.writestr("log.ndjson", b"\n".join(chaos.club.raws))
    counted = Recount(bundle.getvalue()).run()
    assert counted == msgspec.json.decode(msgspec.json.encode(list_standings(chaos.club.tournament))), seed
    assert all(said == follows for said, follows in recount_teams(chaos.club.raws)), seed
    assert chaos.unlike == [], seed
    return len(chaos.club.raws), chaos.hands.acts


def run(first: int, count: int) -> Iterator[str]:
    """Play tournaments and yield how far it came."""
    lines = acts = 0
    for number in range(count):
        more = play(first + number)
        lines, acts = lines + more[0], acts + more[1]
        if (number + 1) % SHOWN_EVERY == 0 or number + 1 == count:
            yield f"{number + 1} tournaments, {lines} lines, {acts} acts of the hand, 0 differences"


if __name__ == "__main__":
    for shown in run(int(sys.argv[1]), int(sys.argv[2])):
        print(shown, flush=True)  # noqa: T201  a program
