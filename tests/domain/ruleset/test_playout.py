"""A playout keeps the promises of a game to its rules, without a game."""

import random
from typing import Any

import msgspec
import pytest

from domain.game.events import ActionDefaulted, ActionForfeited, DecisionAsked, GameFinished, GameStarted
from domain.game.state import Sealed
from domain.ids import Seat
from domain.log.events import SecretDisclosed
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.ruleset.playout import Playout
from tests.domain.game.fake_ruleset_mug import Go, Mug, Parry, TokensLost, Value
from tests.domain.game.fake_ruleset_mug import Options as MugOptions
from tests.domain.game.game_harness import SECRET, Table, mug_terms
from tests.domain.game.random_play import Chaos
from tests.domain.rulesets.fake_ruleset_torches import BidForfeited, Options, Strike, Torches

THREE = (Seat(0), Seat(1), Seat(2))


def played_out(**options: Any) -> Playout:
    return Playout(Torches(), seats=THREE, options=Options(**options), secret=SECRET)


def mug_of_two(*values: int, **options: Any) -> Playout:
    """Return a playout of Mug in which seats 0 and 1 sealed these values, two each."""
    playout = Playout(Mug(), seats=THREE[:2], options=MugOptions(**options), secret=SECRET)
    for decision, value in zip(playout.owed(), values, strict=True):
        playout.answer(decision, Value(value=value))
    return playout


def test_a_playout_writes_what_a_game_without_links_writes() -> None:
    playout = played_out()
    table = Table(links=0).start()

    while playout.owed():
        decision = playout.owed()[0]
        action = table.game.ruleset.default_action(playout.board, decision)
        if isinstance(action, Strike):
            alive = [place.seat for place in playout.board.places if place.lives and place.seat != decision.seat]
            action = Strike(target=alive[0])
        playout.answer(decision, action)
        (table.entrust if decision.kind == "sealed" else play_in(table, decision.id))(decision.seat, action)

    outcomes = [entry.event for entry in table.entries if entry.line.kind == "outcome"]
    assert playout.written == [outcome for outcome in outcomes if not isinstance(outcome, GAME_EVENTS)]
    assert playout.board == table.game.board


GAME_EVENTS = (GameStarted, DecisionAsked, ActionDefaulted, ActionForfeited, GameFinished, SecretDisclosed)


