"""A play that stops in its middle for an answer, and runs again from its start when the answer is there."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.game.custody import hold
from domain.game.kind import GAMES
from domain.game.rejections import DecisionNotOwed
from domain.game.state import Game
from domain.ids import DecisionId, Seat
from domain.log.enact import Decided
from domain.log.replay import replay
from domain.rejection import IllegalAction
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.decision import Decision
from domain.ruleset.script import Script, ScriptDiverged
from tests.domain.game.fake_ruleset_mug import Go, Parry, Value
from tests.domain.game.game_harness import CATALOGUE, SECRET, Table, mug_terms, types_of, with_clock
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Bid, Board, Shield, Strike, Torches

BIDS = [Bid(card=0, drop=None), Bid(card=3, drop=None), Bid(card=6, drop=None)]


def struck(**terms: Any) -> tuple[Table, Decision, Decision]:
    """Return a game in which a blow waits for a shield: the table, the strike and the shield."""
    table = Table(**{"clock": with_clock(), **terms}).start()
    for seat, bid in enumerate(BIDS):
        table.entrust(seat, bid)
    left = table.owed()[0]
    table.play(left.seat, left.id, Strike(target=(left.seat + 1) % 3))
    (shield,) = table.owed()
    return table, left, shield


def settle(table: Table) -> None:
    """Answer shields by default until the play is over."""
    while table.owed() and "shield" in table.owed()[0].id:
        table.answer_by_default(table.owed()[0])


def play_fiercely(table: Table) -> None:
    """Strike the first other seat that lives with every hand, and never raise a shield."""
    while table.game.status == "running":
        owed = table.waiting()[0]
        if owed.kind == "plain" and "shield" not in owed.id:
            alive = [place.seat for place in table.game.board.places if place.lives and place.seat != owed.seat]
            table.play(owed.seat, owed.id, Strike(target=alive[0]))
        else:
            table.answer_by_default(owed)


def assert_replays(table: Table) -> None:
    assert hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), table.held) == table.game
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET).version == table.game.version


def test_the_asked_seat_answers_and_the_play_goes_on_where_it_stopped() -> None:
    table, _, shield = struck()
    before = table.types.count("dice_rolled")

    decided = table.play(shield.seat, shield.id, Shield(is_raised=True))

    assert types_of(decided)[:2] == ["action_played", "blow_struck"]
    assert table.data("blow_struck")[0] == {"seat": shield.seat, "is_shielded": True}
    assert table.data("dice_rolled")[before - 1]["label"] == "strike:1"
    assert_replays(table)


def test_the_asked_seat_lets_the_clock_run_out_and_its_default_answers() -> None:
    table, _, shield = struck()
    table.now += 180_001

    decided = table.expire(shield.seat, shield.id)

    assert types_of(decided)[:3] == ["clock_expired", "action_defaulted", "blow_struck"]
    assert table.data("action_defaulted")[0]["decision"] == shield.id
    assert table.data("blow_struck")[0]["is_shielded"] is False
    assert_replays(table)


@pytest.mark.parametrize("leave", [Table.resign, Table.remove])
def test_the_asked_seat_leaves_its_default_answers_and_it_falls_when_the_play_is_over(leave: Any) -> None:
    table, _, shield = struck()

    decided = leave(table, shield.seat)

    types = types_of(decided)
    assert types[1:3] == ["action_defaulted", "blow_struck"]
    assert types.index("seat_fell") > types.index("blow_struck")
    assert_replays(table)


def test_another_seat_leaves_while_the_play_waits_and_falls_when_it_is_over() -> None:
    table, left, shield = struck()
    third = 3 - left.seat - shield.seat

    decided = table.resign(third)

    assert types_of(decided) == ["seat_resigned"]
    assert table.owed() == [shield]
    table.play(shield.seat, shield.id, Shield(is_raised=False))
    settle(table)
    assert [fields["seat"] for fields in table.data("seat_fell")] == [third]
    assert_replays(table)


def test_the_seat_whose_play_it_is_leaves_while_it_waits() -> None:
    table, left, shield = struck()

    table.resign(left.seat)
    table.play(shield.seat, shield.id, Shield(is_raised=False))
    settle(table)

    assert left.seat in [fields["seat"] for fields in table.data("seat_fell")]
    assert_replays(table)


def test_a_seat_that_has_left_is_not_asked() -> None:
    table = Table(**{**mug_terms(), "seats": 3}).start()
    for seat in (0, 0, 1, 1, 2, 2):
        table.entrust(seat, Value(value=1))
    go = table.owed()[0]
    first = next(seat for seat in range(3) if seat != go.seat)
    table.resign(first)

    table.play(go.seat, go.id, Go(is_far=True))

    assert {"seat": first, "decision": f"{go.id}/parry/{first}"} not in table.data("decision_asked")
    assert table.data("action_defaulted")[0]["decision"] == f"{go.id}/parry/{first}"
    assert_replays(table)


def test_a_game_is_aborted_while_a_play_waits() -> None:
    table, _, _ = struck()

    decided = table.abort()

    assert types_of(decided) == ["game_aborted", "secret_disclosed"]
    assert table.game.status == "aborted"
    assert table.game.owed == ()
    assert_replays(table)


def test_while_a_play_waits_all_else_is_refused() -> None:
    table, left, shield = struck()
    right = DecisionId(left.id.replace("left", "right"))

    late: list[Callable[[], Decided[Game]]] = [
        lambda: table.play(left.seat, left.id, Strike(target=None)),
        lambda: table.play(left.seat, right, Strike(target=None)),
        lambda: table.play(left.seat, shield.id, Shield(is_raised=False)),
        lambda: table.seal(left.seat, BIDS[0], decision=DecisionId("r2/bid/0")),
        lambda: table.entrust(left.seat, BIDS[0], decision=DecisionId("r2/bid/0")),
        lambda: table.reveal(left.seat, BIDS[0], decision=DecisionId("r1/bid/0")),
    ]
    for ask in late:
        with pytest.raises(DecisionNotOwed):
            ask()
    with pytest.raises(IllegalAction):
        table.play(shield.seat, shield.id, Strike(target=None))
    assert table.owed() == [shield]


def test_clocks_are_extended_while_a_play_waits() -> None:
    table, _, shield = struck()

    decided = table.extend(shield.seat)

    assert types_of(decided) == ["clock_extended"]
    assert table.owed() == [shield]
    assert_replays(table)


def test_every_answer_of_a_long_cascade_writes_only_what_is_new() -> None:
    for seed in range(12):
        table = Table(secret=type(SECRET)(bytes([seed]) * 32)).start()
        play_fiercely(table)
        asked = [fields["decision"] for fields in table.data("decision_asked")]
        labels = [fields["label"] for fields in table.data("dice_rolled")]
        assert len(asked) == len(set(asked))
        assert len(labels) == len(set(labels))
        assert redecide(GAMES, table.raws, CATALOGUE, table.game.chance.secret or SECRET) == table.game


class Fickle(Torches):
    """Torches gone wrong: the events of a strike depend on how often it has run."""

    def __init__(self, change: str) -> None:
        super().__init__()
        self.change = change
        self.runs = 0

    def play(self, script: Script[Board, Any, Any], decision: Decision, action: Any) -> None:
        if not isinstance(action, Strike):
            super().play(script, decision, action)
            return
        self.runs += 1
        is_again = self.runs > 1
        match self.change:
            case "sides":
                script.roll("fickle", dice=1, sides=8 if is_again else 6)
            case "dice":
                script.roll("fickle", dice=2 if is_again else 1, sides=6)
            case "name":
                script.roll("again" if is_again else "fickle", dice=1, sides=6)
            case "shuffle" if is_again:
                script.shuffle("deck", size=1)
            case "size":
                script.shuffle("side", size=2 if is_again else 3)
            case "less" if is_again:
                return
            case _:
                pass
        super().play(script, decision, Strike(target=action.target))

    def evolve(self, board: Board, outcome: Any, chance: Any) -> Board:
        if getattr(outcome, "deck", "deck") == "side":
            return board
        return super().evolve(board, outcome, chance)


@pytest.mark.parametrize("change", ["sides", "dice", "name", "shuffle", "size", "less"])
def test_rules_that_write_something_else_when_they_run_again_are_noticed(change: str) -> None:
    rules = Fickle(change)
    table = Table(catalogue=Catalogue([rules])).start()
    for seat, bid in enumerate(BIDS):
        table.entrust(seat, bid)
    left = table.owed()[0]
    table.play(left.seat, left.id, Strike(target=(left.seat + 1) % 3))
    (shield,) = table.owed()
    before: Game = table.game

    with pytest.raises(ScriptDiverged):
        table.play(shield.seat, shield.id, Shield(is_raised=True))

    assert table.game is before


def test_two_seats_are_asked_one_after_the_other_and_one_of_them_leaves() -> None:
    for seed in range(6):
        table = Table(secret=type(SECRET)(bytes([seed]) * 32), **{**mug_terms(), "seats": 3}).start()
        for seat in (0, 0, 1, 1, 2, 2):
            table.entrust(seat, Value(value=1))
        go = table.owed()[0]
        table.play(go.seat, go.id, Go(is_far=True))
        first = table.owed()[0]
        last = max(seat for seat in range(3) if seat != go.seat)

        table.resign(last)
        table.play(first.seat, first.id, Parry(is_high=True))

        assert Seat(last) not in [decision.seat for decision in table.owed()]
        table.finish()
        assert table.types.count("seat_gone") == 1
        assert redecide(GAMES, table.raws, CATALOGUE, table.game.chance.secret or SECRET) == table.game
