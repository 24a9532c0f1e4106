"""The order of things: game turns, the begin and end of a chariot turn, the end of the race."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.aftermath_outcomes import AftermathBegan, GrabTested
from domain.rulesets.chariotmaster.race.board import Board, Chariot, Crossing, Grasp, Mug, Slip
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotDrawn, MugFilled, TokenShown
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import (
    ChariotCrashed,
    DriverSetDown,
    PiecesCollided,
    PointsLost,
    TableRolled,
    TurnBegan,
    TurnClosed,
    TurnEnded,
)
from domain.rulesets.chariotmaster.race.race_outcomes import ChariotFinished, CrossingVoided, RaceEnded
from domain.rulesets.chariotmaster.rounds.game_turn import begin_chariot_turn, turns_max
from domain.rulesets.chariotmaster.rounds.mug import show_token
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import RULES, RaceScript, go_on, play_by_default, play_out, race_of, told

DEAD: dict[str, Any] = {"driver": "dead", "has_reins": False}
DRAGGED: dict[str, Any] = {"driver": "dragged", "has_body": False, "has_reins": False}
ON_FOOT: dict[str, Any] = {"driver": "on_foot", "driver_pose": pose_at(-100, -60), "has_reins": False}
ARENA = RULES.arena


def drawn(token: TokenName, *faces: int, behind: Chariot | None = None, **mine: Any) -> RaceScript:
    """Chariot 0, alone or with one behind it, has been drawn with a token, and its turn begins."""
    pose = pose_at(-100) if mine.get("horses", 2) else None
    mug = Mug(game_turn=2, slips=(Slip(chariot=0, tokens=(token,)),), is_closed=True, drawn=0)
    others = () if behind is None else (behind,)
    script = race_of(chariot_at(0, pose, **mine), *others, faces=faces, mug=mug, game_turns=2)
    show_token(script.watched, token)
    begin_chariot_turn(script.watched, ARENA)
    return script


def end_of_turn(*states: dict[str, Any], options: Options | None = None, **changes: Any) -> RaceScript:
    """Every chariot has had its turn: the mug is empty, and the game turn ends."""
    chariots = tuple(
        chariot_at(number, pose_at(-60 * number - 40) if state.get("horses", 2) else None, **state)
        for number, state in enumerate(states)
    )
    mug = Mug(game_turn=7, slips=(), is_closed=True)
    changes = {"mug": mug, "game_turns": 7, **changes}
    script = race_of(*chariots, options=options or Options(laps=1, equipment="none"), **changes)
    go_on(script)
    return script


@pytest.mark.rule("CM-10")
def test_in_a_game_turn_every_chariot_has_one_turn_and_then_the_next_begins() -> None:
    race = play_by_default(play_out(3), until=lambda race: race.board.game_turns == 3)

    closed = [event for event in race.written if isinstance(event, TurnClosed | MugFilled)]
    assert sorted(event.chariot for event in closed[1:4] if isinstance(event, TurnClosed)) == [0, 1, 2]
    assert [isinstance(event, MugFilled) for event in closed] == [True, False, False, False] * 2 + [True]


@pytest.mark.rule("CM-119")
def test_a_chariot_turn_goes_from_the_token_to_its_close() -> None:
    race = play_by_default(play_out(2), until=lambda race: bool(told(race, TurnClosed)))

    order = (ChariotDrawn, TokenShown, TurnBegan, TurnEnded, AftermathBegan, TurnClosed)
    assert [type(event) for event in race.written if isinstance(event, order)][:6] == list(order)


@pytest.mark.rule("CM-119", "T8")
@pytest.mark.parametrize(
    ("token", "faces", "lost"),
    [(10, (4,), 1), (10, (3,), 0), (5, (), 0), (0, (), 0)],
)
def test_exhausted_horses_may_lose_a_point_when_they_start_by_their_highest_token(
    token: TokenName, faces: tuple[int, ...], lost: int
) -> None:
    script = drawn(token, *faces, is_exhausted=True, stamina=5)

    script.assert_done()
    assert script.board.chariots[0].stamina == 5 - lost
    assert script.board.turn is not None


@pytest.mark.rule("CM-119", "T8")
def test_the_highest_token_is_the_highest_that_is_left() -> None:
    script = drawn(5, 6, is_exhausted=True, stamina=5, tokens=(0, 5))

    script.assert_done()
    assert script.board.chariots[0].stamina == 4
    assert drawn(0, is_exhausted=True, tokens=(0,), stamina=5).board.chariots[0].stamina == 5


@pytest.mark.rule("CM-24", "CM-119", "MO-4")
def test_horses_that_stumble_into_a_chariot_behind_as_their_turn_begins_end_it() -> None:
    # Exhausted: 4, a point that is not there: 5, back by 1 cm; the collision bounces by two.
    script = drawn(10, 4, 5, 1, 6, 1, 1, 1, 1, behind=chariot_at(1, pose_at(-145)), is_exhausted=True, stamina=0)

    script.assert_done()
    assert [ended.reason for ended in script.told(TurnEnded)] == ["collision"]


@pytest.mark.rule("CM-119", "T9")
@pytest.mark.parametrize(("token", "faces", "lost"), [(10, (4,), 1), (10, (3,), 0), (5, (), 0)])
def test_a_damaged_wheel_may_cost_a_point_by_the_10_token(token: TokenName, faces: tuple[int, ...], lost: int) -> None:
    script = drawn(token, *faces, has_damaged_wheel=True)

    script.assert_done()
    assert script.board.chariots[0].structure == 5 - lost


@pytest.mark.rule("CM-119", "CM-92")
def test_horses_come_before_the_wheel_and_a_token_lost_at_the_start_counts_no_more() -> None:
    # Exhausted: 4, a point that is not there: 6 + 1 = 7, the 10 token is lost, so the wheel does not mind.
    script = drawn(10, 4, 6, is_exhausted=True, has_damaged_wheel=True, stamina=0, stamina_modifier=1)

    script.assert_done()
    assert [rolled.table for rolled in script.told(TableRolled)] == ["stamina"]
    assert [began.token for began in script.told(TurnBegan)] == [5]


@pytest.mark.rule("CM-70", "CM-119", "CM-124")
def test_a_wheel_that_comes_off_at_the_start_hurls_against_the_horses_and_nothing_runs_before_the_next_turn() -> None:
    # Wheel: 5, structure that is not there: 6 + 2 = 8, a crash: hurled (2), 4 cm; his die and his horses' two.
    script = drawn(10, 5, 6, 2, 4, 1, 1, 1, has_damaged_wheel=True, structure=0, structure_modifier=2)

    script.assert_done()
    assert script.told(ChariotCrashed)
    assert [ended.reason for ended in script.told(TurnEnded)] == ["control_lost"]
    assert not script.told(TurnBegan)
    (collided,) = script.told(PiecesCollided)
    assert (collided.initiator, collided.target, collided.heading) == (100, 0, 0)
    assert script.told(DriverSetDown)


@pytest.mark.rule("CM-80", "CM-119", "MO-12")
@pytest.mark.parametrize(("face", "lost"), [(1, 1), (4, 2), (6, 3)])
def test_who_is_dragged_is_hurt_before_his_horses_move(face: int, lost: int) -> None:
    script = drawn(0, face, **DRAGGED)

    assert script.board.chariots[0].health == 5 - lost
    kinds = [type(outcome) for outcome in script.outcomes]
    assert kinds.index(PointsLost) < kinds.index(TurnBegan)


@pytest.mark.rule("CM-80", "CM-119")
def test_who_is_dragged_since_the_start_of_this_turn_is_not_hurt_by_it_yet() -> None:
    # Wheel: 5, a crash, entangled (4): no D3 comes after that.
    script = drawn(10, 5, 6, 4, has_damaged_wheel=True, structure=0, structure_modifier=2)

    script.assert_done()
    assert script.board.chariots[0].driver == "dragged"
    assert script.board.chariots[0].health == 4


@pytest.mark.rule("CM-119")
def test_what_lasts_until_the_end_of_the_turn_lasts_through_the_test_after_the_movement() -> None:
    grasp = Grasp(aim="reins", held_reins=False)
    script = drawn(0, 2, has_reins=False, grasp=grasp, out_of_control_for=1)
    before = script.board.chariots[0].out_of_control_for

    go_on(script)

    kinds = [type(outcome) for outcome in script.outcomes if isinstance(outcome, GrabTested | TurnClosed)]
    assert before == 1
    assert kinds[:2] == [GrabTested, TurnClosed]
    assert script.board.chariots[0].out_of_control_for == 0


@pytest.mark.rule("CM-117")
def test_finishers_leave_the_table_with_the_end_of_the_game_turn() -> None:
    crossings = (Crossing(chariot=2, is_dragged=False), Crossing(chariot=0, is_dragged=False))
    script = end_of_turn({}, {}, {}, {}, crossings=crossings)

    assert script.told(ChariotFinished) == [
        ChariotFinished(chariot=2, place=1),
        ChariotFinished(chariot=0, place=2),
    ]
    assert [chariot.team_pose is None for chariot in script.board.chariots] == [True, False, True, False]
    assert script.board.finished == (2, 0)
    assert script.board.crossings == ()
    assert script.board.game_turns == 8


@pytest.mark.rule("CM-80", "CM-117")
def test_who_was_dragged_across_and_died_has_not_finished() -> None:
    crossings = (Crossing(chariot=0, is_dragged=True), Crossing(chariot=1, is_dragged=True))
    script = end_of_turn({"has_body": False, **DEAD}, DRAGGED, {}, {}, crossings=crossings)

    assert script.told(CrossingVoided) == [CrossingVoided(chariot=0)]
    assert script.told(ChariotFinished) == [ChariotFinished(chariot=1, place=1)]
    assert script.board.chariots[0].team_pose is not None


@pytest.mark.rule("CM-08", "MO-1")
def test_the_race_ends_after_the_game_turn_in_which_the_third_finished() -> None:
    crossings = (Crossing(chariot=0, is_dragged=False),)
    script = end_of_turn({}, {}, {}, {}, {}, crossings=crossings, finished=(3, 4))

    assert script.told(RaceEnded) == [RaceEnded(reason="places_taken")]
    assert RULES.decisions(script.board) == ()


@pytest.mark.rule("CM-08", "MO-1")
@pytest.mark.parametrize(
    ("states", "finished", "reason"),
    [
        (({}, DEAD, ON_FOOT), (), "one_left"),
        (({}, {}), (1,), "one_left"),
        ((DEAD, ON_FOOT), (), "none_left"),
        (({"horses": 0, **ON_FOOT}, DRAGGED), (), "one_left"),
        (({}, {}), (), None),
        (({}, DRAGGED, DEAD), (), None),
        (({}, {}, {}, {}), (0, 1), None),
    ],
)
def test_the_race_ends_when_at_most_one_can_still_finish(
    states: tuple[dict[str, Any], ...], finished: tuple[int, ...], reason: str | None
) -> None:
    script = end_of_turn(*states, finished=finished)

    assert script.board.ended == reason
    assert bool(script.told(MugFilled)) == (reason is None)


@pytest.mark.rule("CM-08", "MO-23")
@pytest.mark.parametrize(
    ("states", "finished", "reason"),
    [
        (({}, DEAD, {}, ON_FOOT), (), "one_team_racing"),
        (({}, {}, {}, {}), (1, 3), "one_team_racing"),
        (({}, {}, {}, {}), (0, 1), None),
        (({}, {}, DEAD, DEAD), (), None),
        (({}, DEAD, DEAD, DEAD), (), "one_left"),
        ((DEAD, DEAD, DEAD, DEAD), (), "none_left"),
    ],
)
def test_the_race_ends_when_no_two_teams_can_still_finish(
    states: tuple[dict[str, Any], ...], finished: tuple[int, ...], reason: str | None
) -> None:
    script = end_of_turn(*states, finished=finished, options=Options(laps=1, equipment="none", teams="AB"))

    assert script.board.ended == reason
    assert bool(script.told(MugFilled)) == (reason is None)


@pytest.mark.rule("CM-08", "MO-1")
@pytest.mark.parametrize(
    ("states", "finished", "reason"),
    [(({}, DEAD, ON_FOOT), (), None), (({}, {}), (1,), None), ((DEAD, ON_FOOT), (), "none_left"), (({},), (), None)],
)
def test_where_a_survivor_must_finish_the_race_goes_on_with_one_chariot(
    states: tuple[dict[str, Any], ...], finished: tuple[int, ...], reason: str | None
) -> None:
    must_finish = Options(laps=1, equipment="none", survivor="must_finish")

    script = end_of_turn(*states, finished=finished, options=must_finish)

    assert script.board.ended == reason
    assert bool(script.told(MugFilled)) == (reason is None)


@pytest.mark.rule("CM-08", "CM-118")
def test_a_survivor_who_must_finish_and_does_wins_and_every_chariot_has_its_place() -> None:
    race = play_by_default(play_out(2, Options(laps=1, equipment="none", survivor="must_finish"), secret=3))

    assert race.board.ended == "none_left"
    assert [finished.place for finished in told(race, ChariotFinished)] == [1, 2]


@pytest.mark.rule("XG-08")
def test_a_race_in_which_nobody_wants_to_arrive_ends_by_the_limit() -> None:
    short = Options(laps=1, equipment="none", turns_max=7)

    assert end_of_turn({}, {}, options=short).board.ended == "turn_limit"
    assert end_of_turn({}, {}, options=short, game_turns=6).board.ended is None


@pytest.mark.rule("XG-08")
@pytest.mark.parametrize(("laps", "turns"), [(1, 39), (3, 117), (10, 390)])
def test_the_limit_is_a_game_turn_for_five_centimetres(laps: int, turns: int) -> None:
    assert turns_max(ARENA, Board(chariots=(), options=Options(laps=laps))) == turns
