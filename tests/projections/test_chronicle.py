"""The chronicle: a sentence for every line, a chapter for every turn, and no more in it than in the line."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.log.record import parse_line
from projections.chronicle import CHRONICLE, Sentence, place_of
from tests.domain.game.table import ADA, GAME, Table
from tests.projections.games import GOLDEN, fold_whole, golden_games


def sentences_of(raws: Sequence[bytes]) -> list[Sentence]:
    rows = fold_whole(CHRONICLE, raws)
    game = parse_line(raws[0]).stream
    return [
        msgspec.json.decode(rows[game, place_of(version)].body, type=Sentence) for version in range(1, len(raws) + 1)
    ]


@pytest.mark.parametrize("number", range(len(GOLDEN)), ids=[path.stem for path in GOLDEN])
def test_every_line_has_a_sentence_and_every_turn_a_chapter(number: int) -> None:
    raws = golden_games()[number]

    told = sentences_of(raws)

    turns = [each for each in told if each.weight == "turn"]
    assert [each.version for each in told] == list(range(1, len(raws) + 1))
    assert all(each.text.endswith((".", "!")) for each in told)
    assert [each.chapter for each in told] == sorted(each.chapter for each in told)
    assert [each.chapter for each in turns] == list(range(2, len(turns) + 2))
    assert told[0].title == "Before the start"
    assert turns[2].title in ("Turn 3", "Round 3")


def test_a_game_of_any_ruleset_has_a_start() -> None:
    told = sentences_of(Table().start().finish().raws)

    assert list(dict.fromkeys(each.title for each in told)) == ["Before the start", "The start"]
    assert told[-1].text.startswith("The server discloses its secret")


def test_a_player_is_an_id_beside_the_sentence() -> None:
    table = Table()
    table.take(0)

    told = sentences_of(table.raws)[-1]

    assert (told.text, told.player) == ("Seat 0 is taken.", ADA)


def test_places_are_in_the_order_of_versions() -> None:
    versions = [1, 2, 255, 256, 65_536, 2**31]

    assert sorted(versions, key=place_of) == versions
    assert (GAME, place_of(1)) in fold_whole(CHRONICLE, Table().raws)
