"""Which moves and resets are legal, and why the others are refused."""

import pytest
from msgspec.structs import replace

from domain.ids import DecisionId
from domain.rejection import IllegalAction
from domain.ruleset.chapter import NotDueNow
from domain.ruleset.decision import Decision
from domain.rulesets.charioteer.actions import Action, Stack
from domain.rulesets.charioteer.board import Board, CrowdCard
from domain.rulesets.charioteer.outcomes import DistanceReckoned, MoveRevealed
from domain.rulesets.charioteer.rejections import (
    CardDoesNotMatch,
    CardNotInHand,
    CardsNotAscending,
    CardUsedTwice,
    ChangedCardNotInMove,
    ChangeWithoutWild,
    CrowdCardDoesNotMatch,
    TokenNotHeld,
    TokenOfAnotherColour,
    TokenOfAnotherUse,
    TooFewMatchingCards,
    UnknownSymbol,
    WildWithoutCard,
    WrongNumberOfCards,
    WrongStack,
)
from tests.domain.rulesets.charioteer.boards import (
    ADA,
    BOB,
    BOX,
    RULES,
    Turn,
    board,
    check,
    decision_for,
    driver,
    fan,
    move,
    own,
    reset,
)

# 0, 1, 2 show red-3 (2 with black-1), 3 and 4 do not, 5 is a whip, 6 shows red-1 with a shield, 7 shows red-3 again.
HAND = (
    "red-3 red-3 green-2",
    "green-4 green-4 red-3",
    "red-3 red-3 black-1",
    "black-1 black-1 green-6",
    "yellow-2 yellow-2 shield",
    "whip",
    "red-1 red-1 shield",
    "yellow-4 yellow-4 red-3",
)
FAN = ("wild-red", "shield", "discard-2", "plus-3-black", "wild-green")
WILD, SHIELD, DISCARD, BLACK, WILD_GREEN = fan(0), fan(1), fan(2), fan(3), fan(4)


def table(crowd: str = "whip") -> Board:
    return board(driver(ADA, *HAND, fan=FAN), driver(BOB), crowd=crowd)


LEGAL: dict[str, Action] = {
    "two matching cards": move("red-3", 0, 1),
    "three matching cards": move("red-3", 0, 1, 2),
    "two matching cards and a whip": move("red-3", 0, 1, 5),
    "a token of the colour": move("red-3", 0, 1, token=own("plus-5-red")),
    "a colourless token": move("red-3", 0, 1, token=SHIELD),
    "the other symbol of a card": move("black-1", 2, 3, token=BLACK),
    "a wild on a card that does not match": move("red-3", 0, 1, 4, changed=4, token=WILD),
    "a wild on a card that matches": move("red-3", 0, 1, changed=1, token=WILD),
    "a wild on a whip": move("red-3", 0, 5, changed=5, token=WILD),
    "one match and one card changed": move("red-3", 0, 4, changed=4, token=WILD),
    "a stack": move("red-3", 0, 1, discard=Stack(cards=(3, 4), token=DISCARD)),
    "a stack and another token": move(
        "red-3", 0, 1, token=SHIELD, discard=Stack(cards=(3, 4, 5), token=own("discard-3"))
    ),
    "a stack of one": move("red-3", 0, 1, discard=Stack(cards=(5,), token=DISCARD)),
    "a reset of cards that do not match": reset(0, 3, 4),
    "a reset of one card": reset(5),
    "a reset with a stack": reset(0, discard=Stack(cards=(1, 2), token=DISCARD)),
}


@pytest.mark.rule("CH-11", "CH-13", "CH-14", "CH-15", "CH-16", "CH-45", "CH-76", "CO-4", "CO-16", "CO-17", "CO-18")
@pytest.mark.parametrize("name", LEGAL)
def test_what_the_rules_allow_is_accepted(name: str) -> None:
    check(table(), ADA, LEGAL[name])


