"""The specification names the code's parts: every check, every event, every member, and the worked examples."""

import re
from pathlib import Path

import pytest
from msgspec import Struct

from domain.audit.bundle import COMPONENTS, FIRST_SEAT_PROOF, HOWTO, LAST_PROOF, LOG, POLICY
from domain.audit.record import CHECKS as RECORD_CHECKS
from domain.audit.tournament import CHECKS as TOURNAMENT_CHECKS
from domain.audit.verify import CHECKS
from domain.canonical import encode
from domain.chance import (
    DeckShuffled,
    Secret,
    after_shuffle,
    commit,
    contribute,
    deck_order,
    derive_anchors,
    draw_dice,
    open_chance,
)
from domain.derived_ids import derive_game, derive_record
from domain.game.events import INPUT_TYPES, OUTCOME_TYPES
from domain.ids import DecisionId, GameId, Seat, StreamId, TournamentId
from domain.operators.events import ACT_TYPES
from domain.seal import seal_action
from domain.tournament import events as tournament
from tests.domain.audit.forgery_rows import build_rows

TEXT = (Path(__file__).parents[3] / "docs" / "proof.md").read_text()
GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
SECRET = Secret(bytes(range(32)))


def table_rows(heading: str) -> list[str]:
    """List the first cells of the tables of a section."""
    section = TEXT.partition(f"\n## {heading}")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)`", section, re.MULTILINE)


def test_every_check_is_specified_in_its_place() -> None:
    assert table_rows("10.") == [check.name for check in CHECKS]


def test_the_table_of_forgeries_is_that_of_the_tests() -> None:
    assert build_rows() in TEXT


def test_every_event_is_specified() -> None:
    assert set(table_rows("3.")) == {*INPUT_TYPES, *OUTCOME_TYPES}


@pytest.mark.parametrize(("type_", "event"), [*INPUT_TYPES.items(), *OUTCOME_TYPES.items()])
def test_every_field_is_specified(type_: str, event: type[Struct]) -> None:
    row = next(line for line in TEXT.splitlines() if line.startswith(f"| `{type_}` |"))

    assert all(f"`{name}`" in row for name in event.__struct_fields__)


def test_every_event_of_a_tournament_is_specified() -> None:
    rows = table_rows("14.")

    assert {*tournament.INPUT_TYPES, *tournament.OUTCOME_TYPES} <= set(rows)


@pytest.mark.parametrize(("type_", "event"), [*tournament.INPUT_TYPES.items(), *tournament.OUTCOME_TYPES.items()])
def test_every_field_of_a_tournament_is_specified(type_: str, event: type[Struct]) -> None:
    section = TEXT.partition("\n## 14.")[2]
    row = next(line for line in section.splitlines() if line.startswith(f"| `{type_}` |"))

    assert all(f"`{name}`" in row for name in event.__struct_fields__)


def test_every_check_of_a_tournament_is_specified() -> None:
    section = TEXT.partition("\n## 14.")[2]

    assert [check.name for check in TOURNAMENT_CHECKS if f"`{check.name}`" not in section] == []


def test_every_act_and_check_of_an_operators_record_is_specified() -> None:
    section = TEXT.partition("\n## 15.")[2]

    assert [tag for tag in ("record_opened", *ACT_TYPES) if f"`{tag}`" not in section] == []
    assert [check.name for check in RECORD_CHECKS if f"`{check.name}`" not in section] == []
    assert derive_record("games.example.org/log/2026") in section


@pytest.mark.parametrize(("type_", "act"), ACT_TYPES.items())
def test_every_field_of_an_act_is_specified(type_: str, act: type[Struct]) -> None:
    row = next(line for line in TEXT.partition("\n## 15.")[2].splitlines() if f"`{type_}`" in line)

    assert all(f"`{name}`" in row for name in act.__struct_fields__)


def test_the_game_of_a_table_has_the_id_of_the_example() -> None:
    assert derive_game(TournamentId(GAME), round_=2, table=3, attempt=1) in TEXT


def test_every_member_of_a_bundle_is_specified() -> None:
    members = [LOG, COMPONENTS, LAST_PROOF, FIRST_SEAT_PROOF, POLICY, HOWTO]

    assert sorted(members, key=TEXT.index) == members


def test_the_worked_examples_are_those_of_the_code() -> None:
    chance = open_chance(GAME, derive_anchors(SECRET, 1), SECRET)
    first_pool = chance.pool
    for seat, byte in enumerate(("11", "22")):
        chance = contribute(chance, seat=Seat(seat), nonce=byte * 32)
    rolled = draw_dice(chance, name="emperor", dice=10, sides=6)
    shuffled = DeckShuffled(label="deck:1", deck="deck", size=10)
    shown = after_shuffle(chance, shuffled)
    action = encode({"cards": [0, 4], "kind": "move", "symbol": "red-5"})
    seal = seal_action(game=GAME, seat=Seat(2), decision=DecisionId("t1/move/2"), salt="33" * 32, action=action)

    for value in (commit(GAME, SECRET), chance.anchors[0], rolled.link, first_pool.hex(), shown.pool.hex(), seal):
        assert value in TEXT
    assert " ".join(str(face) for face in rolled.faces) in TEXT
    assert " ".join(str(place) for place in deck_order(shown, shuffled)) in TEXT
