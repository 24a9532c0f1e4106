"""A bot that plays for skills, corners and position, and keeps its tokens for when they count."""

from msgspec import Struct

from domain.ruleset.bot import Numbers
from domain.rulesets.charioteer.actions import Action, Stack
from domain.rulesets.charioteer.bots import choices
from domain.rulesets.charioteer.choices import LegalActions
from domain.rulesets.charioteer.view import DriverView, TokenView, View


class Road:
    """The road ahead of the own chariot. Answers are kept, as many moves ask the same."""

    def __init__(self, view: View) -> None:
        me = next(driver for driver in view.drivers if driver.seat == choices.own_view(view).seat)
        self._is_outer = tuple(space.kind == "outer" for space in view.track.spaces)
        self._size = len(self._is_outer)
        self._finish = view.laps * self._size
        self._rivals: dict[int, int] = {}
        for driver in view.drivers:
            if driver.space is not None and driver.seat != me.seat:
                self._rivals[driver.space] = self._rivals.get(driver.space, 0) + 1
        self._beside = len(me.beside)
        self._is_free = view.turn == 1
        self._known: dict[tuple[int, bool], int] = {}
        self.progress = me.progress
        self.left = self._finish - me.progress

    def gain(self, points: int, *, is_black: bool) -> int:
        """Count the spaces that points lead ahead, rivals passed and outer spaces skipped."""
        key = (points, is_black)
        if key not in self._known:
            self._known[key] = self._walk(points, is_black=is_black) - self.progress
        return self._known[key]

    def _walk(self, points: int, *, is_black: bool) -> int:
        progress, inside = self.progress, self._beside
        while points > 0:
            if inside and not self._is_free:
                inside, points = inside - 1, points - 1
                continue
            progress += 1
            if self._is_outer[progress % self._size] and (is_black or progress >= self._finish):
                progress += 1
            points -= 1
            inside = self._rivals.get(progress % self._size, 0)
        return progress


# A move is about nine spaces, so that the road ahead states how many more there will be.
SPACES_PER_MOVE = 10
# All worths are in spaces. A skill step pays off on later moves of its colour, more the nearer the bonus box is.
STEP_WORTH_PER_MOVE = 0.16
FAN_TOKEN_WORTH = 3.0
# A cube slows every later move until it is removed, which happens after a few.
CUBE_MOVES_MAX = 3.5
# Harm to a rival helps only against that one.
ATTACK_WORTH = 0.9
SHIELD_WORTH = 0.8
WHIP_WORTH = 2.0
# The gain that a token is expected to bring later; it falls to nothing toward the end.
TOKEN_WORTHS = {"plus": 0.75, "wild": 2.5, "whip": 2.0, "shield": 0.6, "recovery": 1.2, "learning": 0.8}
# Tokens kept for fewer moves than this are worth less and less.
TOKEN_MOVES = 6
# A hand whose best move is worth less than this is better exchanged in part.
WEAK_MOVE = 9.0
# With fewer moves left, fresh cards come too late to be played.
EXCHANGE_MOVES_MIN = 2


class Situation(Struct, frozen=True, kw_only=True):
    """The circumstances on which the worth of every move depends."""

    view: View
    me: DriverView
    road: Road
    moves_left: float
    tokens: dict[str, TokenView]
    icons: dict[int, str | None]


def choose(view: View, legal: LegalActions, _numbers: Numbers) -> Action:
    """Play the move worth most; calm the horses when no move makes up for the damage."""
    situation = read_situation(view)
    best = max(choices.list_choices(legal), key=lambda choice: worth(situation, choice), default=None)
    reset_worth = _cubes_worth(situation, situation.me.damage + situation.me.attack_boxes)
    if best is None or worth(situation, best) < reset_worth:
        cards = _least_useful(situation, legal.reset.cards)[: legal.reset.cards_max]
        return choices.build_reset(cards, None)
    is_weak = worth(situation, best) < WEAK_MOVE
    return choices.build_move(best, _choose_stack(situation, legal, best) if is_weak else None)


