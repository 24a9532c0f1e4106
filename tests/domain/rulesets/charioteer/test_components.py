"""The box: its content, and how a broken file is refused."""

import copy
from collections import Counter
from typing import Any

import pytest

from domain.canonical import encode
from domain.rulesets.charioteer.cards import UnknownWord, parse_face
from domain.rulesets.charioteer.components import BrokenComponents, build_components
from domain.rulesets.charioteer.ruleset import build_ruleset
from tests.domain.rulesets.charioteer.boards import BOX, DATA, LAP, RULES

SOURCES = {"stated", "public", "inferred", "default"}


@pytest.mark.rule("CO-1")
def test_the_twelve_symbols_are_four_colours_of_three_numbers() -> None:
    names = [symbol.name for symbol in BOX.symbols]

    assert names == [
        "green-2", "green-4", "green-6", "red-1", "red-3", "red-5",
        "yellow-0", "yellow-2", "yellow-4", "black-0", "black-1", "black-2",
    ]  # fmt: skip


@pytest.mark.rule("CO-2", "CO-3")
def test_the_deck_holds_each_ordered_pair_twelve_icons_and_three_whips() -> None:
    texts = Counter(BOX.faces[face].text for face in BOX.deck)
    icons = Counter(face.icon for face in BOX.faces if face.symbols and face.icon)

    pairs = [text for text, face in zip(texts, BOX.faces, strict=True) if len(face.symbols) == 2]
    assert (len(BOX.deck), len(pairs), texts["whip"]) == (147, 132, 3)
    assert icons == {"shield": 4, "recovery": 4, "learning": 4}
    assert texts["red-1 red-1 shield"] == 1


@pytest.mark.rule("CO-5", "CO-6")
def test_the_bag_and_the_player_tokens_are_those_of_the_component_list() -> None:
    fan = Counter(BOX.tokens[token].icon for token in BOX.bag)

    assert fan == {"plus": 16, "wild": 12, "learning": 8, "whip": 6, "shield": 6, "recovery": 6, "discard": 6}
    assert len(BOX.player_tokens) == 5


@pytest.mark.rule("CH-95")
def test_tokens_are_ranked() -> None:
    ranks = {(token.icon, token.amount): token.rank for token in BOX.tokens}

    moves = [("plus", 5), ("wild", 0), ("whip", 0), ("plus", 3), ("shield", 0), ("recovery", 0), ("learning", 0)]
    assert [ranks[key] for key in moves] == sorted((ranks[key] for key in moves), reverse=True)  # type: ignore[index] # keys of ranks
    assert ranks["discard", 3] > ranks["discard", 2]


@pytest.mark.rule("CO-8", "CO-9", "CO-10", "CO-11")
def test_the_skills_track_cards_and_die() -> None:
    track = BOX.skills_track

    assert (track.start_spaces, track.middle_spaces, track.box_bonuses) == (4, 6, (3, 5, 7, 9))
    assert len(set(BOX.skills_orders)) == 24
    assert len(set(BOX.emperor_die)) == 6


@pytest.mark.rule("CO-12")
def test_spaces_lie_on_an_integer_grid_and_touch_the_next_one() -> None:
    for place, space in enumerate(BOX.track.spaces):
        following = BOX.track.spaces[(place + 1) % LAP]
        assert all(isinstance(number, int) for corner in space.corners for number in corner)
        shared = set(space.corners) & set(following.corners)
        assert shared, place


def test_every_value_of_the_file_says_where_it_comes_from() -> None:
    assert sources_missing(DATA, "") == []


def sources_missing(data: Any, path: str) -> list[str]:
    """List the tables with a value in them that neither they nor a table around them gives a source."""
    if isinstance(data, dict):
        if "source" in data:
            return [] if data["source"] in SOURCES else [path]
        return [missing for key, inner in data.items() for missing in sources_missing(inner, f"{path}.{key}")]
    if isinstance(data, list):
        return [missing for place, inner in enumerate(data) for missing in sources_missing(inner, f"{path}[{place}]")]
    return [path]


