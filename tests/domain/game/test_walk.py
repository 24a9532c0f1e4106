"""A whole game, from opening to disclosure, and the log that is left of it."""

import pytest

from domain.game.kind import GAMES
from domain.log.replay import replay
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.decision import Decision
from tests.domain.game.game_harness import CATALOGUE, SECRET, Table
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Bid, Board, Shield, Strike, Torches


def test_a_game_runs_from_its_opening_to_the_disclosed_secret() -> None:
    table = Table().start().finish()

    assert table.types[0] == "game_opened"
    assert table.types[-2:] == ["game_finished", "secret_disclosed"]


def test_a_game_starts_by_itself_with_the_last_seat_that_is_ready() -> None:
    table = Table()
    for seat in range(3):
        table.take(seat)
    table.ready(0)
    table.ready(2)

    decided = table.ready(1)

    types = [entry.line.type for entry in decided.entries]
    assert types[:3] == ["seat_readied", "game_started", "deck_shuffled"]


def test_the_folded_log_is_the_game_that_was_decided() -> None:
    table = Table().start().finish()

    assert replay(GAMES, table.raws, CATALOGUE, secret=SECRET) == table.game


def test_deciding_the_log_again_gives_the_same_bytes() -> None:
    table = Table().start().finish()

    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_what_is_sealed_is_revealed_when_the_last_seal_is_in() -> None:
    table = Table().start()
    table.entrust(0, Bid(card=0, drop=None))
    table.entrust(1, Bid(card=3, drop=5))

    decided = table.entrust(2, Bid(card=6, drop=None))

    types = [entry.line.type for entry in decided.entries]
    assert types[:5] == ["action_sealed", "bids_closed", "action_revealed", "action_revealed", "action_revealed"]
    assert types.count("bid_shown") == 3


def test_a_play_that_asks_goes_on_where_it_stopped() -> None:
    table = Table().start()
    for seat, card in enumerate((0, 3, 6)):
        table.entrust(seat, Bid(card=card, drop=None))
    left, right = table.owed()
    target = 0 if left.seat else 1

    struck = table.play(left.seat, left.id, Strike(target=target))
    (shield,) = table.owed()
    answered = table.play(shield.seat, shield.id, Shield(is_raised=True))

    assert [entry.line.type for entry in struck.entries] == [
        "action_played",
        "hand_emptied",
        "dice_rolled",
        "decision_asked",
    ]
    assert [entry.line.type for entry in answered.entries][:2] == ["action_played", "blow_struck"]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game
    assert right in table.owed() or table.owed()[0].id.count("shield")


class Stammering(Torches):
    """Torches gone wrong: it owes the same decision twice."""

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        return super().decisions(board) * 2


def test_rules_that_owe_two_decisions_of_one_id_are_noticed() -> None:
    with pytest.raises(AssertionError):
        Table(catalogue=Catalogue([Stammering()])).start()
