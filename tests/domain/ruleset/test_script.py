"""The script: rules see their effect at once, and a second run overwrites the events of the first."""

from typing import Any

import pytest
from msgspec import Struct

from domain.chance import Chance, DeckShuffled, DiceRolled, derive_anchors, open_chance
from domain.ids import DecisionId, Seat
from domain.ruleset.decision import Decision
from domain.ruleset.script import WRITTEN_MAX, Interrupted, Script, ScriptDiverged, Written
from tests.domain.game.game_harness import GAME, SECRET

ASKED = Decision(id=DecisionId("asked"), seat=Seat(0), kind="plain")


class Added(Struct, frozen=True):
    number: int


def evolve(board: tuple[Any, ...], outcome: Any, chance: Chance | None) -> tuple[Any, ...]:
    match outcome:
        case Added(number=number):
            return (*board, number)
        case DiceRolled(faces=faces):
            return (*board, *faces)
        case _:
            return (*board, "blind" if chance is None else "knowing")


def refuse(_: Any, __: Decision) -> int:
    raise Interrupted


def scripted(past: tuple[Written, ...] = (), *, chance: Chance | None = None, respond: Any = refuse) -> Any:
    opened = open_chance(GAME, derive_anchors(SECRET, 1), SECRET) if chance is None else chance
    return Script(evolve=evolve, board=(), chance=opened, respond=respond, past=past)


def first_run() -> Any:
    script = scripted()
    script.emit(Added(number=1))
    script.roll("die", dice=2, sides=6)
    script.shuffle("deck", size=5)
    script.note(Added(number=9))
    return script


def test_the_next_line_of_a_rule_sees_the_effect_of_the_one_before() -> None:
    script = scripted()

    script.emit(Added(number=1))
    faces = script.roll("die", dice=2, sides=6)

    assert script.board == (1, *faces)


def test_a_note_leaves_the_board_alone() -> None:
    script = scripted()

    script.note(Added(number=9))

    assert script.board == ()
    assert [each.event for each in script.written] == [Added(number=9)]


def test_a_second_run_draws_nothing_and_writes_the_same() -> None:
    first = first_run()

    second = scripted(tuple(first.written), chance=first.chance)
    second.emit(Added(number=1))
    faces = second.roll("die", dice=2, sides=6)
    second.shuffle("deck", size=5)
    second.note(Added(number=9))
    second.check_repeated()
    second.roll("die", dice=1, sides=6)

    assert faces == first.board[1:3]
    assert second.written[:4] == first.written
    assert [each.event.label for each in second.written if isinstance(each.event, DiceRolled)] == ["die:1", "die:2"]
    assert second.chance.links_used == 2


@pytest.mark.parametrize(
    "differ",
    [
        lambda script: script.emit(Added(number=2)),
        lambda script: script.note(Added(number=2)),
        lambda script: script.roll("die", dice=1, sides=6),
        lambda script: script.shuffle("deck", size=5),
        lambda script: script.check_repeated(),
        lambda script: (script.emit(Added(number=1)), script.roll("die", dice=2, sides=8)),
        lambda script: (script.emit(Added(number=1)), script.roll("dice", dice=2, sides=6)),
        lambda script: (script.emit(Added(number=1)), script.roll("die", dice=3, sides=6)),
        lambda script: (script.emit(Added(number=1)), script.emit(Added(number=1))),
    ],
)
def test_a_second_run_that_differs_is_noticed(differ: Any) -> None:
    first = first_run()
    second = scripted(tuple(first.written), chance=first.chance)

    with pytest.raises(ScriptDiverged):
        differ(second)


@pytest.mark.parametrize(("deck", "size"), [("deck", 4), ("other", 5)])
def test_a_second_run_that_shuffles_otherwise_is_noticed(deck: str, size: int) -> None:
    first = scripted()
    first.shuffle("deck", size=5)
    second = scripted(tuple(first.written), chance=first.chance)

    with pytest.raises(ScriptDiverged):
        second.shuffle(deck, size=size)


def test_whoever_has_no_secret_evolves_without_chance() -> None:
    shuffled = first_run().written[2]
    assert isinstance(shuffled.event, DeckShuffled)
    script = scripted(chance=open_chance(GAME, derive_anchors(SECRET, 1), None))

    script.shuffle("deck", size=5)

    assert script.board == ("blind",)


def test_an_answer_that_is_not_there_stops_the_play() -> None:
    with pytest.raises(Interrupted):
        scripted().ask(ASKED)

    assert scripted(respond=lambda *_: 7).ask(ASKED) == 7


def test_rules_in_a_loop_are_stopped() -> None:
    script = scripted()
    for number in range(WRITTEN_MAX):
        script.note(Added(number=number))

    with pytest.raises(AssertionError):
        script.note(Added(number=0))
