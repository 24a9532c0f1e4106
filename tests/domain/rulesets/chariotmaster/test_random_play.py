"""Random legal play: under every play within the rules, nothing is lost and no piece stands where none may."""

from random import Random

import pytest

from domain.canonical import encode
from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.race.actions import Action, BuildChariot, Defend, LeaveRoll, ModifyRoll, PutToken
from domain.rulesets.chariotmaster.race.options import EquipmentRule, Options
from domain.rulesets.chariotmaster.rounds.mug import slip_for
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.races import RULES, play_out
from tests.domain.rulesets.chariotmaster.random_plans import is_fit, random_plans
from tests.domain.rulesets.chariotmaster.random_races import candidates_of, seeded
from tests.domain.rulesets.chariotmaster.soundness import Watcher, check_story
from tests.domain.rulesets.chariotmaster.test_random_turns import some_action

# Each test of a block plays its games by itself, so that they spread over processes.
BLOCKS = 10
# A race takes ten times as long as one of the other rulesets.
SHARE = 5
COURSES = tuple(RULES.courses)
EQUIPMENT: tuple[EquipmentRule, ...] = ("open", "races", "none")
# How many blind tries at a step are made before something is chosen that is known to be legal.
TRIES = 4


def course_of(game: int) -> str | CoursePlan | None:
    """Three games in eleven are on the other courses of the box in turn, one is on a course of its own."""
    if game % 11 == 1:
        return next(plan for plan in random_plans(seeded(game)) if is_fit(plan))
    return COURSES[game // 11 % len(COURSES)] if game % 11 < 4 else None


def options_of(game: int) -> Options:
    """Count through all variants; every fifth race is long enough to be finished, by two seats."""
    is_long = game % 5 == 0
    return Options(
        laps=1,
        course=course_of(game),
        teams=(None, "AB", "AAB", "ABC")[game // 2 % 4] if seats_of(game) > 2 else None,
        chariots_each=1 + game // 7 % 2,
        equipment=EQUIPMENT[game % 3],
        equipment_points=game % 7,
        second_row_bonus=bool(game & 1),
        survivor="must_finish" if game // 5 % 2 else "wins",
        chained_bounce="goes_on" if game % 4 == 1 else "ends_turn",
        whip_roll="target" if game % 5 == 2 else "attacker",
        turns_max=None if is_long else 4 + game % 7,
    )


def seats_of(game: int) -> int:
    return 2 + game % 5


def random_answer(race: Playout, decision: Decision, random: Random) -> Action:
    """Choose something legal: blindly and cheaply, sometimes from the list, sometimes as the absent do."""
    board = race.board
    if decision.id.endswith("/token"):
        return PutToken(token=random.choice(slip_for(board, decision).tokens))
    if "/defence/" in decision.id and random.randrange(2):
        return Defend(means=random.choice(("brake", "evade")))
    if board.offered is not None:
        lucky = ModifyRoll(die=random.randrange(len(board.offered.faces)), change=random.choice((-1, 1)))
        return lucky if random.randrange(2) else LeaveRoll()
    if "/step/" in decision.id:
        attacks = list_attacks(RULES.arena_of(board.options), board)
        if attacks:
            return random.choice(attacks).attack
        for _ in range(TRIES):
            tried = some_action(Cases(random.randrange(2**32)))
            try:
                RULES.check(board, decision, tried)
            except IllegalAction:
                continue
            return tried
    if random.randrange(8) == 0 or decision.id.startswith("build/"):
        return random.choice(candidates_of(RULES.legal_actions(board, decision)))
    return RULES.default_action(board, decision)


def play_on(race: Playout, random: Random, wildness: int) -> None:
    """Answer, or now and then withhold a sealed action, or leave."""
    decision = race.owed()[0]
    if decision.kind == "sealed" and random.randrange(100) == 0:
        race.withhold(decision)
    elif random.randrange(400) == 0 and "/luck/" not in decision.id and "/defence/" not in decision.id:
        race.resign(decision.seat)
    elif random.randrange(wildness):
        race.answer(decision, RULES.default_action(race.board, decision))
    else:
        race.answer(decision, random_answer(race, decision, random))


@pytest.mark.rule("XG-05", "XG-08", "CM-30", "CM-40", "CM-71", "CM-72", "CM-110", "CM-136")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_race_ends_and_keeps_the_board_sound(block: int, games: int) -> None:
    for game in range(block, games // SHARE, BLOCKS):
        random = seeded(game)
        race = play_out(seats_of(game), options_of(game), secret=game)
        # One race in five is driven so that it is finished: by default, but for one answer in ten.
        wildness = 10 if game % 5 == 0 else 1
        answered: set[str] = set()
        watcher = Watcher()
        while race.owed():
            decision = race.owed()[0]
            assert decision.id not in answered
            play_on(race, random, wildness)
            if decision not in race.owed():
                answered.add(decision.id)
            watcher.check(race.board, race.written)
        assert race.board.ended is not None
        check_story(race.written)


@pytest.mark.rule("CM-130")
@pytest.mark.parametrize("game", range(3))
def test_the_same_race_is_written_again_and_folded_without_its_secret(game: int) -> None:
    races = []
    for _ in range(2):
        random, race = seeded(game), play_out(seats_of(game), options_of(game), secret=game)
        while race.owed():
            play_on(race, random, 1)
        races.append(race)
    first, again = races

    board = RULES.initial_board(tuple(Seat(seat) for seat in range(seats_of(game))), options_of(game))
    for event in first.written:
        board = RULES.evolve(board, event, None)  # type: ignore[arg-type] # all of them are of this game

    assert [encode(event) for event in first.written] == [encode(event) for event in again.written]
    assert board == first.board


@pytest.mark.rule("XG-05")
@pytest.mark.parametrize("game", range(6))
def test_what_the_absent_do_is_legal_wherever_they_are_absent(game: int) -> None:
    random, race = seeded(game + 1_000), play_out(seats_of(game), options_of(game), secret=game)
    while race.owed():
        for decision in race.owed()[:2]:
            default = RULES.default_action(race.board, decision)
            RULES.check(race.board, decision, default)
            assert not isinstance(default, ModifyRoll | Defend)
            if isinstance(default, BuildChariot):
                assert default in candidates_of(RULES.legal_actions(race.board, decision))
        play_on(race, random, 1)
