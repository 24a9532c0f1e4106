"""The golden games are decided again, line by line, to the bytes that were recorded."""

from typing import Any

import msgspec
import pytest

from domain.canonical import encode
from domain.chance import Secret
from domain.game.kind import GAMES
from domain.log.replay import replay
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.rulesets.chariotmaster.ruleset import build_ruleset
from tests.domain.log.redeciding import LineDoesNotFollow, redecide
from tests.domain.rulesets.chariotmaster.golden import BOXES, FOLDER, RECIPES, Box, components_file

KEPT = {box: build_ruleset(msgspec.json.decode(components_file(box).read_bytes())) for box in BOXES}
CATALOGUE = Catalogue(KEPT.values())


def read(name: str) -> list[bytes]:
    return (FOLDER / f"{name}.ndjson").read_bytes().splitlines()


def data(raws: list[bytes], type_: str) -> list[dict[str, Any]]:
    lines = (msgspec.json.decode(raw) for raw in raws)
    return [line["data"] for line in lines if line["type"] == type_]


def everything(type_: str) -> list[dict[str, Any]]:
    return [fields for name in RECIPES for fields in data(read(name), type_)]


def secret_of(raws: list[bytes]) -> Secret:
    return Secret(bytes.fromhex(data(raws, "secret_disclosed")[0]["secret"]))


@pytest.mark.parametrize("name", RECIPES)
def test_a_golden_game_is_decided_again_to_the_same_bytes(name: str) -> None:
    raws = read(name)

    decided = redecide(GAMES, raws, CATALOGUE, secret_of(raws))

    public = replay(GAMES, raws, CATALOGUE)
    rules = KEPT[RECIPES[name].box]
    assert decided.status == "finished"
    assert encode(rules.view(decided.board, None)) == encode(rules.view(public.board, None))


@pytest.mark.parametrize("box", KEPT)
def test_the_boxes_of_the_golden_games_have_kept_their_bytes(box: Box) -> None:
    named = {data(read(name), "game_opened")[0]["ruleset"]["components"] for name in RECIPES}

    assert hash_components(KEPT[box]) in named
    assert KEPT[box].components == components_file(box).read_bytes()


def test_a_die_that_was_changed_is_found() -> None:
    raws = read("lost_token")
    place = next(place for place, raw in enumerate(raws) if b'"type":"dice_rolled"' in raw)
    line = msgspec.json.decode(raws[place])
    line["data"]["faces"][0] = line["data"]["faces"][0] % line["data"]["sides"] + 1
    raws[place] = encode(line)

    with pytest.raises(LineDoesNotFollow, match=f"at version {place + 1}"):
        redecide(GAMES, raws, CATALOGUE, secret_of(raws))


@pytest.mark.rule("CM-80", "CM-117")
def test_one_shows_a_winner_who_was_dragged_across_the_line() -> None:
    raws = read("dragged_winner")

    dragged = [fields["chariot"] for fields in data(raws, "line_crossed") if fields["is_dragged"]]
    first = next(fields["chariot"] for fields in data(raws, "chariot_finished") if fields["place"] == 1)

    assert first in dragged


@pytest.mark.rule("CM-06")
def test_one_shows_a_second_row() -> None:
    placed = data(read("second_row_and_chain"), "chariot_placed")

    assert [item["row"] for item in placed].count(1) == len(placed) - 7
    assert {item["extra_stamina"] for item in placed} == {0, 1}


@pytest.mark.rule("CM-33", "CM-45")
def test_one_shows_a_wreck_in_the_way() -> None:
    met = data(read("run_across"), "pieces_collided")

    assert any(item["target_part"] == "wreck" and not item["is_ram"] and item["bounce"] > -3 for item in met)


@pytest.mark.rule("CM-70", "CM-80", "CM-81", "CM-92", "CM-138", "CM-33", "CM-40")
def test_together_they_show_the_ends_of_drivers_a_lost_token_and_what_is_run_across() -> None:
    crashes = {fields["is_driver_dragged"] for fields in everything("chariot_crashed")}
    lost = [fields for fields in everything("token_shown") if fields["put_in"] != fields["token"]]
    small = [fields for fields in everything("pieces_collided") if fields["target_part"] in ("wreck", "driver")]

    assert crashes == {True, False}
    assert everything("driver_left")
    assert everything("driver_died")
    assert any(fields["is_passed"] for fields in everything("cut_loose_tested"))
    assert {fields["is_passed"] for fields in everything("grab_tested")} == {True, False}
    assert everything("horse_died")
    assert everything("token_lapsed")
    assert lost
    assert any(not item["is_ram"] and item["bounce"] > -3 for item in small)


@pytest.mark.rule("CM-40", "CM-46")
def test_together_they_show_three_collisions_that_follow_from_one_move() -> None:
    longest = 0
    for name in RECIPES:
        chain = 0
        for raw in read(name):
            type_ = msgspec.json.decode(raw)["type"]
            chain = chain + 1 if type_ == "pieces_collided" else chain
            longest = max(longest, chain)
            # Anything that ends a move of its own ends the chain.
            if type_ in ("sub_move_made", "attack_ended", "turn_ended", "action_played"):
                chain = 0
    assert longest >= 3


def test_together_they_show_every_way_a_seat_may_answer_or_fail_to() -> None:
    assert everything("action_defaulted")
    assert {fields["reason"] for fields in everything("action_forfeited")} == {"unrevealed"}
    assert everything("token_forfeited")
    assert everything("seat_withdrawn")
    assert {fields["reason"] for fields in everything("race_ended")} >= {"one_left", "turn_limit"}