ILLEGAL: dict[str, tuple[type[IllegalAction], Action, str]] = {
    "no card": (WrongNumberOfCards, move("red-3"), "found 0"),
    "four cards": (WrongNumberOfCards, move("red-3", 0, 1, 2, 7), "found 4"),
    "a reset of four": (WrongNumberOfCards, reset(0, 1, 2, 3), "found 4"),
    "a reset of none": (WrongNumberOfCards, reset(), "found 0"),
    "a card of somebody else": (CardNotInHand, move("red-3", 0, 10), "found 10"),
    "a reset with a card of somebody else": (CardNotInHand, reset(11), "found 11"),
    "cards in another order": (CardsNotAscending, move("red-3", 1, 0), "found 1, 0"),
    "a card twice": (CardsNotAscending, move("red-3", 0, 0), "found 0, 0"),
    "no such symbol": (UnknownSymbol, move("red-4", 0, 1), "found red-4"),
    "a card without the symbol": (CardDoesNotMatch, move("red-3", 0, 1, 3), "card 3: black-1 black-1 green-6"),
    "the same colour, another number": (CardDoesNotMatch, move("red-3", 0, 6), "card 6: red-1"),
    "one matching card": (TooFewMatchingCards, move("red-3", 0), "found 1"),
    "one matching card and a whip": (TooFewMatchingCards, move("red-3", 0, 5), "found 1"),
    "one card changed alone": (TooFewMatchingCards, move("red-3", 4, changed=4, token=WILD), "found 1"),
    "a crowd card without the symbol": (CrowdCardDoesNotMatch, move("red-3", 0, 1, crowd=True), "found whip"),
    "a token of another colour": (TokenOfAnotherColour, move("red-3", 0, 1, token=BLACK), "plus-3-black"),
    "a player token of another colour": (
        TokenOfAnotherColour,
        move("red-3", 0, 1, token=own("plus-5-green")),
        "plus-5",
    ),
    "a wild of another colour": (TokenOfAnotherColour, move("red-3", 0, 4, changed=4, token=WILD_GREEN), "wild-green"),
    "a discard token on the move": (TokenOfAnotherUse, move("red-3", 0, 1, token=DISCARD), "discard-2"),
    "a fan token that is not there": (TokenNotHeld, move("red-3", 0, 1, token=fan(77)), "fan token 77"),
    "a token of somebody else": (TokenNotHeld, move("red-3", 0, 1, token=fan(100)), "fan token 100"),
    "no such player token": (TokenNotHeld, move("red-3", 0, 1, token=own("plus-9")), "plus-9"),
    "a fan token as player token": (TokenNotHeld, move("red-3", 0, 1, token=own("shield")), "shield"),
    "a wild without a card": (WildWithoutCard, move("red-3", 0, 1, token=WILD), "none named"),
    "a change without a wild": (ChangeWithoutWild, move("red-3", 0, 4, changed=4), "card 4"),
    "a change by another token": (ChangeWithoutWild, move("red-3", 0, 4, changed=4, token=SHIELD), "card 4"),
    "a change of a card not played": (ChangedCardNotInMove, move("red-3", 0, 1, changed=4, token=WILD), "found 4"),
    "an empty stack": (WrongStack, move("red-3", 0, 1, discard=Stack(cards=(), token=DISCARD)), "found 0"),
    "a stack too high": (WrongStack, move("red-3", 0, 1, discard=Stack(cards=(3, 4, 5), token=DISCARD)), "found 3"),
    "a stack under another token": (TokenOfAnotherUse, reset(0, discard=Stack(cards=(1,), token=SHIELD)), "shield"),
    "a stack under no token held": (TokenNotHeld, reset(0, discard=Stack(cards=(1,), token=fan(9))), "fan token 9"),
    "a card played and discarded": (
        CardUsedTwice,
        move("red-3", 0, 1, discard=Stack(cards=(1,), token=DISCARD)),
        "card 1",
    ),
    "a stack out of order": (CardsNotAscending, reset(0, discard=Stack(cards=(2, 1), token=DISCARD)), "2, 1"),
    "a stack of another hand": (CardNotInHand, reset(0, discard=Stack(cards=(10,), token=DISCARD)), "found 10"),
}


