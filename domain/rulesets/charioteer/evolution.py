"""The board after each outcome, for outcomes of every kind. Refuses nothing and decides nothing.

Where a fold has no secret, a hidden draw is UNKNOWN; no public value may be read from it.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UnsetType
from msgspec.structs import replace

from domain.chance import Chance, DeckShuffled, DiceRolled, deck_order
from domain.ids import Seat
from domain.rulesets.charioteer import outcomes as told
from domain.rulesets.charioteer.board import UNKNOWN, Board, CrowdCard, Pile, Supply, driver_of, with_driver
from domain.rulesets.charioteer.cards import COLOURS
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.skills import starting_places
from domain.rulesets.charioteer.table import after_clearing, after_forfeit, after_move_revealed, after_reset_revealed

# The names of the two hidden shuffles.
DECK = "deck"
FAN_BAG = "fan-bag"


def evolve(
    components: Components, board: Board, outcome: told.Outcome | DiceRolled | DeckShuffled, chance: Chance | None
) -> Board:
    if isinstance(outcome, DiceRolled):
        # The outcome after a die has its effect.
        return board
    if isinstance(outcome, DeckShuffled):
        return _after_shuffle(board, outcome, chance)
    return EVOLUTIONS[type(outcome)](components, board, outcome)


def _after_shuffle(board: Board, shuffled: DeckShuffled, chance: Chance | None) -> Board:
    pile = board.discards if shuffled.deck == DECK else board.fan_discards
    supply = board.deck if shuffled.deck == DECK else board.bag
    if chance is None:
        order = (UNKNOWN,) * shuffled.size
    else:
        order = tuple(pile.faces[place] for place in deck_order(chance, shuffled))
    fresh = Supply(order, 0, supply.draws)
    if shuffled.deck == DECK:
        return replace(board, deck=fresh, discards=Pile())
    return replace(board, bag=fresh, fan_discards=Pile())


def _after_cards_drawn(_components: Components, board: Board, outcome: told.CardsDrawn) -> Board:
    driver = driver_of(board, outcome.seat)
    deck = board.deck
    taken = deck.taken + len(outcome.draws)
    drawn = replace(
        driver, hand=driver.hand + outcome.draws, hand_faces=driver.hand_faces + deck.order[deck.taken : taken]
    )
    return replace(with_driver(board, drawn), deck=Supply(deck.order, taken, outcome.draws[-1] + 1))


def _after_crowd_card_dealt(components: Components, board: Board, outcome: told.CrowdCardDealt) -> Board:
    dealt = CrowdCard(outcome.draw, components.face_places[outcome.card])
    deck = Supply(board.deck.order, board.deck.taken + 1, outcome.draw + 1)
    return replace(board, crowd=(*board.crowd, dealt), deck=deck)


def _after_skills_card_drawn(components: Components, board: Board, outcome: told.SkillsCardDrawn) -> Board:
    return _with(board, outcome.seat, skills=starting_places(components.skills_track, outcome.order))


def _after_first_player_chosen(_components: Components, board: Board, outcome: told.FirstPlayerChosen) -> Board:
    """CO-22: in Start the chariots stand in play order, the first player innermost."""
    place = board.row.index(outcome.seat)
    return replace(board, first_player=outcome.seat, row=board.row[place:] + board.row[:place])


def _after_damage_taken(_components: Components, board: Board, outcome: told.DamageTaken) -> Board:
    return _with(board, outcome.seat, attacked=driver_of(board, outcome.seat).attacked + outcome.cubes)


def _after_chariot_moved(_components: Components, board: Board, outcome: told.ChariotMoved) -> Board:
    moved = _with(board, outcome.seat, progress=outcome.progress)
    others = tuple(seat for seat in board.row if seat != outcome.seat)
    if outcome.inside_of is not None:
        place = others.index(outcome.inside_of)
        return replace(moved, row=(*others[:place], outcome.seat, *others[place:]))
    return replace(moved, row=(*others, outcome.seat)) if outcome.entered else moved


def _after_whip_used(_components: Components, board: Board, outcome: told.WhipUsed) -> Board:
    if not outcome.entered:
        return board
    moved = _with(board, outcome.seat, progress=outcome.progress)
    others = tuple(seat for seat in board.row if seat != outcome.seat)
    return replace(moved, row=(*others, outcome.seat))


def _after_skill_advanced(_components: Components, board: Board, outcome: told.SkillAdvanced) -> Board:
    driver = driver_of(board, outcome.seat)
    skills = list(driver.skills)
    skills[COLOURS.index(outcome.colour)] = outcome.place
    return with_driver(board, replace(driver, skills=tuple(skills)))


def _after_fan_token_earned(components: Components, board: Board, outcome: told.FanTokenEarned) -> Board:
    if outcome.fan_token is None:
        return board
    driver = driver_of(board, outcome.seat)
    drawn = board.bag.order[board.bag.taken]
    face = drawn if isinstance(outcome.token, UnsetType) else components.token_places[outcome.token]
    earned = replace(driver, fan_tokens=(*driver.fan_tokens, outcome.fan_token), fan_faces=(*driver.fan_faces, face))
    bag = Supply(board.bag.order, board.bag.taken + 1, outcome.fan_token + 1)
    return replace(with_driver(board, earned), bag=bag)


def _after_chariot_withdrawn(_components: Components, board: Board, outcome: told.ChariotWithdrawn) -> Board:
    """CH-96: gone from the track at once; the hand stays until the table is cleared."""
    resigned = 1 + max(driver.resigned for driver in board.drivers)
    driver = replace(
        driver_of(board, outcome.seat), resigned=resigned, damage=0, attacked=0, skills=(), player_tokens=()
    )
    row = tuple(seat for seat in board.row if seat != outcome.seat)
    return replace(with_driver(board, driver), row=row)


def _unchanged(_components: Components, board: Board, _outcome: told.Outcome) -> Board:
    """Return the board as it is: some outcomes only describe how another came about."""
    return board


def _with(board: Board, seat: Seat, **changes: object) -> Board:
    return with_driver(board, replace(driver_of(board, seat), **changes))


EVOLUTIONS: dict[type[told.Outcome], Callable[[Components, Board, Any], Board]] = {
    told.CardsDrawn: _after_cards_drawn,
    told.CrowdCardDealt: _after_crowd_card_dealt,
    told.CrowdCardsSlid: lambda _, board, __: replace(
        board, crowd=board.crowd[1:], discards=board.discards.with_shown((board.crowd[0].face,))
    ),
    told.SkillsCardDrawn: _after_skills_card_drawn,
    told.FirstPlayerChosen: _after_first_player_chosen,
    told.TurnBegan: lambda _, board, begun: replace(board, turn=begun.turn, emperor=begun.emperor, phase="choosing"),
    told.DamageTaken: _after_damage_taken,
    told.MovesClosed: lambda _, board, __: replace(board, phase="opening"),
    told.MoveRevealed: after_move_revealed,
    told.ResetRevealed: after_reset_revealed,
    told.MoveForfeited: after_forfeit,
    told.BoxesClosed: lambda _, board, closed: _with(board, closed.seat, attacked=0, is_closed=True),
    told.ChariotCalmed: lambda _, board, calmed: _with(board, calmed.seat, damage=0),
    told.DamageRecovered: lambda _, board, recovered: _with(board, recovered.seat, damage=recovered.left),
    told.DistanceReckoned: _unchanged,
    told.ChariotMoved: _after_chariot_moved,
    told.WhipUsed: _after_whip_used,
    told.LapCompleted: _unchanged,
    told.SkillAdvanced: _after_skill_advanced,
    told.FanTokenEarned: _after_fan_token_earned,
    told.LapCounterTurned: lambda _, board, turned: replace(board, lap=turned.lap),
    told.TableCleared: after_clearing,
    told.ChariotWithdrawn: _after_chariot_withdrawn,
    told.RaceEnded: lambda _, board, __: replace(board, phase="over"),
}