class Pair:
    """The same random game at a table, without links, and alone."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 # repeatable play, not a secret
        seats = self.rng.choice((2, 3))
        terms: dict[str, Any] = {"options": {"rounds": 3, "lives": 9, "omens": 1}}
        if seed % 2:
            terms = mug_terms(rounds=3, opens_together=self.rng.random() < 0.4)
        self.table = Table(links=0, **{**terms, "seats": seats}).start()
        rules = self.table.game.ruleset
        options = msgspec.convert(terms["options"], rules.options_type)
        self.playout = Playout(rules, seats=THREE[:seats], options=options, secret=SECRET)
        self.chaos = Chaos(seed)
        self.chaos.table = self.table

    def play(self) -> None:
        while self.playout.owed():
            decision = self.rng.choice(self.playout.owed())
            if self.rng.random() < 0.03 and self.table.game.resolution is None:
                self.playout.resign(decision.seat)
                self.table.resign(decision.seat)
            else:
                self._answer(decision)

    def _answer(self, decision: Decision) -> None:
        action = self.chaos.choose(decision)
        if decision.kind == "plain":
            self.playout.answer(decision, action)
            self.table.play(decision.seat, decision.id, action)
        elif self.rng.random() < 0.15:
            self.playout.withhold(decision)
            self._seal_nonsense(decision)
        else:
            self.playout.answer(decision, action)
            self.table.entrust(decision.seat, action, decision=decision.id)
        self._show_nonsense()

    def _seal_nonsense(self, decision: Decision) -> None:
        self.table.seal(decision.seat, {}, decision=decision.id)

    def _show_nonsense(self) -> None:
        # A choice that a playout withholds is revealed as illegal at the table, as no clock can run out.
        while True:
            shown = [
                (decision, self.table.game.choices.get(decision.id))
                for decision in self.table.owed()
                if decision.kind == "opening"
            ]
            due = [each for each, choice in shown if isinstance(choice, Sealed) and choice.opening is None]
            if not due:
                return
            self.table.reveal(due[0].seat, {}, decision=due[0].id)


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_a_random_game_has_the_same_outcomes_played_out_and_at_a_table(first: int) -> None:
    for seed in range(first, first + 20):
        pair = Pair(seed)

        pair.play()

        outcomes = [entry.event for entry in pair.table.entries if entry.line.kind == "outcome"]
        assert pair.playout.written == [outcome for outcome in outcomes if not isinstance(outcome, GAME_EVENTS)], seed
        assert pair.playout.board == pair.table.game.board, seed


def test_the_random_games_have_defaults_of_seats_that_left_and_seats_retired_by_forfeits() -> None:
    tables = []
    for seed in range(80):
        pair = Pair(seed)
        pair.play()
        tables.append(pair.table)

    left = [set(table.game.departures) for table in tables]
    resigned = [{fields["seat"] for fields in table.data("seat_resigned")} for table in tables]
    assert sum(bool(gone - own) for gone, own in zip(left, resigned, strict=True)) >= 5
    assert sum(bool(table.data("action_defaulted")) for table in tables) >= 5


def play_in(table: Table, decision: str) -> Any:
    return lambda seat, action: table.play(seat, decision, action)


def test_an_illegal_answer_is_refused_and_changes_nothing() -> None:
    playout = played_out()
    before = playout.board

    with pytest.raises(IllegalAction):
        playout.answer(playout.owed()[0], Strike(target=1))

    assert playout.board is before
    assert len(playout.owed()) == 3


def test_what_is_withheld_is_a_forfeit() -> None:
    playout = played_out()
    first, *others = playout.owed()
    playout.withhold(first)
    for decision in others:
        playout.answer(decision, Torches().default_action(playout.board, decision))

    assert BidForfeited(seat=Seat(0)) in playout.written


def test_what_became_illegal_before_it_is_opened_is_a_forfeit() -> None:
    playout = mug_of_two(3, 3, 0, 0)

    while playout.owed():
        decision = playout.owed()[0]
        playout.answer(decision, Go(is_far=False) if decision.id.endswith("/go") else Parry(is_high=False))

    assert playout.written.count(TokensLost(seat=Seat(0))) == 1


def test_what_a_forfeit_withdraws_is_neither_forfeited_nor_played() -> None:
    playout = Playout(Mug(), seats=THREE[:2], options=MugOptions(opens_together=True), secret=SECRET)
    for decision in playout.owed():
        if decision.seat == 0:
            playout.withhold(decision)
        else:
            playout.answer(decision, Value(value=1))

    assert playout.written.count(TokensLost(seat=Seat(0))) == 1


def test_an_asked_decision_is_all_that_is_owed_until_it_is_answered() -> None:
    playout = mug_of_two(1, 1, 1, 1)
    go = playout.owed()[0]
    playout.answer(go, Go(is_far=True))

    (asked,) = playout.owed()
    written = len(playout.written)
    playout.answer(asked, Parry(is_high=True))

    assert asked.id.startswith(f"{go.id}/parry/")
    assert [type(event).__name__ for event in playout.written[written:]][:2] == ["DiceRolled", "SeatWent"]
    assert mug_terms()["seats"] == 2


def test_a_seat_resigns_between_plays() -> None:
    playout = played_out()

    playout.resign(Seat(0))
    playout.resign(Seat(1))

    assert playout.owed() == ()
    assert [placing.seat for placing in Torches().ranking(playout.board) if placing.place == 1] == [2]