def test_the_ruleset_carries_the_canonical_bytes_it_was_built_from() -> None:
    assert RULES.components == encode(DATA) == build_ruleset(copy.deepcopy(DATA)).components


def broken(path: tuple[str | int, ...], value: Any) -> Any:
    data = copy.deepcopy(DATA)
    inner: Any = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return data


DAMAGES: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("numbers", "hand_size", "value"), 0, "numbers.hand_size.value"),
    (("numbers", "hand_size", "value"), "eight", "numbers.hand_size.value"),
    # Every set of cards of a hand is looked at: more of them would keep a verifier at work.
    (("numbers", "hand_size", "value"), 17, "numbers.hand_size.value"),
    (("numbers", "hand_cards_max", "value"), 6, "numbers.hand_cards_max.value"),
    (("numbers", "hand_size", "source"), "guessed", "numbers.hand_size.source"),
    (("numbers", "matching_cards_min", "value"), 4, "numbers.matching_cards_min"),
    (("numbers", "extra"), 1, "numbers"),
    (("emperor_die", "faces"), ["sprint", "run"], "emperor_die.faces[1]"),
    (("disrupt", 0, "cubes"), [1, 2], "disrupt[0].cubes"),
    (("disrupt", 0, "name"), "4-4-4", "disrupt"),
    (("skills_track", "start_spaces", "value"), 3, "skills_track.start_spaces"),
    (("skills_track", "box_bonuses", "value"), [3, 5], "skills_track.box_bonuses"),
    (("skills_cards", "orders", 2), "green green red black", "skills_cards.orders[2]"),
    (("skills_cards", "orders"), ["green red yellow black"], "skills_cards.orders"),
    (("symbols", 1, "number"), 2, "symbols[1]"),
    (("symbols", 0, "colour"), "blue", "symbols[0].colour"),
    (("cards", 0, "faces", 3), "green-2 green-3", "cards[0].faces[3]"),
    (("cards", 2, "faces", 0), "shield red-1", "cards[2].faces[0]"),
    (("cards", 0, "faces"), ["green-2 green-2 red-1"], "cards"),
    (("tokens", 0, "amount"), 0, "tokens[0].amount"),
    (("tokens", 4, "colour"), "any", "tokens[4].colour"),
    (("tokens", 1, "colour"), "green", "tokens[1]"),
    (("tokens", 16, "amount"), 2, "tokens[16].amount"),
    (("track", "spaces", 2, "kind"), "outer", "track.spaces[2].kind"),
    (("track", "spaces", 71, "kind"), "outer", "track.start_before_line"),
    (("track", "spaces", 0, "corners", 0), [99_999, 0], "track.spaces[0].corners"),
    (("track", "spaces", 0, "corners", 0), [1.5, 0], "track.spaces[0].corners[0][0]"),
    (("track", "start_before_line", "value"), 80, "track.start_before_line"),
]


@pytest.mark.parametrize(("path", "value", "named"), DAMAGES)
def test_a_broken_file_is_refused_with_the_path_of_what_is_wrong(
    path: tuple[str | int, ...], value: Any, named: str
) -> None:
    with pytest.raises(BrokenComponents) as refused:
        build_components(broken(path, value))

    assert refused.value.path == named
    assert str(refused.value).startswith(f"{named}: expected ")


def test_a_missing_table_is_named() -> None:
    data = copy.deepcopy(DATA)
    del data["track"]

    with pytest.raises(BrokenComponents, match="track"):
        build_components(data)


@pytest.mark.parametrize("text", ["", "red-1 shield whip", "shield red-1", "red-1  red-1", "red-9", "Red-1"])
def test_a_face_has_one_spelling(text: str) -> None:
    with pytest.raises(UnknownWord):
        parse_face(text, BOX.symbols)


def test_every_face_is_what_its_text_says() -> None:
    for face in BOX.faces:
        words = [*face.words, *([face.icon] if face.icon else [])]
        assert " ".join(words) == face.text
