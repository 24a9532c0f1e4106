"""The figures of every ruleset, on a small scale: that they are measured, not how good they are."""

from random import Random

import pytest
from msgspec.structs import replace

from bench.figures import P50, P99, PER_S, VALUE
from bench.ruleset import begin, fold, measure_ruleset
from domain.chance import Secret
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.board import space_of
from domain.rulesets.chariot_race.kit.kit import crowd
from domain.rulesets.chariot_race.ruleset import build_ruleset
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset
from tests.domain.rulesets.chariot_race.boards import DATA


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_every_figure_of_a_ruleset_is_measured(kit: Kit) -> None:
    # Rounds of a whole race would be measured again and again.
    short = replace(kit, short={**kit.short, **({"turns_max": 3} if kit.name == "chariotmaster" else {})})
    rates, shares, folds, _ = measure_ruleset(short, games=1)

    assert len(rates.rows) == 4 + len(kit.workloads)
    for rate in rates.rows.values():
        assert rate[PER_S] > 0
        assert 0 <= rate[P50] <= rate[P99]
    assert sum(row[VALUE] for row in shares.rows.values()) == pytest.approx(1)
    assert any(folder.startswith(kit.name.replace("-", "_")) for folder in shares.rows)
    assert int(folds.title.split()[-2]) > 100
    assert 1_000 < folds.rows["bytes that board and chance keep"][VALUE] < 1_000_000


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_a_folded_game_is_the_game_that_was_played(kit: Kit) -> None:
    rules = load_ruleset(kit)
    game = begin(kit, rules, 0)
    while owed := game.owed():
        game.answer(owed[0], rules.default_action(game.board, owed[0]))

    knowing, _ = fold(kit, rules, game.written, Secret(bytes(32)), knows=True)
    ignorant, _ = fold(kit, rules, game.written, Secret(bytes(32)), knows=False)

    assert rules.decisions(knowing) == rules.decisions(ignorant) == ()
    assert rules.ranking(knowing) == rules.ranking(ignorant) == rules.ranking(game.board)


def test_on_a_crowded_track_no_chariot_stands_on_another_or_on_a_caltrop() -> None:
    board = crowd(build_ruleset(DATA), Random(1))  # noqa: S311 - made-up boards

    taken = [*(space_of(board, chariot) for chariot in board.chariots), *board.caltrops]

    assert len(set(taken)) == len(taken) == 16