@pytest.mark.rule("CH-11", "CH-13", "CH-14", "CH-15", "CH-16", "CH-76", "CH-79")
@pytest.mark.parametrize("name", ILLEGAL)
def test_what_the_rules_forbid_is_refused_with_the_reason_and_changes_nothing(name: str) -> None:
    refusal, action, found = ILLEGAL[name]
    on = table()
    before = RULES.view(on, ADA)

    with pytest.raises(refusal, match=found) as refused:
        check(on, ADA, action)

    assert type(refused.value) is refusal
    assert RULES.view(on, ADA) == before


def test_every_refusal_has_a_code_of_its_own() -> None:
    codes = [refusal.code for refusal in {kind for kind, _, _ in ILLEGAL.values()}]

    assert len(codes) == len(set(codes)) == 15


@pytest.mark.rule("CH-12", "CH-13", "CO-15")
def test_anyone_may_use_the_crowd_card_and_it_is_not_consumed() -> None:
    on = board(driver(ADA, "red-3 red-3 green-2"), driver(BOB, "red-3 red-3 green-4"), crowd="red-3 red-3 recovery")

    turn = Turn(on, {ADA: move("red-3", 0, crowd=True), BOB: move("red-3", 10, crowd=True)})

    assert [event.symbols for event in turn.tell(DistanceReckoned)] == [4, 4]
    assert [event.crowd_card for event in turn.tell(MoveRevealed)] == ["red-3 red-3 recovery"] * 2


@pytest.mark.rule("CH-13")
@pytest.mark.parametrize(
    ("action", "is_legal"),
    [
        (move("red-3", 0, crowd=True), True),
        (move("red-3", 0, 5, crowd=True), True),
        (move("red-3", 5, crowd=True), False),
        (move("red-3", 4, changed=4, token=WILD, crowd=True), True),
        (move("red-3", 0, 1, 2, crowd=True), True),
        (move("red-3", 0, 1, 2, 7, crowd=True), False),
    ],
)
def test_two_cards_must_match_counting_a_changed_card_and_the_crowd_card_but_no_whip(
    action: Action, *, is_legal: bool
) -> None:
    on = table(crowd="red-3 red-3 black-2")

    if is_legal:
        check(on, ADA, action)
    else:
        with pytest.raises(IllegalAction):
            check(on, ADA, action)


@pytest.mark.rule("CO-14")
def test_a_whip_in_the_crowd_serves_nobody() -> None:
    on = table(crowd="whip")

    with pytest.raises(CrowdCardDoesNotMatch):
        check(on, ADA, move("red-3", 0, 1, crowd=True))


@pytest.mark.rule("CH-04", "CH-12")
def test_the_crowd_cards_of_the_next_turns_are_seen_but_not_usable() -> None:
    on = table()
    next_turn = CrowdCard(901, BOX.face_places["red-3 red-3 black-2"])
    on = replace(on, crowd=(on.crowd[0], next_turn, on.crowd[2]))

    assert RULES.view(on, None).crowd[1].card == "red-3 red-3 black-2"
    with pytest.raises(CrowdCardDoesNotMatch):
        check(on, ADA, move("red-3", 0, crowd=True))


@pytest.mark.rule("CH-47", "XG-04")
def test_a_hand_without_a_pair_can_only_reset() -> None:
    lonely = ("green-2 green-2 recovery", "red-1 red-1 shield", "yellow-0 yellow-0 learning", "whip")
    on = board(driver(ADA, *lonely, player_tokens=()), driver(BOB))

    legal = RULES.legal_actions(on, decision_for(on, ADA))

    # The choices of a hand are hidden, so the choice is asked for even where there is only one.
    assert [decision.seat for decision in RULES.decisions(on)] == [ADA, BOB]
    assert (legal.moves, legal.wild_moves) == ((), ())
    assert (legal.reset.cards, legal.reset.cards_max) == ((0, 1, 2, 3), 3)


def test_an_answer_to_what_is_not_owed_is_refused() -> None:
    with pytest.raises(NotDueNow, match="t2/move/0, t2/move/1, found t1/move/0"):
        RULES.check(table(), Decision(id=DecisionId("t1/move/0"), seat=ADA, kind="sealed"), move("red-3", 0, 1))
