"""Golden games: whole logs of version 1, kept as they were written, to be decided again to the same bytes.

python -m tests.domain.rulesets.charioteer.golden records them again, after a corrected rule and until 0.1.0 is
tagged; from then on a recorded game is never written again.
"""

from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Literal

from msgspec import Struct, to_builtins

from domain.chance import Secret
from domain.ids import Seat
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.rulesets.charioteer.actions import Action, Reset
from domain.rulesets.charioteer.options import Options
from tests.domain.game.game_harness import Table, with_clock
from tests.domain.rulesets.charioteer.boards import RULES
from tests.domain.rulesets.charioteer.games import random_action, seeded

FOLDER = Path(__file__).parent / "golden"
# The box of all these games. A change of today's components leaves this one alone.
COMPONENTS = FOLDER / "components.json"
CATALOGUE = Catalogue([RULES])
# No card is ever the ten thousandth to be drawn.
NO_CARD = 9_999
# Longer than a decision and the bank together.
TOO_LONG_MS = 600_000

Mishap = Literal["late", "unrevealed", "illegal", "resigns"]


class Golden(Struct, frozen=True, kw_only=True):
    """An incident beside random legal play: its turn, its seat and its kind."""

    name: str
    seats: int
    seed: int
    options: Options
    mishaps: dict[int, tuple[Seat, Mishap]]


GOLDEN_GAMES = (
    Golden(
        name="two-seats-two-laps-late",
        seats=2,
        seed=371,
        options=Options(laps=2, disrupt="3-2-1", first_turn="inside"),
        mishaps={2: (Seat(0), "late"), 5: (Seat(1), "late"), 6: (Seat(1), "late")},
    ),
    Golden(
        name="three-seats-one-lap-tie",
        seats=3,
        seed=14,
        options=Options(laps=1, several_whips="once"),
        mishaps={2: (Seat(2), "unrevealed"), 3: (Seat(1), "illegal")},
    ),
    Golden(
        name="four-seats-three-laps-reshuffled",
        seats=4,
        seed=345,
        options=Options(),
        mishaps={3: (Seat(0), "illegal"), 4: (Seat(2), "late"), 9: (Seat(3), "resigns"), 12: (Seat(0), "unrevealed")},
    ),
)


def secret_of(golden: Golden) -> Secret:
    return Secret(sha256(f"{golden.name}/{golden.seed}".encode()).digest())


def play_golden(golden: Golden) -> Table:
    """Play the game at a table that keeps every line."""
    table = Table(
        catalogue=CATALOGUE,
        ruleset=RULES.name,
        ruleset_version=RULES.version,
        components=hash_components(RULES),
        seats=golden.seats,
        options=to_builtins(golden.options),
        clock=with_clock(),
        secret=secret_of(golden),
    ).start()
    random = seeded(golden.seed)
    while table.game.status == "running":
        play_turn(table, golden.mishaps.get(table.game.board.turn), random)
    return table


def play_turn(table: Table, mishap: tuple[Seat, Mishap] | None, random: Random) -> None:
    """Let every seat choose, then let the incidents of this turn happen."""
    seats = [decision.seat for decision in table.owed()]
    unlucky, happening = mishap or (None, None)
    for seat in seats:
        if seat != unlucky:
            table.entrust(seat, choose(table, seat, random))
    if unlucky is None or unlucky not in seats or table.game.status != "running":
        return
    decision = table.owed(unlucky)[0].id
    if happening == "resigns":
        table.resign(unlucky)
    elif happening == "illegal":
        wrong = Reset(cards=(NO_CARD,), discard=None)
        table.seal(unlucky, wrong)
        table.reveal(unlucky, wrong)
    elif happening == "unrevealed":
        table.seal(unlucky, choose(table, unlucky, random))
        table.now += TOO_LONG_MS
        table.expire(unlucky, decision)
    else:
        table.now += TOO_LONG_MS
        table.expire(unlucky, decision)


def choose(table: Table, seat: Seat, random: Random) -> Action:
    return random_action(RULES.legal_actions(table.game.board, table.owed(seat)[0]), random)


def main() -> None:
    COMPONENTS.write_bytes(RULES.components)
    for golden in GOLDEN_GAMES:
        raws = play_golden(golden).raws
        (FOLDER / f"{golden.name}.ndjson").write_bytes(b"".join(raw + b"\n" for raw in raws))


if __name__ == "__main__":
    main()
