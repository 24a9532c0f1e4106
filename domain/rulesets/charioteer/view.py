"""CH-92: the parts of a board that the public and each seat may see. The public part reads public fields only."""

from typing import Literal

from msgspec import Struct

from domain.ids import Seat
from domain.ruleset.teams import TeamResult
from domain.rulesets.charioteer.actions import FanToken, PlayerToken, TokenHandle
from domain.rulesets.charioteer.board import (
    UNKNOWN,
    Board,
    Driver,
    Forfeited,
    Phase,
    PlayedMove,
    PlayedReset,
    driver_of,
    race_order,
)
from domain.rulesets.charioteer.cards import COLOURS, CardIcon, Colour, TokenIcon
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.ranking import list_teams
from domain.rulesets.charioteer.skills import WISHES, EmperorFace, skill_bonus
from domain.rulesets.charioteer.track import Track, laps_completed, space_at


class CardView(Struct, frozen=True, kw_only=True):
    """A card by draw number; `card` is null where the fold cannot know it."""

    draw: int
    card: str | None
    symbols: tuple[str, ...]
    icon: CardIcon | None


class SkillView(Struct, frozen=True, kw_only=True):
    colour: Colour
    place: int
    bonus: int


class PlayedView(Struct, frozen=True, kw_only=True):
    """The cards and tokens on the table before a seat; `stack` is the number of cards face down."""

    kind: Literal["move", "reset", "forfeit"]
    symbol: str | None
    cards: tuple[CardView, ...]
    changed: int | None
    with_crowd_card: bool
    token: str | None
    stack: int


class DriverView(Struct, frozen=True, kw_only=True):
    """`beside` lists the rivals on the same space between this chariot and the inside, innermost first.

    `fan_names` has the faces of its fan tokens where all see them (CH-55), and is empty where only their owner does.
    """

    seat: Seat
    is_racing: bool
    place: int | None
    progress: int
    space: int | None
    beside: tuple[Seat, ...]
    laps_completed: int
    skills: tuple[SkillView, ...]
    damage: int
    attack_boxes: int
    takes_no_cubes: bool
    hand: tuple[int, ...]
    fan_tokens: tuple[int, ...]
    fan_names: tuple[str, ...]
    player_tokens: tuple[str, ...]
    played: PlayedView | None


class TokenView(Struct, frozen=True, kw_only=True):
    token: TokenHandle
    name: str | None
    icon: TokenIcon | None
    amount: int
    colour: Colour | None


class OwnView(Struct, frozen=True, kw_only=True):
    """A seat's view beyond the public one: its hand, its tokens and its stack."""

    seat: Seat
    hand: tuple[CardView, ...]
    tokens: tuple[TokenView, ...]
    stack: tuple[CardView, ...]


class View(Struct, frozen=True, kw_only=True):
    """`crowd` is in the order of the slots; a null among the discards lies face down."""

    phase: Phase
    turn: int
    turns_max: int
    lap: int
    laps: int
    emperor: EmperorFace | None
    emperor_wishes: tuple[Colour, ...]
    first_player: Seat | None
    order: tuple[Seat, ...]
    crowd: tuple[CardView, ...]
    deck_left: int
    discards: tuple[str | None, ...]
    bag_left: int
    fan_discards: tuple[str | None, ...]
    drivers: tuple[DriverView, ...]
    teams: tuple[TeamResult, ...]
    track: Track
    own: OwnView | None


def build_view(components: Components, board: Board, seat: Seat | None) -> View:
    order = tuple(driver.seat for driver in race_order(board))
    return View(
        phase=board.phase,
        turn=board.turn,
        turns_max=board.options.turns_max,
        lap=board.lap,
        laps=board.options.laps,
        emperor=board.emperor,
        emperor_wishes=() if board.emperor is None else WISHES[board.emperor],
        first_player=board.first_player,
        order=order,
        crowd=tuple(_card(components, card.draw, card.face) for card in board.crowd),
        deck_left=board.deck.left,
        discards=tuple(None if face == UNKNOWN else components.faces[face].text for face in board.discards.shown),
        bag_left=board.bag.left,
        fan_discards=tuple(
            None if token == UNKNOWN else components.tokens[token].name for token in board.fan_discards.shown
        ),
        drivers=tuple(_driver(components, board, driver, order) for driver in board.drivers),
        teams=list_teams(board),
        track=components.track,
        own=None if seat is None else _own(components, driver_of(board, seat)),
    )


