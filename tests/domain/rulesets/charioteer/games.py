"""Whole games of random legal play, from a seed, for tests that look at every step of one."""

from collections.abc import Iterator
from random import Random

from msgspec import UNSET, Struct

from domain.chance import (
    Chance,
    DeckShuffled,
    DiceRolled,
    Secret,
    after_dice,
    after_shuffle,
    derive_anchors,
    open_chance,
)
from domain.ids import Seat
from domain.ruleset.playout import PLAYOUT_GAME, Playout
from domain.rulesets.charioteer.actions import Action, Move, Reset, Stack, TokenHandle
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.choices import LegalActions
from domain.rulesets.charioteer.options import DISRUPT_READINGS, Options
from tests.domain.rulesets.charioteer.boards import RULES, SECRET

# Of ten choices one is a reset, one is withheld now and then, and a seat resigns once in a few games.
MOVES_OF_TEN = 9


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - repeatable play, no secret


def seats_of(seed: int) -> tuple[Seat, ...]:
    """Seats 2 to 6, not always from 0 and not always next to each other."""
    return tuple(Seat(seat * (1 + seed % 2)) for seat in range(2 + seed % 5))


def options_of(seed: int) -> Options:
    """Count through the readings; with the player counts, all of them meet within 60 games."""
    return Options(
        several_whips="once" if seed & 1 else "each",
        first_turn="inside" if seed & 2 else "outside",
        disrupt=DISRUPT_READINGS[seed % len(DISRUPT_READINGS)],
        # Any two neighbours of `seats_of` are rivals.
        teams=UNSET if seed % 7 else "ABBA",
        fan_tokens=UNSET if seed % 5 else "open",
    )


def secret_of(seed: int) -> Secret:
    return Secret(seed.to_bytes(32, "big"))


def random_game(seed: int, *, options: Options | None = None, is_wild: bool = False) -> Iterator[Playout]:
    """Play a game and stop after each answer; `is_wild` lets seats withhold and resign."""
    random = seeded(seed)
    game = Playout(RULES, seats=seats_of(seed), options=options or Options(), secret=secret_of(seed))
    yield game
    while game.owed():
        decision = game.owed()[0]
        if is_wild and random.random() < 0.01:
            game.withhold(decision)
        elif is_wild and random.random() < 0.002:
            game.resign(decision.seat)
        else:
            game.answer(decision, random_action(RULES.legal_actions(game.board, decision), random))
        yield game


def whole_game(seed: int, *, options: Options | None = None, is_wild: bool = True) -> Playout:
    game = None
    for game in random_game(seed, options=options, is_wild=is_wild):  # noqa: B007 - only the last one is used
        pass
    assert game is not None
    return game


def random_action(legal: LegalActions, random: Random) -> Action:
    if not legal.moves or random.randrange(10) >= MOVES_OF_TEN:
        count = random.randint(1, min(legal.reset.cards_max, len(legal.reset.cards)))
        cards = tuple(sorted(random.sample(legal.reset.cards, count)))
        return Reset(cards=cards, discard=random_stack(legal, cards, random))
    if legal.wild_moves and random.randrange(4) == 0:
        wild = random.choice(legal.wild_moves)
        changed = random.choice(wild.changeable)
        cards = tuple(sorted((*wild.cards, changed)))
        stack = random_stack(legal, cards, random)
        return Move(cards=cards, changed=changed, crowd=wild.crowd, discard=stack, symbol=wild.symbol, token=wild.token)
    offer = random.choice(legal.moves)
    token: TokenHandle | None = None
    if offer.tokens and random.randrange(4) == 0:
        token = random.choice(offer.tokens).token
    stack = random_stack(legal, offer.cards, random)
    return Move(cards=offer.cards, changed=None, crowd=offer.crowd, discard=stack, symbol=offer.symbol, token=token)


def random_stack(legal: LegalActions, used: tuple[int, ...], random: Random) -> Stack | None:
    if not legal.stacks or random.randrange(4):
        return None
    offer = random.choice(legal.stacks)
    others = [card for card in legal.reset.cards if card not in used]
    count = random.randint(1, min(offer.cards_max, len(others)))
    return Stack(cards=tuple(sorted(random.sample(others, count))), token=offer.token)


def fold(
    seats: tuple[Seat, ...], written: list[Struct], *, secret: Secret | None, options: Options | None = None
) -> Iterator[tuple[Struct, Board]]:
    """Fold the events of a game, with the secret or without, and yield each with the board after it."""
    board = RULES.initial_board(seats, options or Options())
    chance: Chance = open_chance(PLAYOUT_GAME, derive_anchors(secret or SECRET, RULES.link_chains), secret)
    for event in written:
        if isinstance(event, DiceRolled):
            chance = after_dice(chance, event)
        elif isinstance(event, DeckShuffled):
            chance = after_shuffle(chance, event)
        board = RULES.evolve(board, event, chance if secret is not None else None)  # type: ignore[arg-type] # of this game
        yield event, board
