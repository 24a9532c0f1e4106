"""Every legal answer is offered, and every offer is legal."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.rejection import IllegalAction
from domain.rulesets.charioteer.actions import Action, FanToken, Move, PlayerToken, Reset, Stack, TokenHandle
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.choices import LegalActions
from domain.rulesets.charioteer.previews import MovePreview
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, RULES, board, check, decision_for, driver, fan, own

FACES = [face.text for face in BOX.faces]
TOKENS = [token.name for token in BOX.tokens]

boards = st.builds(
    lambda hand, crowd, tokens, damage, kept, skills: board(
        driver(ADA, *hand, fan=tuple(tokens), damage=damage, player_tokens=BOX.player_tokens[:kept], skills=skills),
        driver(BOB),
        crowd=crowd,
    ),
    # Few symbols make many sets, and the three whips come up.
    st.lists(st.sampled_from([*FACES[:40], "whip", "whip", *FACES[-16:]]), min_size=3, max_size=6),
    st.sampled_from([*FACES[:40], *FACES[-16:]]),
    st.lists(st.sampled_from(TOKENS), max_size=3),
    st.integers(0, 12),
    st.integers(0, 5),
    st.permutations([0, 4, 10, 11]).map(tuple),
)


def legal_actions(on: Board) -> LegalActions:
    return RULES.legal_actions(on, decision_for(on, ADA))


def offered(legal: LegalActions) -> Iterator[tuple[Move, int]]:
    """Every move that is offered, without a stack, and the distance shown with it."""
    for offer in legal.moves:
        fits: list[tuple[TokenHandle | None, int]] = [(None, offer.distance)]
        fits += [(fit.token, fit.distance) for fit in offer.tokens]
        for token, distance in fits:
            yield (
                Move(
                    cards=offer.cards, changed=None, crowd=offer.crowd, discard=None, symbol=offer.symbol, token=token
                ),
                distance,
            )
    for wild in legal.wild_moves:
        for changed in wild.changeable:
            cards = tuple(sorted((*wild.cards, changed)))
            yield (
                Move(
                    cards=cards, changed=changed, crowd=wild.crowd, discard=None, symbol=wild.symbol, token=wild.token
                ),
                wild.distance,
            )


def is_legal(on: Board, action: Action) -> bool:
    try:
        check(on, ADA, action)
    except IllegalAction:
        return False
    return True


def imaginable(on: Board) -> Iterator[Move]:
    """List every conceivable move: any cards, symbol, crowd, token and changed card."""
    hand = on.drivers[0].hand
    tokens: list[TokenHandle | None] = [None, *(FanToken(draw=draw) for draw in on.drivers[0].fan_tokens)]
    tokens += [PlayerToken(type=BOX.tokens[token].name) for token in on.drivers[0].player_tokens]
    for count in range(5):
        for cards in combinations(hand, count):
            for symbol in BOX.symbol_places:
                for crowd in (False, True):
                    for token in tokens:
                        for changed in (None, *hand):
                            yield Move(
                                cards=cards, changed=changed, crowd=crowd, discard=None, symbol=symbol, token=token
                            )


def looks(on: Board, action: Move) -> tuple[object, ...]:
    """Describe a move as the rules see it, so that cards and tokens that are the same count as one."""
    me = on.drivers[0]
    face = dict(zip(me.hand, me.hand_faces, strict=True))
    token = action.token
    kind = ("fan", me.fan_faces[me.fan_tokens.index(token.draw)]) if isinstance(token, FanToken) else token
    kept = sorted(face[card] for card in action.cards if card != action.changed)
    changed = None if action.changed is None else face[action.changed]
    return (tuple(kept), changed, action.symbol, action.crowd, str(kind))


@pytest.mark.rule("CH-97", "CH-13", "CH-76")
@settings(deadline=None, max_examples=40)
@given(boards)
def test_every_offered_move_is_accepted_and_as_long_as_shown(on: Board) -> None:
    for action, distance in offered(legal_actions(on)):
        preview = RULES.preview(on, decision_for(on, ADA), action)
        assert isinstance(preview, MovePreview)
        assert preview.distance == distance


@pytest.mark.rule("CH-97")
@settings(deadline=None, max_examples=12)
@given(boards)
def test_every_legal_move_is_offered_up_to_cards_that_look_the_same(on: Board) -> None:
    mine = replace(on.drivers[0], hand=on.drivers[0].hand[:5], hand_faces=on.drivers[0].hand_faces[:5])
    on = replace(on, drivers=(replace(mine, player_tokens=mine.player_tokens[:2]), on.drivers[1]))

    legal = {looks(on, action) for action in imaginable(on) if is_legal(on, action)}
    shown = [looks(on, action) for action, _ in offered(legal_actions(on))]

    assert set(shown) == legal
    assert len(shown) == len(set(shown))


@pytest.mark.rule("CH-97", "CH-15", "CH-45", "CH-79", "CO-18")
@settings(deadline=None, max_examples=25)
@given(boards, st.data())
def test_any_move_or_reset_goes_with_any_stack_of_the_other_cards(on: Board, data: st.DataObject) -> None:
    legal = legal_actions(on)
    hand = on.drivers[0].hand
    count = data.draw(st.integers(1, min(legal.reset.cards_max, len(hand))))
    cards = tuple(sorted(data.draw(st.permutations(legal.reset.cards))[:count]))
    check(on, ADA, Reset(cards=cards, discard=None))

    for offer in legal.stacks:
        others = [card for card in hand if card not in cards]
        stack = Stack(cards=tuple(others[: offer.cards_max]), token=offer.token)
        if others:
            check(on, ADA, Reset(cards=cards, discard=stack))


@pytest.mark.rule("CH-97")
def test_whips_are_offered_once_by_the_lowest_draw() -> None:
    on = board(driver(ADA, "whip", "red-3 red-3 green-2", "whip", "red-3 red-3 green-4", "whip"), driver(BOB))

    sets = [offer.cards for offer in legal_actions(on).moves]

    assert sets == [(1, 3), (0, 1, 3)]


@pytest.mark.rule("CH-97", "CH-17")
def test_tokens_of_one_type_are_offered_once_and_discard_tokens_apart() -> None:
    tokens = ("shield", "shield", "discard-2", "plus-3-red", "plus-3-green")
    hand = ("red-3 red-3 green-4", "red-3 red-3 green-6", "yellow-0 yellow-0 red-1")
    on = board(driver(ADA, *hand, fan=tokens), driver(BOB))

    legal = legal_actions(on)

    assert [(fit.token, fit.distance) for fit in legal.moves[0].tokens] == [
        (fan(0), 7),
        (fan(3), 10),
        (own("plus-5-red"), 12),
    ]
    assert [(stack.token, stack.cards_max) for stack in legal.stacks] == [(fan(2), 2), (own("discard-3"), 3)]


@pytest.mark.rule("CH-97")
def test_an_offer_says_whom_it_hurts_and_whether_the_fans_will_cheer() -> None:
    hand = ("red-3 red-3 green-4", "red-3 red-3 green-6", "red-3 red-3 yellow-0")
    on = board(driver(ADA, *hand), driver(BOB), crowd="red-3 red-3 black-0")

    marks = {(offer.cards, offer.crowd): (offer.attack, offer.earns_fan_token) for offer in legal_actions(on).moves}

    assert marks[(0, 1), False] == (0, False)
    assert marks[(0, 1), True] == (1, True)
    assert marks[(0, 1, 2), True] == (2, True)