def _driver(components: Components, board: Board, driver: Driver, order: tuple[Seat, ...]) -> DriverView:
    is_open = board.options.fan_tokens == "open"
    return DriverView(
        seat=driver.seat,
        is_racing=driver.is_racing,
        place=order.index(driver.seat) + 1 if driver.is_racing else None,
        progress=driver.progress,
        space=space_at(components.track, driver.progress) if driver.is_racing else None,
        beside=_beside(components, board, driver) if driver.is_racing else (),
        laps_completed=laps_completed(components.track, driver.progress),
        skills=tuple(
            SkillView(colour=colour, place=place, bonus=skill_bonus(components.skills_track, place))
            for colour, place in zip(COLOURS, driver.skills, strict=False)
        ),
        damage=driver.damage,
        attack_boxes=driver.attacked,
        takes_no_cubes=driver.is_closed,
        hand=driver.hand,
        fan_tokens=driver.fan_tokens,
        fan_names=tuple(components.tokens[face].name for face in driver.fan_faces) if is_open else (),
        player_tokens=tuple(components.tokens[token].name for token in driver.player_tokens),
        played=_played(components, driver),
    )


def _beside(components: Components, board: Board, driver: Driver) -> tuple[Seat, ...]:
    space = space_at(components.track, driver.progress)
    inner = board.row[: board.row.index(driver.seat)]
    return tuple(other for other in inner if space_at(components.track, driver_of(board, other).progress) == space)


def _played(components: Components, driver: Driver) -> PlayedView | None:
    match driver.played:
        case None:
            return None
        case PlayedMove() as move:
            return PlayedView(
                kind="move",
                symbol=components.symbols[move.symbol].name,
                cards=_cards(components, move.cards, move.faces),
                changed=move.changed,
                with_crowd_card=move.crowd_face is not None,
                token=None if move.token is None else components.tokens[move.token].name,
                stack=len(driver.stack),
            )
        case PlayedReset() as reset:
            return _played_without_move("reset", _cards(components, reset.cards, reset.faces), len(driver.stack))
        case Forfeited():
            return _played_without_move("forfeit", (), len(driver.stack))


def _played_without_move(kind: Literal["reset", "forfeit"], cards: tuple[CardView, ...], stack: int) -> PlayedView:
    return PlayedView(kind=kind, symbol=None, cards=cards, changed=None, with_crowd_card=False, token=None, stack=stack)


def _own(components: Components, driver: Driver) -> OwnView:
    return OwnView(
        seat=driver.seat,
        hand=_cards(components, driver.hand, driver.hand_faces),
        tokens=_tokens(components, driver),
        stack=_cards(components, driver.stack, driver.stack_faces),
    )


def _tokens(components: Components, driver: Driver) -> tuple[TokenView, ...]:
    fan = (
        _token(components, FanToken(draw=draw), face)
        for draw, face in zip(driver.fan_tokens, driver.fan_faces, strict=True)
    )
    own = (_token(components, PlayerToken(type=components.tokens[kind].name), kind) for kind in driver.player_tokens)
    return (*fan, *own)


def _token(components: Components, handle: TokenHandle, token: int) -> TokenView:
    if token == UNKNOWN:
        return TokenView(token=handle, name=None, icon=None, amount=0, colour=None)
    kind = components.tokens[token]
    return TokenView(token=handle, name=kind.name, icon=kind.icon, amount=kind.amount, colour=kind.colour)


def _cards(components: Components, draws: tuple[int, ...], faces: tuple[int, ...]) -> tuple[CardView, ...]:
    return tuple(_card(components, draw, face) for draw, face in zip(draws, faces, strict=True))


def _card(components: Components, draw: int, face: int) -> CardView:
    if face == UNKNOWN:
        return CardView(draw=draw, card=None, symbols=(), icon=None)
    shown = components.faces[face]
    return CardView(draw=draw, card=shown.text, symbols=shown.words, icon=shown.icon)
