"""Resigning: at once between chariot turns, at the end of the turn inside one; wrecks stay."""

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.race.actions import ChangeSpeed
from domain.rulesets.chariotmaster.race.board import Crossing, Mug, Wreck
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import TurnClosed
from domain.rulesets.chariotmaster.race.race_outcomes import (
    ChariotBuilt,
    ChariotFinished,
    RaceEnded,
    SeatWithdrawn,
    WithdrawalAnnounced,
)
from domain.rulesets.chariotmaster.race.resignation import resign
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import (
    RULES,
    answer_by_default,
    go_on,
    play_by_default,
    play_out,
    race_of,
    told,
)


def is_moving(race: Playout) -> bool:
    return race.board.turn is not None


def kinds(race: Playout) -> list[str]:
    return [type(event).__name__ for event in race.written]


@pytest.mark.rule("CM-139", "XG-07")
def test_chariots_horses_and_drivers_leave_and_wrecks_stay() -> None:
    mine = chariot_at(0, pose_at(0), driver="on_foot", driver_pose=pose_at(0, 60), has_body=False)
    script = race_of(mine, chariot_at(1, pose_at(-60)), chariot_at(2, pose_at(-120)), chariot_at(0, pose_at(-180)))
    script.board = replace(script.board, wrecks=(Wreck(chariot=0, pose=pose_at(0, -60)),))

    resign(script, Seat(0))

    assert script.told(SeatWithdrawn) == [SeatWithdrawn(seat=Seat(0), chariots=(0, 3))]
    for number in (0, 3):
        assert script.board.chariots[number].team_pose is None
        assert script.board.chariots[number].driver_pose is None
    assert len(script.board.wrecks) == 1
    assert script.board.ended is None


@pytest.mark.rule("XG-07", "CM-130")
def test_who_resigns_while_tokens_are_sealed_owes_none_any_more() -> None:
    race = play_out(3)

    race.resign(Seat(1))

    assert [owed.seat for owed in race.owed()] == [0, 2]
    play_by_default(race, until=is_moving)
    assert {slip.chariot for slip in race.board.mug.slips} <= {0, 2}


@pytest.mark.rule("XG-07")
def test_where_only_the_leaver_had_a_choice_the_mug_is_emptied_without_it() -> None:
    race = play_out(3)
    for decision in race.owed()[1:]:
        race.answer(decision, RULES.default_action(race.board, decision))
    assert len(race.owed()) == 1

    race.resign(Seat(0))

    assert race.owed()[0].seat in (1, 2)
    assert is_moving(race)


@pytest.mark.rule("XG-07")
def test_who_resigns_in_its_own_turn_drives_it_to_its_end_by_default() -> None:
    race = play_by_default(play_out(3), until=is_moving)
    active = race.board.active
    race.answer(race.owed()[0], ChangeSpeed(change="brake"))

    race.resign(Seat(active))

    told_kinds = kinds(race)
    assert told_kinds.index("WithdrawalAnnounced") < told_kinds.index("TurnClosed") < told_kinds.index("SeatWithdrawn")
    assert race.board.withdrawn == (Seat(active),)
    assert race.board.leaving == ()
    assert race.owed()[0].seat != active


@pytest.mark.rule("XG-07")
def test_who_resigns_in_the_turn_of_another_leaves_when_that_is_over() -> None:
    race = play_by_default(play_out(3), until=is_moving)
    leaver = Seat((race.board.active + 1) % 3)

    race.resign(leaver)
    during = race.board.chariots[leaver].team_pose
    play_by_default(race, until=lambda race: bool(told(race, TurnClosed)))

    assert during is not None
    assert told(race, WithdrawalAnnounced) == [WithdrawalAnnounced(seat=leaver)]
    assert race.board.chariots[leaver].team_pose is None


@pytest.mark.rule("XG-07")
def test_the_last_seat_left_wins_at_once() -> None:
    race = play_out(3)

    race.resign(Seat(2))
    race.resign(Seat(0))

    assert race.owed() == ()
    assert told(race, RaceEnded) == [RaceEnded(reason="one_seat_left")]
    assert [(placing.place, placing.seat) for placing in RULES.ranking(race.board)] == [(1, 1), (2, 0), (3, 2)]


@pytest.mark.rule("XG-07", "MO-23")
def test_the_last_team_left_wins_at_once() -> None:
    race = play_out(4, Options(laps=1, equipment="none", teams="ABBA"))

    race.resign(Seat(1))
    race.resign(Seat(2))

    assert told(race, RaceEnded) == [RaceEnded(reason="one_team_left")]
    assert [(placing.place, placing.seat) for placing in RULES.ranking(race.board)] == [(1, 0), (1, 3), (3, 2), (4, 1)]


@pytest.mark.rule("XG-07")
def test_nobody_leaves_a_race_that_is_over() -> None:
    race = play_by_default(play_out(2), until=is_moving)

    race.resign(Seat(0))
    race.resign(Seat(1))

    assert len(told(race, SeatWithdrawn)) == 1
    assert race.board.ended == "one_seat_left"


@pytest.mark.rule("XG-07", "CM-110")
def test_who_resigns_before_building_is_not_built_and_not_placed() -> None:
    race = play_out(3, Options(laps=1))
    race.resign(Seat(1))

    answer_by_default(race)
    answer_by_default(race)

    assert [built.chariot for built in told(race, ChariotBuilt)] == [0, 2]
    assert [chariot.team_pose is None for chariot in race.board.chariots] == [False, True, False]


@pytest.mark.rule("XG-07", "CM-117", "MO-23")
@pytest.mark.parametrize("teams", [None, "ABA"])
def test_a_crossing_of_a_seat_that_leaves_lapses_unless_it_is_the_team_s(teams: str | None) -> None:
    script = race_of(
        *(chariot_at(seat, pose_at(-60 * seat)) for seat in range(3)),
        crossings=(Crossing(chariot=0, is_dragged=False),),
        options=Options(laps=1, equipment="none", teams=teams),
        mug=Mug(game_turn=7, slips=(), is_closed=True),
    )

    resign(script, Seat(0))
    go_on(script)

    assert script.told(ChariotFinished) == ([] if teams is None else [ChariotFinished(chariot=0, place=1)])
    assert script.board.chariots[0].team_pose is None


@pytest.mark.rule("XG-07")
@pytest.mark.parametrize("place", range(6))
def test_whenever_a_seat_leaves_the_race_goes_on_without_it(place: int) -> None:
    race = play_out(3, Options(laps=1), secret=place)
    for _ in range(7 * place):
        answer_by_default(race)

    race.resign(Seat(place % 3))
    play_by_default(race)

    assert race.board.ended == "one_left"
    assert RULES.ranking(race.board)[-1].seat == place % 3
