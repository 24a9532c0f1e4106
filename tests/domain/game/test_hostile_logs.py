"""Logs by somebody who writes what they like: all that does not follow is refused by name, no outcome believed."""

import json
import random
from typing import Any

import pytest

from domain.canonical import encode
from domain.game.replay import LineDoesNotFollow, redecide
from domain.rulesets.catalogue import UnknownRuleset
from tests.domain.game.random_play import Chaos
from tests.domain.game.table import CATALOGUE
from tests.domain.game.test_redecide import numbered

# What fits a field by its type, or fits another field, or fits none.
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    2**53 - 1,
    "",
    "seat:0",
    "server",
    "operator",
    [],
    {},
    [1],
    "0" * 64,
    "clock",
]


def damage(rng: random.Random, raws: list[bytes], place: int) -> dict[str, Any]:
    """Return a line with one field changed, of its data or of its envelope, or another line of the log."""
    line: dict[str, Any] = json.loads(raws[place])
    data = line["data"]
    match rng.choice(("data", "data", "envelope", "line")):
        case "data" if data:
            name = rng.choice(list(data))
            is_number = isinstance(data[name], int) and rng.random() < 0.5
            data[name] = data[name] + rng.choice((-1, 1)) if is_number else rng.choice(VALUES)
        case "envelope":
            line[rng.choice(list(line))] = rng.choice([*VALUES, "input", "outcome", "game_aborted", "seat_removed"])
        case _:
            line = json.loads(rng.choice(raws))
    return line


@pytest.mark.parametrize("seed", range(24))
def test_a_log_with_anything_in_it_is_verified_or_refused_by_name(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 # repeatable damage, not a secret
    table = Chaos(seed).play()
    raws, secret = table.raws, table.game.chance.secret
    assert secret is not None

    refused = 0
    for _ in range(15):
        place = rng.randrange(len(raws))
        kept = place + rng.randrange(2)
        attacked = numbered([*raws[:place], encode(damage(rng, raws, place)), *raws[kept:]])
        try:
            redecide(attacked, CATALOGUE, secret)
        except (LineDoesNotFollow, UnknownRuleset):
            refused += 1
            continue
        # Nobody signed here, so some inputs are the server's word; what follows from them is not.
        assert b'"kind":"input"' in attacked[place] or attacked == raws

    assert refused > 5
