"""Random games with every kind of event: no check objects to a genuine log."""

import pytest

from tests.domain.audit.audited_game import audit, broken_in, bundle_of, unchecked_in
from tests.domain.game.fake_ruleset_mug import Mug
from tests.domain.game.game_harness import MUG, RULES, Table
from tests.domain.game.random_play import play_game

SEEDS = range(120)


def components_of(table: Table) -> bytes:
    return MUG.components if isinstance(table.game.ruleset, Mug) else RULES.components


def spoken_against(raws: list[bytes], components: bytes) -> set[str]:
    return set(broken_in(audit(bundle_of(tuple(raws), components))))


@pytest.mark.parametrize("first", range(0, len(SEEDS), 20))
def test_nothing_speaks_against_a_game_that_was_played(first: int) -> None:
    for seed in SEEDS[first : first + 20]:
        table = play_game(seed)

        verified = audit(bundle_of(tuple(table.raws), components_of(table)))

        assert broken_in(verified) == {}, seed
        # Whose checkpoint witnessed an opening is judged by the reader's own key, and here there is none.
        assert set(unchecked_in(verified)) <= {"opening-witness"}, seed


@pytest.mark.parametrize("first", range(0, len(SEEDS), 20))
def test_nothing_speaks_against_a_game_while_it_is_played(first: int) -> None:
    for seed in SEEDS[first : first + 20 : 2]:
        table = play_game(seed)
        commands = [entry.line.version - 1 for entry in table.entries if entry.line.kind == "input"]

        for size in commands[1::7]:
            assert spoken_against(table.raws[:size], components_of(table)) == set(), (seed, size)
