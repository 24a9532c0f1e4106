"""The golden games are decided again, line by line, to the bytes that were recorded."""

from typing import Any

import msgspec
import pytest

from domain.canonical import encode
from domain.chance import Secret
from domain.game.kind import GAMES
from domain.log.replay import replay
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.rulesets.chariot_race.ruleset import build_ruleset
from tests.domain.log.redeciding import LineDoesNotFollow, redecide
from tests.domain.rulesets.chariot_race.golden import COMPONENTS, FOLDER, RECIPES

RULES = build_ruleset(msgspec.json.decode(COMPONENTS.read_bytes()))
CATALOGUE = Catalogue([RULES])


def read(name: str) -> list[bytes]:
    return (FOLDER / f"{name}.ndjson").read_bytes().splitlines()


def data(raws: list[bytes], type_: str) -> list[dict[str, Any]]:
    lines = (msgspec.json.decode(raw) for raw in raws)
    return [line["data"] for line in lines if line["type"] == type_]


def secret_of(raws: list[bytes]) -> Secret:
    return Secret(bytes.fromhex(data(raws, "secret_disclosed")[0]["secret"]))


@pytest.mark.parametrize("name", RECIPES)
def test_a_golden_game_is_decided_again_to_the_same_bytes(name: str) -> None:
    raws = read(name)

    decided = redecide(GAMES, raws, CATALOGUE, secret_of(raws))

    public = replay(GAMES, raws, CATALOGUE)
    assert encode(RULES.view(decided.board, None)) == encode(RULES.view(public.board, None))


def test_the_box_of_the_golden_games_has_kept_its_bytes() -> None:
    names = {data(read(name), "game_opened")[0]["ruleset"]["components"] for name in RECIPES}

    assert names == {hash_components(RULES)}
    assert RULES.components == COMPONENTS.read_bytes()


@pytest.mark.rule("CR-36", "CR-43", "CR-52", "RO-10", "XG-07")
def test_together_they_show_what_a_race_can_come_to() -> None:
    games = {name: read(name) for name in RECIPES}
    wrecks = {name: data(raws, "chariot_wrecked") for name, raws in games.items()}
    moments = [win["moment"] for win in wrecks["draft_of_two_and_nobody_wins"]]
    winners = [each["place"] for each in data(games["a_shared_win"], "game_finished")[0]["ranking"]].count(1)

    causes = {sentence["cause"] for told in wrecks.values() for sentence in told}
    assert causes == {"sprint", "corner", "caltrop", "ram", "heap", "javelin"}
    assert len(set(moments)) < len(moments)
    assert data(games["draft_of_two_and_nobody_wins"], "race_ended") == [{"finishers": [], "reason": "no_chariot_left"}]
    assert winners == 2
    assert len(data(games["draft_of_six_on_side_b"], "board_chosen")) == 6
    assert len(data(games["draft_of_three_on_mixed_halves"], "board_chosen")) == 6
    assert data(games["resigned_and_absent"], "seat_withdrawn")
    assert len(data(games["resigned_and_absent"], "action_defaulted")) > 10


def test_a_die_that_was_changed_is_found() -> None:
    raws = read("a_shared_win")
    place = next(place for place, raw in enumerate(raws) if b'"type":"dice_rolled"' in raw)
    line = msgspec.json.decode(raws[place])
    line["data"]["faces"][0] = line["data"]["faces"][0] % 6 + 1
    raws[place] = encode(line)

    with pytest.raises(LineDoesNotFollow, match=f"at version {place + 1}"):
        redecide(GAMES, raws, CATALOGUE, secret_of(raws))
