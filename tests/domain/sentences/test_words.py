"""The words of every ruleset: each event has a sentence, whole games have no gap, the unknown shows its tag."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from domain.game.events import INPUT_TYPES, OUTCOME_TYPES
from domain.log.record import Line, parse_line
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from domain.sentences.templates import Choice, Node, Value, parse_template
from domain.sentences.words import Words, tell_line
from domain.tournament import draw_events
from domain.tournament import events as tournament
from domain.tournament.standings import TieBreak
from infra.ruleset_files import load_ruleset, read_game_words, read_tournament_words, read_words
from projections.opening import read_opening
from tests.domain.rulesets.chariotmaster.golden import FOLDER as CHARIOTMASTER
from tests.projections.games import GOLDEN, golden_games, random_games, rewritten

WHOLE = (*GOLDEN, *sorted(CHARIOTMASTER.glob("*.ndjson")))
WORDS = {kit.name: read_words(kit) for kit in KITS}
GAME_WORDS = read_game_words()
TOURNAMENT_WORDS = read_tournament_words()
# Tables that no sentence names: columns are headed with them, and forms made of them.
OF_COLUMNS = {
    "tie_breaks",
    "tie_break_heads",
    "table_statuses",
    "rulings",
    "ruling_notes",
    "ruling_fields",
    "ruling_choices",
}
# The rendering of a sentence with a missing value.
GAPS = re.compile(r"None|\(\)|\[|\{|  |\.\.$|, \.|True|False")


def words_of(raws: Sequence[bytes]) -> Words:
    opening = read_opening(parse_line(raws[0]))
    assert opening is not None
    return WORDS[opening.ruleset.name]


# Options without a preset: bounds.
NOT_IN_A_PRESET = {"turns_max", "rounds_max"}


def tables_of(nodes: Sequence[Node]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        match node:
            case Value():
                found |= {argument for name, argument in node.filters if name == "of"}
            case Choice():
                found |= tables_of((node.value, *node.then, *node.other))
            case _:
                pass
    return found


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_a_ruleset_has_a_sentence_for_each_of_its_events_and_for_no_other(kit: Kit) -> None:
    words, outcomes = WORDS[kit.name], set(load_ruleset(kit).outcome_types)

    assert words.sentences.keys() - GAME_WORDS.sentences.keys() == outcomes
    assert {*words.quiet, *words.marks} - set(GAME_WORDS.quiet) <= outcomes
    assert not set(words.quiet) & words.marks.keys()


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_a_ruleset_has_words_for_its_options(kit: Kit) -> None:
    options = msgspec.json.schema(kit.ruleset.options_type)
    schema = options["$defs"][kit.ruleset.options_type.__name__]

    assert set(WORDS[kit.name].options) == set(schema["properties"])
    assert set(WORDS[kit.name].option_notes) == set(schema["properties"])


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_every_preset_of_a_ruleset_is_a_table_that_opens_and_every_option_but_a_limit_is_in_one(kit: Kit) -> None:
    presets = WORDS[kit.name].presets

    opened = [msgspec.convert(dict(preset.options), kit.ruleset.options_type) for preset in presets]
    named = {name for preset in presets for name in preset.options}

    assert len({preset.name for preset in presets}) == len(presets)
    assert len({msgspec.json.encode(options) for options in opened}) == len(presets)
    assert not presets or set(WORDS[kit.name].options) - named <= NOT_IN_A_PRESET


@pytest.mark.parametrize(
    "words", [*WORDS.values(), GAME_WORDS, TOURNAMENT_WORDS], ids=lambda words: words.title or "every"
)
def test_every_table_that_a_sentence_names_is_there_and_every_table_is_named(words: Words) -> None:
    parts = [(part,) if isinstance(part, str) else part for part in words.parts.values()]
    texts = [*words.sentences.values(), *(text for part in parts for text in part)]

    named = set().union(*(tables_of(parse_template(text)) for text in texts))

    assert named == words.tables.keys() - (OF_COLUMNS if words is TOURNAMENT_WORDS else set())


def test_every_tie_break_has_a_head_and_a_meaning() -> None:
    tie_breaks = set(get_args(TieBreak))

    assert set(TOURNAMENT_WORDS.tables["tie_breaks"]) == set(TOURNAMENT_WORDS.tables["tie_break_heads"]) == tie_breaks


def test_every_ruling_and_every_kind_of_draw_has_its_words() -> None:
    rulings = {
        tag
        for tag, event in tournament.INPUT_TYPES.items()
        if event in (*get_args(tournament.Ruling), tournament.NoShowTold)
    }
    kinds = {why.__struct_config__.tag for why in get_args(draw_events.Why)}

    assert rulings < set(TOURNAMENT_WORDS.sentences) <= {*tournament.INPUT_TYPES, *tournament.OUTCOME_TYPES}
    assert kinds < set(TOURNAMENT_WORDS.parts)


def test_every_event_of_the_game_itself_has_a_sentence() -> None:
    assert set(GAME_WORDS.sentences) == {*INPUT_TYPES, *OUTCOME_TYPES}


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_a_whole_game_is_told_without_a_gap(path: Path) -> None:
    raws = path.read_bytes().splitlines()
    lines, words = [parse_line(raw) for raw in raws], words_of(raws)

    told = [tell_line(words, line).text for line in lines]

    assert [text for text in told if GAPS.search(text) or not text.endswith((".", "!"))] == []
    assert not {text for text, line in zip(told, lines, strict=True) if text == f"{as_words(line.type)}."}


def test_a_random_game_is_told_without_a_gap() -> None:
    lines = [parse_line(raw) for raws in random_games() for raw in raws]
    known = [line for line in lines if line.type in GAME_WORDS.sentences]

    told = {line.type: tell_line(GAME_WORDS, line).text for line in known}

    # No random game is aborted, given more time, or paused by a ruling on its round.
    rare = {"game_aborted", "clock_extended", "opening_witnessed", "table_paused"}
    assert GAME_WORDS.sentences.keys() - told.keys() <= rare
    assert [text for text in told.values() if GAPS.search(text)] == []


@pytest.mark.parametrize("name", WORDS)
def test_an_event_without_a_sentence_is_told_by_its_tag(name: str) -> None:
    told = tell_line(WORDS[name], line_of("horse_renamed"))

    assert (told.text, told.weight) == ("Horse renamed.", "plain")


@pytest.mark.parametrize("name", WORDS)
def test_an_event_that_a_later_release_has_changed_is_told_by_its_tag(name: str) -> None:
    told = tell_line(WORDS[name], line_of("lap_completed"))

    assert told.text == "Lap completed."


def test_a_move_along_no_space_is_told_by_its_tag() -> None:
    told = tell_line(WORDS["chariot-race"], line_of("chariot_moved", {"chariot": "red", "path": []}))

    assert told.text == "Chariot moved."


def test_distances_add_up_in_the_sentence() -> None:
    parts = {"symbols": 5, "number": 5, "token": 5, "skill": 0, "damage": 2}
    line = line_of("distance_reckoned", {"seat": 1, "symbol": "red-5", "distance": 13, **parts})

    told = tell_line(WORDS["charioteer"], line)

    assert told.text == "Seat 1 goes 13: 5 symbols + 5 of red-5 + 5 token \u2212 2 damage."


def as_words(tag: str) -> str:
    return tag.replace("_", " ").capitalize()


def line_of(tag: str, data: dict[str, Any] | None = None) -> Line:
    fields: dict[str, Any] = {"type": tag, "data": data or {}, "kind": "outcome", "by": "server", "command": None}
    return parse_line(rewritten(golden_games()[0][-1], **fields))
