"""The figures of Charioteer, on a small scale: that they are measured, not how good they are."""

from bench.charioteer import SECRET, fold, measure_charioteer, play_one
from tests.domain.rulesets.charioteer.scene import RULES


def test_every_figure_is_measured() -> None:
    figures = measure_charioteer(RULES, games=2)

    assert figures.games.events_per_s > 0
    assert 0 < figures.hand.p50_ms <= figures.hand.p99_ms
    assert figures.fold_events > 100
    assert 1_000 < figures.folded_bytes < 1_000_000


def test_what_is_folded_is_the_game_that_was_played() -> None:
    written = play_one(RULES)

    knowing, _ = fold(RULES, written, SECRET)
    ignorant, _ = fold(RULES, written, None)

    assert knowing.phase == ignorant.phase == "over"
    assert RULES.ranking(knowing) == RULES.ranking(ignorant)
