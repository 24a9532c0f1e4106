"""Before the race: the options, builds in secret and opened together, and seats that do not show theirs."""

from typing import Any

import msgspec
import pytest

from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.ruleset.chapter import WrongAction
from domain.rulesets.chariotmaster.box.building import IllegalBuild, UnknownRace, default_build
from domain.rulesets.chariotmaster.race.actions import BuildChariot, PutToken, Stop
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotPlaced, MugFilled
from domain.rulesets.chariotmaster.race.options import CHARIOT_TURNS_LIMIT, Options
from domain.rulesets.chariotmaster.race.outcomes import TurnClosed
from domain.rulesets.chariotmaster.race.race_outcomes import BuildsClosed, ChariotBuilt
from domain.rulesets.chariotmaster.rounds.workshop import UnfitRaceOptions
from domain.rulesets.chariotmaster.ruleset import LINES_MAX
from tests.domain.rulesets.chariotmaster.own_components import BOX
from tests.domain.rulesets.chariotmaster.races import RULES, play_out, told

OPEN, RACES = Options(laps=1), Options(laps=1, equipment="races")
PLAIN = ("standard", "racing", "experienced", "fit", "ordinary")
QUICK = ("light", "fast", "veteran", "fit", "ordinary")
ORCS = BuildChariot(race="orcs", equipment=("standard", "racing", "boars", "experienced", "fit", "ordinary"))


def build(*equipment: str, race: str | None = None) -> BuildChariot:
    return BuildChariot(race=race, equipment=equipment)


def board_for(seats: int, options: Options) -> Any:
    return RULES.initial_board(tuple(Seat(seat) for seat in range(seats)), options)


@pytest.mark.rule("CM-110")
def test_every_chariot_is_built_under_a_seal_of_its_own() -> None:
    race = play_out(2, Options(laps=1, chariots_each=2))

    assert [(owed.id, owed.seat, owed.kind) for owed in race.owed()] == [
        ("build/c0", 0, "sealed"),
        ("build/c1", 0, "sealed"),
        ("build/c2", 1, "sealed"),
        ("build/c3", 1, "sealed"),
    ]


@pytest.mark.rule("CM-110", "CM-100")
def test_builds_are_opened_together_and_then_the_grid_is_drawn() -> None:
    race = play_out(2, OPEN)
    first, second = race.owed()

    race.answer(second, build(*QUICK))
    assert race.written == []
    race.answer(first, build(*PLAIN))

    kinds = [type(event) for event in race.written if isinstance(event, BuildsClosed | ChariotBuilt | ChariotPlaced)]
    assert kinds == [BuildsClosed, ChariotBuilt, ChariotBuilt, ChariotPlaced, ChariotPlaced]
    assert [chariot.equipment for chariot in race.board.chariots] == [PLAIN, QUICK]
    assert [(chariot.structure, chariot.skill, chariot.stamina) for chariot in race.board.chariots] == [
        (5, 6, 9),
        (3, 7, 8),
    ]
    assert told(race, MugFilled)


@pytest.mark.rule("CM-142")
def test_a_handicap_gives_the_chariots_of_a_seat_more_points() -> None:
    board = board_for(3, Options(laps=1, equipment_points=1, handicap="02", chariots_each=2))
    offered: list[Any] = [RULES.legal_actions(board, decision) for decision in RULES.decisions(board)]
    dear = build("heavy", "staying_power", "veteran", "fit", "ordinary")

    assert [choices.points_max for choices in offered] == [1, 1, 3, 3, 1, 1]
    RULES.check(board, RULES.decisions(board)[2], dear)
    with pytest.raises(IllegalBuild):
        RULES.check(board, RULES.decisions(board)[0], dear)


@pytest.mark.rule("CM-142")
def test_a_handicap_without_equipment_to_choose_is_refused() -> None:
    with pytest.raises(UnfitRaceOptions):
        board_for(2, Options(laps=1, equipment="none", handicap="20"))


@pytest.mark.rule("CM-110")
def test_without_equipment_there_is_nothing_to_build() -> None:
    race = play_out(2, Options(laps=1, equipment="none"))

    assert not told(race, ChariotBuilt)
    assert {chariot.equipment for chariot in race.board.chariots} == {PLAIN}
    assert [owed.id for owed in race.owed()] == ["g1/c0/token", "g1/c1/token"]


@pytest.mark.rule("CM-100", "CM-107", "MO-9")
@pytest.mark.parametrize(
    ("options", "action", "reason"),
    [
        (OPEN, build(*PLAIN, race="humans"), UnknownRace),
        (RACES, build(*PLAIN), UnknownRace),
        (RACES, build(*PLAIN, race="elephants"), UnknownRace),
        (RACES, build(*PLAIN, race="orcs"), IllegalBuild),
        (OPEN, build("heavy", "fast", "experienced", "fit", "ordinary"), IllegalBuild),
        (OPEN, build("heavy", "racing", "veteran", "steeled", "lucky"), IllegalBuild),
        (OPEN, build("standard", "racing", "experienced", "fit"), IllegalBuild),
        (OPEN, PutToken(token=5), WrongAction),
    ],
)
def test_a_build_that_may_not_drive_is_refused(options: Options, action: Any, reason: type[IllegalAction]) -> None:
    race = play_out(2, options)

    with pytest.raises(reason):
        race.answer(race.owed()[0], action)