def read_situation(view: View) -> Situation:
    own = choices.own_view(view)
    road = Road(view)
    return Situation(
        view=view,
        me=next(driver for driver in view.drivers if driver.seat == own.seat),
        road=road,
        moves_left=max(road.left / SPACES_PER_MOVE, 0.5),
        tokens={str(token.token): token for token in own.tokens},
        icons={card.draw: card.icon for card in own.hand},
    )


def worth(situation: Situation, choice: choices.Choice) -> float:
    """Add up the gains of a move now and later, less the later gain of its token."""
    token = None if choice.token is None else situation.tokens[str(choice.token)]
    icons = [situation.icons[card] for card in choice.cards if card != choice.changed]
    if choice.crowd:
        icons.append(situation.view.crowd[0].icon)
    if token is not None:
        icons.append(token.icon)
    colour = choice.symbol.partition("-")[0]
    gained = situation.road.gain(choice.distance, is_black=colour == "black")
    later = min(1.0, situation.moves_left - 1)
    return (
        gained
        + _skill_worth(situation, colour, learnings=icons.count("learning"))
        + (FAN_TOKEN_WORTH * later if choice.earns_fan_token else 0.0)
        + _recovery_worth(situation, icons.count("recovery") + (colour == "yellow"))
        + ATTACK_WORTH * choice.attack * later
        + (SHIELD_WORTH + _cubes_worth(situation, situation.me.attack_boxes) if "shield" in icons else 0.0)
        + (WHIP_WORTH if "whip" in icons and situation.me.place != 1 and situation.view.turn > 1 else 0.0)
        - _token_worth(situation, token)
    )


def _skill_worth(situation: Situation, colour: str, *, learnings: int) -> float:
    """Value steps by how long the race still is; a marker that has its bonus for good is worth none."""
    skill = next(skill for skill in situation.me.skills if skill.colour == colour)
    if skill.bonus > 1:
        return 0.0
    steps = 1 + learnings + (colour in situation.view.emperor_wishes)
    # A marker that is further on reaches the box, and its bonus, sooner.
    nearness = 0.7 + 0.08 * skill.place
    return steps * nearness * STEP_WORTH_PER_MOVE * (situation.moves_left - 1)


def _recovery_worth(situation: Situation, recoveries: int) -> float:
    damage = situation.me.damage
    removed = 0 if recoveries == 0 else damage if recoveries > 1 else (damage + 1) // 2
    # The distance already contains the steps that a recovery saves this turn.
    return _cubes_worth(situation, removed) - removed * min(1.0, situation.moves_left)


def _cubes_worth(situation: Situation, cubes: int) -> float:
    return cubes * min(CUBE_MOVES_MAX, situation.moves_left)


def _token_worth(situation: Situation, token: TokenView | None) -> float:
    if token is None or token.icon is None:
        return 0.0
    worth_kept = TOKEN_WORTHS[token.icon] * (token.amount or 1)
    return worth_kept * min(1.0, (situation.moves_left - 1) / TOKEN_MOVES)


def _least_useful(situation: Situation, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Order cards so that those come first whose symbols the rest of the hand shares least."""
    symbols = {card.draw: card.symbols for card in choices.own_view(situation.view).hand}
    shared = {
        card: sum(symbols[other].count(symbol) for symbol in set(symbols[card]) for other in cards if other != card)
        for card in cards
    }
    return tuple(sorted(cards, key=lambda card: (shared[card], card)))


def _choose_stack(situation: Situation, legal: LegalActions, choice: choices.Choice) -> Stack | None:
    """Throw away the cards that fit the rest of the hand least, with the largest discard token at hand."""
    offer = max(legal.stacks, key=lambda stack: stack.cards_max, default=None)
    if offer is None or situation.moves_left < EXCHANGE_MOVES_MIN:
        return None
    others = tuple(card for card in legal.reset.cards if card not in choice.cards)
    thrown = _least_useful(situation, others)[: offer.cards_max]
    return Stack(cards=tuple(sorted(thrown)), token=offer.token)
