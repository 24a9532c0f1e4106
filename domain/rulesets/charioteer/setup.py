"""CH-01 to CH-08: the board before the first turn, in an order that fixes every draw."""

from msgspec import UnsetType

from domain.ids import Seat
from domain.ruleset.teams import check_teams
from domain.rulesets.charioteer.attacks import disrupt
from domain.rulesets.charioteer.board import Board, Driver, Pile, Supply
from domain.rulesets.charioteer.component_file import SEAT_COUNTS
from domain.rulesets.charioteer.components import CROWD_SLOTS, Components
from domain.rulesets.charioteer.drawing import deal_crowd_card, refill_hand
from domain.rulesets.charioteer.evolution import DECK, FAN_BAG
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import FirstPlayerChosen, SkillsCardDrawn, TurnBegan
from domain.rulesets.charioteer.rejections import SeatsDoNotFit
from domain.rulesets.charioteer.writing import CharioteerScript


def build_board(components: Components, seats: tuple[Seat, ...], options: Options) -> Board:
    """Lay out the board before the first draw: the box is one big discard pile, waiting to be shuffled."""
    if len(seats) not in SEAT_COUNTS:
        raise SeatsDoNotFit(expected="2 to 6 seats", found=str(len(seats)))
    if not isinstance(options.teams, UnsetType):
        check_teams(options.teams, seats)
    drivers = tuple(
        Driver(seat=seat, progress=components.start_progress, player_tokens=components.player_tokens)
        for seat in sorted(seats)
    )
    return Board(
        options=options,
        drivers=drivers,
        row=tuple(driver.seat for driver in drivers),
        deck=Supply(),
        bag=Supply(),
        discards=Pile().with_unseen(components.deck),
        fan_discards=Pile().with_unseen(components.bag),
    )


def set_up(components: Components, script: CharioteerScript) -> None:
    seats = tuple(driver.seat for driver in script.board.drivers)
    script.shuffle(DECK, size=len(components.deck))
    for seat in seats:
        refill_hand(components, script, seat)
    for _ in range(CROWD_SLOTS):
        deal_crowd_card(components, script)
    _draw_skills_cards(components, script, seats)
    script.shuffle(FAN_BAG, size=len(components.bag))
    (face,) = script.roll("first-player", dice=1, sides=len(seats))
    script.emit(FirstPlayerChosen(seat=seats[face - 1]))
    begin_turn(components, script, turn=1)


def begin_turn(components: Components, script: CharioteerScript, *, turn: int) -> None:
    """CH-60: the emperor speaks; a disrupt strikes at once, before the choice of moves."""
    (face,) = script.roll("emperor", dice=1, sides=len(components.emperor_die))
    emperor = components.emperor_die[face - 1]
    script.emit(TurnBegan(turn=turn, emperor=emperor))
    if emperor == "disrupt":
        disrupt(components, script)


def _draw_skills_cards(components: Components, script: CharioteerScript, seats: tuple[Seat, ...]) -> None:
    """CH-05: they are public, so each is one die over the cards that are left."""
    cards = list(components.skills_orders)
    for seat in seats:
        face = script.roll("skills-card", dice=1, sides=len(cards))[0] if len(cards) > 1 else 1
        script.emit(SkillsCardDrawn(seat=seat, order=cards.pop(face - 1)))