@pytest.mark.rule("CM-107")
def test_each_chariot_may_be_of_another_race() -> None:
    race = play_out(2, RACES)
    first, second = race.owed()

    race.answer(first, ORCS)
    race.answer(second, build(*PLAIN, race="humans"))

    assert [chariot.race for chariot in race.board.chariots] == ["orcs", "humans"]
    assert race.board.chariots[0].fitting.bite == 3


@pytest.mark.rule("CM-100")
@pytest.mark.parametrize(("points", "is_legal"), [(2, True), (1, False), (None, True)])
def test_the_points_are_those_that_were_agreed_on(points: int | None, is_legal: bool) -> None:  # noqa: FBT001  a row of it
    race = play_out(2, Options(laps=1, equipment="races", equipment_points=points))

    if is_legal:
        race.answer(race.owed()[0], ORCS)
        assert len(race.owed()) == 1
    else:
        with pytest.raises(IllegalBuild):
            race.answer(race.owed()[0], ORCS)


@pytest.mark.rule("CM-136", "CM-138", "XG-06")
@pytest.mark.parametrize("options", [OPEN, RACES])
def test_who_shows_no_build_drives_the_plain_chariot(options: Options) -> None:
    race = play_out(3, options)
    first, second, third = race.owed()

    race.answer(first, RULES.default_action(race.board, first))
    race.withhold(second)
    race.answer(third, build(*QUICK, race="humans" if options is RACES else None))

    plain = default_build(BOX, None)
    assert race.board.chariots[0].equipment == race.board.chariots[1].equipment == plain.equipment
    assert race.board.chariots[0].race == race.board.chariots[1].race == ("humans" if options is RACES else None)
    assert race.board.chariots[2].equipment == QUICK


@pytest.mark.rule("CM-110", "CM-136")
def test_the_default_is_of_the_first_race_that_can_afford_one() -> None:
    for points in range(4):
        board = board_for(2, Options(equipment="races", equipment_points=points))
        for decision in RULES.decisions(board):
            RULES.check(board, decision, RULES.default_action(board, decision))


@pytest.mark.rule("CM-110")
@pytest.mark.parametrize(("seats", "each"), [(1, 1), (7, 1), (5, 3)])
def test_too_many_chariots_or_seats_are_refused(seats: int, each: int) -> None:
    with pytest.raises(UnfitRaceOptions):
        board_for(seats, Options(chariots_each=each))


@pytest.mark.parametrize(("seats", "each", "laps"), [(6, 2, 5), (5, 1, 10), (2, 3, 9)])
def test_more_laps_than_a_log_can_tell_are_refused(seats: int, each: int, laps: int) -> None:
    with pytest.raises(UnfitRaceOptions):
        board_for(seats, Options(chariots_each=each, laps=laps))
    assert board_for(seats, Options(chariots_each=each, laps=laps - 1)).chariots


@pytest.mark.parametrize(("seats", "each", "turns"), [(6, 2, 159), (2, 3, 317), (2, 1, 951)])
def test_more_game_turns_than_a_log_can_tell_are_refused(seats: int, each: int, turns: int) -> None:
    with pytest.raises(UnfitRaceOptions):
        board_for(seats, Options(chariots_each=each, turns_max=turns))
    assert board_for(seats, Options(chariots_each=each, turns_max=turns - 1)).chariots


def test_a_race_of_as_many_turns_as_are_allowed_in_which_nobody_moves_fits_into_a_log() -> None:
    race = play_out(6, Options(laps=1, equipment="none", chariots_each=2, turns_max=3), forfeits_max=None)
    while race.owed():
        decision = race.owed()[0]
        race.answer(decision, Stop() if decision.kind == "plain" else PutToken(token=0))

    # Each decision is a line or two more in a log: a sealed action is shown later.
    chariot_turns = len(told(race, TurnClosed))
    lines = len(race.written) + 3 * chariot_turns
    assert chariot_turns == 36
    assert lines * CHARIOT_TURNS_LIMIT // chariot_turns < LINES_MAX


@pytest.mark.rule("CM-110")
@pytest.mark.parametrize(("seats", "each"), [(2, 3), (4, 3), (6, 2)])
def test_up_to_twelve_chariots_race(seats: int, each: int) -> None:
    board = board_for(seats, Options(chariots_each=each))

    assert [chariot.seat for chariot in board.chariots] == [seat for seat in range(seats) for _ in range(each)]


@pytest.mark.rule("CM-04", "MO-3")
@pytest.mark.parametrize(("laps", "stamina"), [(None, 29), (1, 9), (5, 48)])
def test_stamina_goes_by_the_laps_agreed_on(laps: int | None, stamina: int) -> None:
    assert {chariot.stamina for chariot in board_for(2, Options(laps=laps)).chariots} == {stamina}


@pytest.mark.parametrize("spoiled", [{"laps": 0}, {"laps": 11}, {"chariots_each": 4}, {"equipment": "all"}, {"x": 1}])
def test_other_options_are_refused(spoiled: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(spoiled, Options)


@pytest.mark.rule("CM-06")
def test_a_second_row_gets_more_stamina_if_that_is_agreed_on() -> None:
    both = Options(laps=1, equipment="none", chariots_each=2, second_row_bonus=True)

    race = play_out(6, both)

    bonus = {placed.row: placed.extra_stamina for placed in told(race, ChariotPlaced)}
    assert bonus == {0: 0, 1: 1}
    assert sorted({chariot.stamina for chariot in race.board.chariots}) == [9, 10]
