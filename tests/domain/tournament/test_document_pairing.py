"""The pairing is the one that docs/proof.md specifies: a second implementation from its text draws the same tables."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from domain.tournament.contender import Contender
from domain.tournament.seatings import Seatings
from tests.domain.tournament.document_pairing import DocumentPairing

# Up to twelve are searched whole; more exchange; with many meetings the last step is taken.
FIELDS = (4, 6, 8, 9, 10, 13, 15, 16, 18, 20, 24, 30)


@pytest.mark.parametrize("seed", range(20))
def test_tables_are_those_of_the_document(seed: int) -> None:
    random = Random(seed)  # noqa: S311  not for secrets
    count, size = random.choice(FIELDS), random.choice((2, 3, 4))
    each, more = divmod(count, count // size)
    sizes = (each + 1,) * more + (each,) * (count // size - more)
    points = sorted((random.randrange(10) for _ in range(count)), reverse=True)
    meetings: Counter[tuple[int, int]] = Counter()
    for _ in range(random.randrange(1, 7)):
        order = random.sample(range(count), count)
        for table in (order[start : start + size] for start in range(0, count, size)):
            meetings.update((min(pair), max(pair)) for pair in combinations(table, 2))

    field = [Contender(entrant=place, points=each, lot=place) for place, each in enumerate(points)]

    assert list(Seatings(field, meetings, {}).seat(sizes)) == DocumentPairing(points, meetings).draw(sizes)
