"""CM-138: not showing a token is never better than showing it and braking to a halt, die for die."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.actions import ChangeSpeed, Stop
from domain.rulesets.chariotmaster.race.board import Board, Mug, Slip
from domain.rulesets.chariotmaster.race.outcomes import SpeedChanged, TurnBegan, TurnClosed
from domain.rulesets.chariotmaster.rounds.game_turn import begin_chariot_turn, forfeit_chariot_turn
from domain.rulesets.chariotmaster.rounds.mug import forfeit_token, show_token
from domain.rulesets.chariotmaster.turn.chariot_turn import play_move
from domain.rulesets.chariotmaster.turn.pace import allowed_tokens
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import RULES, RaceScript, go_on, play_out, race_of, told

ARENA = RULES.arena
BRAKE = ChangeSpeed(change="brake")


def drawn(cases: Cases, faces: list[int], tokens: tuple[TokenName, ...], **state: Any) -> RaceScript:
    """Three chariots, the first of which was drawn and has not shown its token; it has stamina enough to halt."""
    poses = [pose_at(-60 * number - 100, cases.number(-60, 60)) for number in range(3)]
    state = {"stamina": cases.number(12, 20), "structure": cases.number(0, 5), **state}
    mine = chariot_at(0, poses[0], tokens=tokens, **state)
    others = (chariot_at(1, poses[1]), chariot_at(2, poses[2]))
    mug = Mug(game_turn=3, slips=(Slip(chariot=0, tokens=tokens),), is_closed=True, drawn=0)
    return race_of(mine, *others, mug=mug, game_turns=3, faces=faces)


def halted(script: RaceScript, token: TokenName) -> RaceScript:
    """Show a token, and brake until nothing has to be driven any more."""
    show_token(script.watched, token)
    begin_chariot_turn(script.watched, ARENA)
    while script.board.turn is not None and script.board.turn.min_um > 0:
        play_move(script.watched, ARENA, BRAKE, name="brake")
    if script.board.turn is not None:
        play_move(script.watched, ARENA, Stop(), name="stop")
    return script


def forfeited(script: RaceScript) -> RaceScript:
    forfeit_token(script.watched)
    forfeit_chariot_turn(script.watched, ARENA)
    return script


def without_stamina(board: Board) -> list[Any]:
    return [
        (chariot.team_pose, chariot.structure, chariot.health, chariot.skill, chariot.tokens, chariot.horses)
        for chariot in board.chariots
    ]


@pytest.mark.rule("CM-138", "XG-06")
@pytest.mark.parametrize("seed", range(20))
def test_halting_honestly_costs_a_point_less_with_the_same_dice_and_nothing_else_differs(seed: int) -> None:
    cases = Cases(seed)
    tokens: tuple[TokenName, ...] = ((0, 5), (0, 5, 10), (0, 10))[cases.number(0, 2)]
    faces = [cases.number(1, 6) for _ in range(12)]

    dear = forfeited(drawn(Cases(seed + 100), list(faces), tokens))
    cheap = halted(drawn(Cases(seed + 100), list(faces), tokens), max(allowed_tokens(dear.board.chariots[0])))

    assert dear.board.chariots[0].stamina == cheap.board.chariots[0].stamina - 1
    assert without_stamina(dear.board) == without_stamina(cheap.board)
    assert [change.face for change in dear.told(SpeedChanged)] == [change.face for change in cheap.told(SpeedChanged)]


def worn(cases: Cases) -> dict[str, Any]:
    """Choose an answer of a chariot that cannot pay for a halt, or only just."""
    most = {"stamina": 3, "structure": 2, "health": 2, "skill": 2, "stamina_modifier": 7, "structure_modifier": 7}
    state: dict[str, Any] = {name: cases.number(0, limit) for name, limit in most.items()}
    return state | {"is_exhausted": bool(cases.number(0, 1)), "has_damaged_wheel": bool(cases.number(0, 1))}


def what_is_left(board: Board) -> list[list[int]]:
    """List for each chariot the quantities of which more is better."""
    return [
        [
            *(chariot.stamina, chariot.structure, chariot.health, chariot.skill, chariot.horses),
            *(len(chariot.tokens), chariot.has_body, chariot.has_reins, chariot.has_whip),
            *(chariot.driver == "riding", chariot.driver != "dead"),
            *(-chariot.unconscious_for, -chariot.out_of_control_for),
        ]
        for chariot in board.chariots
    ]


@pytest.mark.rule("CM-138", "XG-06")
@pytest.mark.parametrize("tokens", [(0, 5), (0, 10), (0, 5, 10)])
@pytest.mark.parametrize("seed", range(20))
def test_halting_honestly_is_as_good_in_everything_where_it_costs_more_than_there_is(
    seed: int, tokens: tuple[TokenName, ...]
) -> None:
    cases = Cases(seed + 50)
    faces = [cases.number(1, 6) for _ in range(60)]
    state = worn(Cases(seed))

    dear = forfeited(drawn(Cases(seed), list(faces), tokens, **state))
    cheap = halted(drawn(Cases(seed), list(faces), tokens, **state), max(tokens))

    for mine, theirs in zip(what_is_left(cheap.board), what_is_left(dear.board), strict=True):
        assert all(honest >= forfeit for honest, forfeit in zip(mine, theirs, strict=True))


@pytest.mark.rule("CM-138", "XG-06")
@pytest.mark.parametrize("seed", range(10))
def test_a_slower_token_that_was_sealed_would_have_cost_no_more(seed: int) -> None:
    cases = Cases(seed)
    faces = [cases.number(1, 6) for _ in range(12)]

    dear = forfeited(drawn(Cases(seed), list(faces), (0, 5, 10)))
    spent = [halted(drawn(Cases(seed), list(faces), (0, 5, 10)), token).board.chariots[0].stamina for token in (0, 5)]

    assert all(stamina > dear.board.chariots[0].stamina for stamina in spent)


@pytest.mark.rule("CM-138", "CM-119")
def test_a_halted_chariot_suffers_the_start_of_its_turn_and_has_nothing_after_it() -> None:
    script = drawn(Cases(1), [5, 6, 6, 1], (0, 5, 10))
    exhausted = chariot_at(0, pose_at(-100), is_exhausted=True, has_reins=True, stamina=9, dead_horses=0)
    script.board = race_of(exhausted, *script.board.chariots[1:], mug=script.board.mug, game_turns=3).board

    forfeited(script)
    go_on(script)

    # A point for exhaustion, two brakes to make up ten centimetres, and one more.
    assert script.board.chariots[0].stamina == 9 - 1 - 2 - 1
    assert [closed.chariot for closed in script.told(TurnClosed)][:1] == [0]


@pytest.mark.rule("CM-138")
def test_the_second_forfeit_retires_the_seat() -> None:
    race = play_out(3)
    for _ in range(2):
        race.withhold(next(decision for decision in race.owed() if decision.seat == 1))
        turn = race.board.game_turns
        while race.owed() and race.board.game_turns == turn:
            decision = race.owed()[0]
            race.answer(decision, RULES.default_action(race.board, decision))

    assert race.board.withdrawn == (1,)
    assert {began.token for began in told(race, TurnBegan) if began.chariot == 1} == {10}
