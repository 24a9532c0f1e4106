"""Random legal play with every reading: nothing is lost, and no chariot goes where it may not."""

from collections import Counter
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.canonical import encode
from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.rulesets.charioteer.actions import Action, FanToken, Move, Stack
from domain.rulesets.charioteer.board import Board, PlayedMove, PlayedReset, race_order
from domain.rulesets.charioteer.outcomes import (
    ChariotMoved,
    ChariotWithdrawn,
    FirstPlayerChosen,
    MoveRevealed,
    TurnBegan,
    WhipUsed,
)
from tests.domain.rulesets.charioteer.boards import BOX, LAP, RULES, START, check
from tests.domain.rulesets.charioteer.games import options_of, random_action, random_game, seats_of, seeded, whole_game

# Each test of a chunk plays its games by itself, so that they spread over processes.
CHUNKS = 10
CARDS = Counter(BOX.deck)
FAN_TOKENS = Counter(BOX.bag)


@pytest.mark.rule("XG-08", "CH-87", "CH-81", "CH-31", "CH-32", "CH-33", "CH-35", "CH-36", "CH-43", "CH-71", "CH-88")
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_game_ends_conserves_everything_and_lets_no_chariot_go_where_it_may_not(chunk: int, games: int) -> None:
    for seed in range(chunk, games, CHUNKS):
        turn, game = -1, None
        for game in random_game(seed, options=options_of(seed), is_wild=True):
            if game.board.turn != turn or game.board.phase == "over":
                turn = game.board.turn
                check_conserved(game.board)
                check_markers(game.board)
        assert game is not None
        assert game.board.phase == "over"
        places = [placing.place for placing in RULES.ranking(game.board)]
        assert len(places) == len(seats_of(seed))
        # Mates share a place.
        assert places == list(range(1, len(places) + 1)) or game.board.options.teams
        follow(seats_of(seed), game.written)


def check_conserved(on: Board) -> None:
    """Every card and every fan token is in exactly one place."""
    cards = Counter(on.deck.order[on.deck.taken :]) + Counter(on.discards.faces)
    cards.update(card.face for card in on.crowd)
    tokens = Counter(on.bag.order[on.bag.taken :]) + Counter(on.fan_discards.faces)
    for driver in on.drivers:
        cards.update((*driver.hand_faces, *driver.stack_faces))
        tokens.update((*driver.fan_faces, *driver.fan_spent))
        if isinstance(driver.played, PlayedMove | PlayedReset):
            cards.update(driver.played.faces)
    assert cards == CARDS
    assert tokens == FAN_TOKENS


def check_markers(on: Board) -> None:
    """Every chariot has its markers, none two in one space of the bonus box; race order is total."""
    track = BOX.skills_track
    for driver in on.drivers:
        if driver.is_racing:
            in_box = [place for place in driver.skills if place >= track.box]
            assert len(driver.skills) == 4
            assert sorted(in_box) == list(range(track.box, track.box + len(in_box)))
            assert driver.attacked <= BOX.numbers.attack_boxes
    order = [driver.seat for driver in race_order(on)]
    assert sorted(order) == [driver.seat for driver in on.drivers if driver.is_racing]
    assert sorted(on.row) == sorted(order)


class Circus:
    """The track as a spectator would follow it, from spaces, occupants and outcomes alone."""

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self.spaces: dict[int, list[Seat]] = {START % LAP: list(seats)}
        self.progress = dict.fromkeys(seats, START)
        self.symbols: dict[Seat, str] = {}
        self.turn = 0

    def step_into(self, seat: Seat, space: int) -> None:
        here = self.progress[seat] % LAP
        assert self.spaces[here][0] == seat, f"{seat} leaves space {here} behind {self.spaces[here]}"
        self.progress[seat] += self.distance_to(seat, space)
        self.spaces[here].remove(seat)
        self.spaces.setdefault(space, []).append(seat)

    def distance_to(self, seat: Seat, space: int) -> int:
        """Count the spaces ahead: one, or two over an outer space that may be skipped."""
        ahead = (space - self.progress[seat]) % LAP
        is_beyond = self.progress[seat] + ahead >= 3 * LAP
        if self.symbols[seat].startswith("black") or is_beyond:
            assert BOX.track.spaces[space].kind == "regular", f"{seat} enters outer space {space}"
            skipped = [BOX.track.spaces[(space - back) % LAP].kind for back in range(1, ahead)]
            assert skipped in ([], ["outer"])
        else:
            assert ahead == 1
        return ahead

    def spaces_between(self, seat: Seat, space: int) -> set[int]:
        here = self.progress[seat]
        return {(here + ahead) % LAP for ahead in range(1, (space - here) % LAP)}

    def slip_inside(self, seat: Seat, rival: Seat) -> None:
        mates = self.spaces[self.progress[seat] % LAP]
        place = mates.index(seat)
        assert mates[place - 1] == rival, f"{seat} passes {rival} in {mates}"
        mates[place - 1], mates[place] = seat, rival


