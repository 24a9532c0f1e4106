"""Secrecy: public values are the same without the secret, and hidden places may hold anything."""

from random import Random

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.canonical import encode
from domain.ids import Seat
from domain.rejection import Rejection
from domain.rulesets.charioteer.actions import Action, Stack
from domain.rulesets.charioteer.board import UNKNOWN, Board, Driver, Pile, Supply
from domain.rulesets.charioteer.outcomes import (
    CardsDrawn,
    CrowdCardDealt,
    MoveForfeited,
    MoveRevealed,
    ResetRevealed,
)
from tests.domain.rulesets.charioteer.boards import BOX, RULES, decision_for, fan, move, own, reset
from tests.domain.rulesets.charioteer.games import (
    fold,
    random_action,
    random_game,
    seats_of,
    secret_of,
    seeded,
    whole_game,
)


@pytest.mark.rule("CH-92")
@pytest.mark.parametrize("seed", range(5))
def test_the_public_view_is_the_same_bytes_with_and_without_the_secret_at_every_version(seed: int) -> None:
    game = whole_game(seed)
    knowing = fold(seats_of(seed), game.written, secret=secret_of(seed))
    ignorant = fold(seats_of(seed), game.written, secret=None)

    versions = 0
    for (event, with_secret), (_, without) in zip(knowing, ignorant, strict=True):
        assert encode(RULES.view(with_secret, None)) == encode(RULES.view(without, None)), event
        assert RULES.ranking(with_secret) == RULES.ranking(without)
        versions += 1

    assert versions == len(game.written)
    assert with_secret == game.board
    assert UNKNOWN not in with_secret.drivers[0].hand_faces
    assert set(without.drivers[0].hand_faces) <= {UNKNOWN}


def hidden_places(on: Board, seat: Seat) -> tuple[list[int], list[int]]:
    """Collect the cards and the tokens that lie where this seat may not look."""
    cards, tokens = list(on.deck.order), list(on.bag.order)
    cards += [face for face, shown in zip(on.discards.faces, on.discards.shown, strict=True) if shown == UNKNOWN]
    tokens += [
        face for face, shown in zip(on.fan_discards.faces, on.fan_discards.shown, strict=True) if shown == UNKNOWN
    ]
    for rival in on.drivers:
        if rival.seat != seat:
            cards += [*rival.hand_faces, *rival.stack_faces]
            tokens += rival.fan_faces
    return cards, tokens


def permuted(on: Board, seat: Seat, random: Random) -> Board:
    """Shuffle those cards and tokens among those places."""
    cards, tokens = hidden_places(on, seat)
    random.shuffle(cards)
    random.shuffle(tokens)
    next_card, next_token = iter(cards).__next__, iter(tokens).__next__

    def pile(old: Pile, draw: object) -> Pile:
        faces = tuple(draw() if shown == UNKNOWN else face for face, shown in zip(old.faces, old.shown, strict=True))  # type: ignore[operator] # both are iterators
        return Pile(faces, old.shown)

    def rival(old: Driver) -> Driver:
        if old.seat == seat:
            return old
        return replace(
            old,
            hand_faces=tuple(next_card() for _ in old.hand_faces),
            stack_faces=tuple(next_card() for _ in old.stack_faces),
            fan_faces=tuple(next_token() for _ in old.fan_faces),
        )

    return replace(
        on,
        deck=Supply(tuple(next_card() for _ in on.deck.order), on.deck.taken, on.deck.draws),
        bag=Supply(tuple(next_token() for _ in on.bag.order), on.bag.taken, on.bag.draws),
        discards=pile(on.discards, next_card),
        fan_discards=pile(on.fan_discards, next_token),
        drivers=tuple(rival(old) for old in on.drivers),
    )


def answer_to(on: Board, seat: Seat, action: Action) -> bytes:
    """Return the answer that a seat gets when it tries this: the refusal, or the preview."""
    try:
        return encode(RULES.preview(on, decision_for(on, seat), action))
    except Rejection as refusal:
        return encode({"code": refusal.code, "expected": refusal.expected, "found": refusal.found})


def attempts(on: Board, seat: Seat, random: Random) -> list[Action]:
    """Legal and illegal actions, with the cards and tokens of others among them."""
    legal = RULES.legal_actions(on, decision_for(on, seat))
    rivals = [card for rival in on.drivers if rival.seat != seat for card in rival.hand]
    tokens = [token for rival in on.drivers if rival.seat != seat for token in rival.fan_tokens]
    tried: list[Action] = [random_action(legal, random) for _ in range(4)]
    tried += [reset(card) for card in rivals[:4]]
    tried += [move("red-5", *sorted(rivals[:2])), move("red-5", legal.reset.cards[0], token=own("plus-5-red"))]
    tried += [move("red-5", *legal.reset.cards[:2], token=fan(token)) for token in tokens[:2]]
    tried += [reset(legal.reset.cards[0], discard=Stack(cards=tuple(rivals[:1]), token=own("discard-3")))]
    return tried


@pytest.mark.rule("CH-92", "CH-93")
@pytest.mark.parametrize("seed", range(6))
def test_a_seats_view_and_its_errors_do_not_depend_on_what_it_may_not_see(seed: int) -> None:
    random = seeded(seed)
    compared = 0
    for step, game in enumerate(random_game(seed, is_wild=True)):
        if step % 7 or game.board.phase != "choosing":
            continue
        for decision in RULES.decisions(game.board):
            other = permuted(game.board, decision.seat, random)
            assert encode(RULES.view(game.board, decision.seat)) == encode(RULES.view(other, decision.seat))
            for action in attempts(game.board, decision.seat, random):
                assert answer_to(game.board, decision.seat, action) == answer_to(other, decision.seat, action)
                compared += 1

    assert compared > 20


@pytest.mark.rule("CH-92", "CH-93", "XG-10")
def test_the_log_names_no_card_before_it_is_turned_up_and_no_face_down_card_ever() -> None:
    assert sum(count_face_down(whole_game(seed).written) for seed in range(10)) > 100


def count_face_down(written: list[Struct]) -> int:
    """Follow the cards of a log, and count those that went face down."""
    drawn: set[int] = set()
    face_down: set[int] = set()
    for event in written:
        if isinstance(event, CardsDrawn):
            drawn |= set(event.draws)
        named = named_draws(event)
        assert named <= drawn
        assert not named & face_down
        drawn -= named
        if isinstance(event, MoveRevealed | ResetRevealed | MoveForfeited):
            face_down |= set(event.discarded)
            drawn -= set(event.discarded)
        if not isinstance(event, MoveRevealed | ResetRevealed | CrowdCardDealt):
            assert not words_of(event) & FACES, event
    return len(face_down)


FACES = {face.text for face in BOX.faces} - {"whip"}


def named_draws(event: Struct) -> set[int]:
    """List the cards of hands that an event names the faces of."""
    return {shown.draw for shown in event.cards} if isinstance(event, MoveRevealed | ResetRevealed) else set()


def words_of(value: object) -> set[str]:
    """Collect every text in a value, at any depth."""
    found = msgspec.to_builtins(value)
    if isinstance(found, str):
        return {found}
    if isinstance(found, dict):
        return {word for inner in found.values() for word in words_of(inner)}
    if isinstance(found, list | tuple):
        return {word for inner in found for word in words_of(inner)}
    return set()
