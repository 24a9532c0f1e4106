"""Golden games: whole logs that must be decided again to the same bytes after every change of this program."""

from typing import Any

import msgspec
import pytest

from domain.canonical import encode
from domain.chance import Secret
from domain.game.kind import GAMES
from domain.log.replay import replay
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.rulesets.charioteer.ruleset import build_ruleset
from tests.domain.log.redeciding import LineDoesNotFollow, redecide
from tests.domain.rulesets.charioteer.golden import (
    COMPONENTS,
    FOLDER,
    GOLDEN_GAMES,
    Golden,
    play_golden,
    secret_of,
)

RULES = build_ruleset(msgspec.json.decode(COMPONENTS.read_bytes()))
CATALOGUE = Catalogue([RULES])
NAMES = [golden.name for golden in GOLDEN_GAMES]


def read_lines(name: str) -> list[bytes]:
    return (FOLDER / f"{name}.ndjson").read_bytes().splitlines()


def read_data(type_: str) -> list[dict[str, Any]]:
    """Collect the data of every line of a type, over all golden games."""
    lines = (msgspec.json.decode(raw) for name in NAMES for raw in read_lines(name))
    return [line["data"] for line in lines if line["type"] == type_]


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_game_is_decided_again_to_the_same_bytes(name: str) -> None:
    lines = read_lines(name)
    secret = Secret(bytes.fromhex(msgspec.json.decode(lines[-1])["data"]["secret"]))

    game = redecide(GAMES, lines, CATALOGUE, secret)

    assert game.status == "finished"


def test_the_box_of_the_golden_games_has_kept_its_bytes() -> None:
    assert {data["ruleset"]["components"] for data in read_data("game_opened")} == {hash_components(RULES)}
    assert RULES.components == COMPONENTS.read_bytes()


@pytest.mark.rule("CH-92")
@pytest.mark.parametrize("golden", GOLDEN_GAMES, ids=NAMES)
def test_the_public_sees_the_same_of_a_golden_game_with_and_without_the_secret(golden: Golden) -> None:
    lines = read_lines(golden.name)

    for version in (*range(20, len(lines), 60), len(lines)):
        knowing = replay(GAMES, lines[:version], CATALOGUE, secret=secret_of(golden))
        ignorant = replay(GAMES, lines[:version], CATALOGUE)
        assert encode(RULES.view(knowing.board, None)) == encode(RULES.view(ignorant.board, None))


@pytest.mark.parametrize("golden", GOLDEN_GAMES, ids=NAMES)
def test_the_players_of_a_golden_game_would_write_it_again(golden: Golden) -> None:
    assert play_golden(golden).raws == read_lines(golden.name)


def test_a_golden_game_with_one_number_changed_is_found_out() -> None:
    golden = GOLDEN_GAMES[0]
    lines = read_lines(golden.name)
    place = next(place for place, raw in enumerate(lines) if b'"type":"distance_reckoned"' in raw)
    number = msgspec.json.decode(lines[place])["data"]["distance"]
    lines[place] = lines[place].replace(b'"distance":%d' % number, b'"distance":%d' % (number + 1))

    with pytest.raises(LineDoesNotFollow) as found:
        redecide(GAMES, lines, CATALOGUE, secret_of(golden))

    assert found.value.version == place + 1


def test_together_they_show_every_icon_and_every_face_of_the_die() -> None:
    cards = {shown["card"].split(" ")[-1] for data in read_data("move_revealed") for shown in data["cards"]}
    tokens = {data["token"].split("-")[0] for data in read_data("move_revealed") if data["token"]}

    assert {"shield", "whip", "recovery", "learning"} <= cards
    assert tokens == {"plus", "wild", "whip", "shield", "recovery", "learning"}
    assert any(data["discard_token"] for data in read_data("move_revealed"))
    assert {data["emperor"] for data in read_data("turn_began")} == {
        "sprint", "attack", "recover", "corner", "all", "disrupt",
    }  # fmt: skip


def test_together_they_show_every_way_a_seat_may_answer_or_fail_to() -> None:
    assert {data["reason"] for data in read_data("action_forfeited")} == {"illegal", "unrevealed"}
    assert read_data("action_defaulted")
    assert read_data("seat_resigned")
    assert read_data("reset_revealed")
    assert {data["cause"] for data in read_data("damage_taken")} == {"emperor", "minor_attack", "major_attack"}


@pytest.mark.rule("CH-81", "CH-89")
def test_together_they_show_a_reshuffle_and_a_tie_in_the_last_space() -> None:
    shuffles = [data["label"] for data in read_data("deck_shuffled")]
    (tied,) = [golden for golden in GOLDEN_GAMES if golden.name.endswith("tie")]

    board = redecide(GAMES, read_lines(tied.name), CATALOGUE, secret_of(tied)).board

    best = sorted((driver.progress for driver in board.drivers), reverse=True)
    assert "deck:2" in shuffles
    assert best[0] == best[1]
