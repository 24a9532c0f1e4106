"""Forged logs: every line that does not follow is refused by name, no outcome believed."""

import json
import random
import re
from typing import Any

import pytest

from domain.canonical import encode
from domain.game.admission import LINES_MAX
from domain.game.events import CLOCK_MS_MAX
from domain.log.record import AT_MAX_MS, format_at
from tests.domain.audit.audited_game import audit, broken_in, bundle_of
from tests.domain.audit.test_rewritten_lines import numbered
from tests.domain.game.game_harness import Table, with_clock
from tests.domain.game.random_play import play_game

# Values that fit a field by their type, or fit another field, or fit none.
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
    table = play_game(seed)
    raws = table.raws

    refused = 0
    for _ in range(15):
        place = rng.randrange(len(raws))
        kept = place + rng.randrange(2)
        attacked = numbered([*raws[:place], encode(damage(rng, raws, place)), *raws[kept:]])
        if broken_in(audit(bundle_of(attacked))):
            refused += 1
            continue
        # This log is unsigned, so some inputs are the server's word; their outcomes are not.
        assert b'"kind":"input"' in attacked[place] or attacked == raws

    assert refused > 5


def test_a_log_of_a_year_that_no_deadline_can_follow_is_refused_by_name() -> None:
    table = Table(seats=2, clock=with_clock()).start()
    (decision, *_) = table.owed()
    table.now += 10**9
    table.expire(decision.seat, decision.id)
    far = [re.sub(rb'"at":"[^"]*"', b'"at":"9999-12-31T23:59:59.999Z"', raw) for raw in table.raws]

    broken = broken_in(audit(bundle_of(numbered(far))))

    assert broken["form"].version == 1


def test_no_clock_setting_moves_a_deadline_behind_the_last_instant() -> None:
    longest_ms = AT_MAX_MS + (LINES_MAX + 2) * CLOCK_MS_MAX

    assert format_at(longest_ms) < "9999"
