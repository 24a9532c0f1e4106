"""Games by variant: the product of presets and numbers of seats, and the seats that win too often."""

import pytest

from domain.ids import Seat
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset, read_words
from simulate.variants import find_unfair, list_variants, play_variants


@pytest.mark.parametrize("kit", KITS, ids=[kit.name for kit in KITS])
def test_each_preset_is_played_with_each_number_of_seats_that_its_rules_take(kit: Kit) -> None:
    rules, presets = load_ruleset(kit), read_words(kit).presets

    variants = list_variants(rules, presets)

    assert len({(variant.preset, variant.seats) for variant in variants}) == len(variants)
    assert {variant.preset for variant in variants} == {preset.name for preset in presets}
    assert {variant.seats for variant in variants} == set(rules.seats)


def test_the_figures_of_a_variant_tell_its_length_its_end_and_the_wins_of_each_seat() -> None:
    rules = load_ruleset(CHARIOT_RACE)
    presets = [preset for preset in read_words(CHARIOT_RACE).presets if preset.name == "Side B"]
    (two, *_) = list_variants(rules, presets)

    (first,) = play_variants(CHARIOT_RACE, rules, [two], games=2, seed=3)

    assert (first.variant.seats, first.games, first.ended) == (2, 2, {"finished": 2})
    assert 5 < first.mean_length < 20
    assert sum(first.wins) >= 2
    assert first.unsound == ()


@pytest.mark.parametrize(
    ("wins", "unfair"),
    [((50, 50), []), ((60, 40), []), ((75, 25), [0, 1]), ((50, 20, 15, 15), [0])],
)
def test_a_seat_whose_wins_are_no_chance_is_named(wins: tuple[int, ...], unfair: list[int]) -> None:
    winners = [[Seat(seat)] for seat, count in enumerate(wins) for _ in range(count)]

    assert list(find_unfair(winners, len(wins))) == unfair


def test_seats_that_win_together_have_the_chance_of_all_of_them() -> None:
    in_turn = [[Seat(0), Seat(2)], [Seat(1), Seat(3)]] * 20

    assert list(find_unfair(in_turn, 4)) == []
    assert list(find_unfair([[Seat(0), Seat(2)]] * 40, 4)) == [0, 1, 2, 3]
