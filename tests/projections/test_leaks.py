"""No hidden value is in the rows of readers: under any secret and any seals they are the same."""

import re
from typing import Any

import pytest

from domain.canonical import encode
from domain.log.record import parse_line
from projections.released import PROJECTIONS
from tests.domain.game.game_harness import SALT, Table
from tests.projections.games import GOLDEN, fold_whole, golden_games, random_games

# Commitments, anchors, links, seals, salts, the secret: every value that is drawn from a hidden one, or hides it.
DRAWN = re.compile(rb'"[0-9a-f]{64}"')
HIDDEN = b'"' + b"0" * 64 + b'"'
CARD, NAMED = re.compile(rb'"card":"([^"]+)"'), re.compile("“([^”]+)”".encode())
BID = {"card": 0, "drop": 1, "kind": "bid"}


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_rows_hold_nothing_that_depends_on_a_secret_or_a_seal(projection: Any) -> None:
    for raws in (*golden_games(), *random_games()):
        others = [DRAWN.sub(HIDDEN, raw) for raw in raws]

        assert others != list(raws)
        assert fold_whole(projection, others) == fold_whole(projection, raws)


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_what_an_action_says_beyond_its_outcomes_is_told_nowhere(projection: Any) -> None:
    acted = [raws for raws in (*golden_games(), *random_games()) if any(without_action(raw) != raw for raw in raws)]

    assert len(acted) > len(golden_games())
    for raws in acted:
        others = [without_action(raw) for raw in raws]

        assert fold_whole(projection, others) == fold_whole(projection, raws)


def without_action(raw: bytes) -> bytes:
    line = parse_line(raw)
    if "action" not in line.data:
        return raw
    fields: dict[str, Any] = {name: getattr(line, name) for name in line.__struct_fields__}
    return encode({**fields, "data": {**line.data, "action": None}})


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_what_is_sealed_shows_in_no_row_before_it_is_opened(projection: Any) -> None:
    rows = []
    for bid in (BID, {"card": 2, "drop": None, "kind": "bid"}):
        table = Table().start()
        table.entrust(0, bid)
        rows.append(fold_whole(projection, table.raws))

    assert rows[0] == rows[1]
    assert SALT.encode() not in b"".join(row.body for row in rows[0].values())


@pytest.mark.parametrize("number", range(3), ids=[path.stem for path in GOLDEN[:3]])
def test_a_card_of_charioteer_is_named_after_its_line_has_named_it(number: int) -> None:
    raws = golden_games()[number]
    for end in range(1, len(raws), max(1, len(raws) // 40)):
        shown = set(CARD.findall(b"".join(raws[:end])))

        told = b"".join(row.body for projection in PROJECTIONS for row in fold_whole(projection, raws[:end]).values())

        assert set(NAMED.findall(told)) <= shown
