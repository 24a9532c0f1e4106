"""Python's implementation agrees with the file on every vector; every kind has good ones, and bad ones if it can."""

import pytest

from tests.vectors.python_reader import KINDS, say
from tests.vectors.vectors import VECTORS, Vector

# These make something of any input, and refuse nothing.
MAKING = {"commitment", "link", "pool", "faces", "order", "numbers", "seal", "signed-input", "leaf", "record-id"}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: f"{each.kind}: {each.about}")
def test_the_implementation_says_what_the_vector_gives(vector: Vector) -> None:
    said = say(vector.kind, vector.given)

    assert said == vector.gives


def test_every_kind_has_a_good_vector_and_a_bad_one() -> None:
    given = {kind: [vector.gives for vector in VECTORS if vector.kind == kind] for kind in KINDS}

    good = {kind for kind, found in given.items() if any(finding not in ("refused", False) for finding in found)}
    bad = {kind for kind, found in given.items() if "refused" in found or False in found}

    assert good == KINDS.keys()
    assert bad == KINDS.keys() - MAKING