def follow(seats: tuple[Seat, ...], written: list[Struct]) -> None:
    circus = Circus(seats)
    for event in written:
        match event:
            case FirstPlayerChosen(seat=first):
                place = seats.index(first)
                circus.spaces[START % LAP] = [*seats[place:], *seats[:place]]
            case TurnBegan(turn=turn):
                circus.turn = turn
            case MoveRevealed(seat=seat, symbol=symbol):
                circus.symbols[seat] = symbol
            case ChariotMoved() if circus.turn == 1:
                follow_first_move(circus, event)
            case ChariotMoved():
                follow_move(circus, event)
            case WhipUsed():
                follow_whip(circus, event)
            case ChariotWithdrawn(seat=seat):
                circus.spaces[circus.progress[seat] % LAP].remove(seat)
            case _:
                pass


def follow_first_move(circus: Circus, moved: ChariotMoved) -> None:
    """On turn 1 passing is free, and a chariot that goes on has passed all in its space."""
    assert len(moved.entered) == moved.distance
    assert all(passed.price == 0 for passed in moved.passed)
    follow_steps(circus, moved)


def follow_move(circus: Circus, moved: ChariotMoved) -> None:
    assert len(moved.entered) + sum(passed.price for passed in moved.passed) == moved.distance
    follow_steps(circus, moved)


def follow_steps(circus: Circus, moved: ChariotMoved) -> None:
    """Pass in a space, then enter the next; who stood on a skipped space was passed without entering."""
    waiting = list(moved.passed)
    for space in (None, *moved.entered):
        if space is not None:
            while waiting and waiting[0].space in circus.spaces_between(moved.seat, space):
                aside = waiting.pop(0)
                assert (aside.price, BOX.track.spaces[aside.space].kind) == (0, "outer")
                assert aside.rival in circus.spaces[aside.space]
            circus.step_into(moved.seat, space)
        while waiting and waiting[0].space == circus.progress[moved.seat] % LAP:
            circus.slip_inside(moved.seat, waiting.pop(0).rival)
    assert waiting == []
    assert circus.progress[moved.seat] == moved.progress


def follow_whip(circus: Circus, used: WhipUsed) -> None:
    """No step of a whip may pass a chariot: each starts innermost, and no chariot stands on a skipped space."""
    assert len(used.entered) <= used.steps_max
    for space in used.entered:
        before = circus.progress[used.seat]
        circus.step_into(used.seat, space)
        for skipped in range(before + 1, circus.progress[used.seat]):
            assert not circus.spaces.get(skipped % LAP)
    assert circus.progress[used.seat] == used.progress


def mutations(on: Board, seat: Seat, action: Action, random: Random) -> list[Action]:
    """Spoil a legal action in one place at a time."""
    rivals = [card for rival in on.drivers if rival.seat != seat for card in rival.hand]
    spoiled: list[Action] = [
        replace(action, cards=()),
        replace(action, cards=action.cards[::-1] if len(action.cards) > 1 else (*action.cards, *action.cards)),
        replace(action, cards=tuple(sorted((*action.cards[1:], random.choice(rivals))))),
        replace(action, discard=Stack(cards=action.cards[:1], token=FanToken(draw=999))),
        replace(action, discard=Stack(cards=(), token=FanToken(draw=999))),
    ]
    if isinstance(action, Move):
        spoiled += [
            replace(action, symbol="green-9"),
            replace(action, token=FanToken(draw=999)),
            replace(action, changed=action.cards[0], token=None),
            replace(action, changed=999),
        ]
    return spoiled


@pytest.mark.parametrize("seed", range(15))
def test_a_spoiled_action_is_refused_with_a_reason_and_changes_nothing(seed: int) -> None:
    random = seeded(seed)
    refused = 0
    for step, game in enumerate(random_game(seed)):
        if step % 5 or not game.owed():
            continue
        decision = game.owed()[0]
        action = random_action(RULES.legal_actions(game.board, decision), random)
        check(game.board, decision.seat, action)
        before = game.board, encode(RULES.view(game.board, decision.seat)), len(game.written)
        for spoiled in mutations(game.board, decision.seat, action, random):
            with pytest.raises(IllegalAction) as reason:
                game.answer(decision, spoiled)
            assert reason.value.expected
            refused += 1
        assert before == (game.board, encode(RULES.view(game.board, decision.seat)), len(game.written))

    assert refused > 50


def test_the_same_seed_writes_the_same_bytes() -> None:
    first, again = whole_game(3), whole_game(3)

    assert [encode(event) for event in first.written] == [encode(event) for event in again.written]
