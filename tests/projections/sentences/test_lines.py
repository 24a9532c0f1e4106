"""Lines as sentences: every type of event has one, whole games are told without a gap, what is unknown by its tag."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from domain.chance import DiceRolled
from domain.game.events import INPUT_TYPES, OUTCOME_TYPES
from domain.log.record import Line, parse_line
from projections.opening import read_opening
from projections.sentences.lines import TELLERS, tell_line
from tests.projections.games import GOLDEN, golden_games, random_games, rewritten

# What a sentence looks like whose value was not there.
GAPS = re.compile(r"None|\(\)|\[|\{|  |\.\.$|, \.|True|False")


def name_of(raws: Sequence[bytes]) -> str:
    opening = read_opening(parse_line(raws[0]))
    assert opening is not None
    return opening.ruleset.name


@pytest.mark.parametrize("number", range(len(GOLDEN)), ids=[path.stem for path in GOLDEN])
def test_a_whole_game_is_told_without_a_gap(number: int) -> None:
    raws = golden_games()[number]
    lines = [parse_line(raw) for raw in raws]

    told = [tell_line(name_of(raws), line).text for line in lines]

    assert [text for text in told if GAPS.search(text) or not text.endswith((".", "!"))] == []
    assert not {text for text, line in zip(told, lines, strict=True) if text == f"{as_words(line.type)}."}


def as_words(tag: str) -> str:
    return tag.replace("_", " ").capitalize()


def test_every_event_of_the_game_itself_has_been_told() -> None:
    lines = [parse_line(raw) for raws in random_games() for raw in raws]
    told = {line.type: tell_line("torches", line).text for line in lines}

    missing = {*INPUT_TYPES, *OUTCOME_TYPES} - told.keys()

    # No random game is aborted, nor given more time.
    assert missing <= {"game_aborted", "clock_extended"}
    assert all(told[tag] != f"{as_words(tag)}." for tag in told.keys() & {*INPUT_TYPES, *OUTCOME_TYPES})


@pytest.mark.parametrize("name", TELLERS)
def test_marks_and_small_print_name_tags_of_the_ruleset(name: str) -> None:
    teller = TELLERS[name]

    assert {*teller.marks, *teller.quiet} <= teller.types.keys()
    assert not teller.marks.keys() & teller.quiet
    assert DiceRolled not in teller.types.values()


@pytest.mark.parametrize("name", ["charioteer", "of-tomorrow"])
def test_what_has_no_sentence_is_told_by_its_tag(name: str) -> None:
    told = tell_line(name, line_of("horse_renamed"))

    assert (told.text, told.weight) == ("Horse renamed.", "plain")


def test_what_a_later_release_has_added_to_an_event_is_told_by_its_tag() -> None:
    told = tell_line("charioteer", line_of("lap_completed"))

    assert told.text == "Lap completed."


def line_of(tag: str) -> Line:
    fields: dict[str, Any] = {"type": tag, "data": {}, "kind": "outcome", "by": "server", "command": None}
    return parse_line(rewritten(golden_games()[0][-1], **fields))
