"""CH-20 to CH-23, CH-42, CH-68, CH-75 to CH-77: the sum of the cards and the token of a move.

Must agree with choices.py, which adds up whole hands at once.
"""

from collections import Counter

from msgspec import Struct

from domain.rulesets.charioteer.board import Driver
from domain.rulesets.charioteer.cards import Symbol
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.skills import skill_bonus


class MoveParts(Struct, frozen=True, kw_only=True):
    """A move by faces: hand cards in their own face, whether one more was changed, crowd card and token."""

    symbol: int
    faces: tuple[int, ...]
    is_wild: bool
    crowd_face: int | None
    token: int | None


class Tally(Struct, frozen=True, kw_only=True):
    """`cards` match the symbol; a whip card is in the move but does not match."""

    symbol: Symbol
    symbols: int
    cards: int
    shields: int
    whips: int
    recoveries: int
    learnings: int


class Reckoning(Struct, frozen=True, kw_only=True):
    """distance = symbols + number + token + skill - damage, at least 0; `damage` is the rest after recoveries."""

    symbols: int
    number: int
    token: int
    skill: int
    recoveries: int
    removed: int
    damage: int
    distance: int


def tally(components: Components, parts: MoveParts) -> Tally:
    """Count symbols, matching cards and icons. A changed card is two of the symbol and nothing else."""
    faces = [components.faces[face] for face in parts.faces]
    if parts.crowd_face is not None:
        faces.append(components.faces[parts.crowd_face])
    icons = Counter(face.icon for face in faces if face.icon is not None)
    if parts.token is not None:
        icons.update([components.tokens[parts.token].icon])  # type: ignore[list-item] # icons only tokens show count too
    symbol = components.symbols[parts.symbol]
    wild_symbols = components.numbers.wild_symbols if parts.is_wild else 0
    return Tally(
        symbol=symbol,
        symbols=sum(face.counts[parts.symbol] for face in faces) + wild_symbols,
        cards=sum(1 for face in faces if face.counts[parts.symbol]) + parts.is_wild,
        shields=icons["shield"],
        whips=icons["whip"],
        recoveries=icons["recovery"] + (symbol.colour == "yellow"),
        learnings=icons["learning"],
    )


def damage_removed(damage: int, recoveries: int) -> int:
    """CH-42, CH-68: one recovery removes half, rounded in the player's favour; two or more remove all."""
    if recoveries == 0:
        return 0
    return damage if recoveries > 1 else (damage + 1) // 2


def reckon(components: Components, driver: Driver, parts: MoveParts, counted: Tally) -> Reckoning:
    """Add a move up. Cubes in attack boxes do not count, and the marker stands where it stood before this move."""
    symbol = counted.symbol
    token = 0 if parts.token is None else token_bonus(components, parts.token)
    skill = skill_bonus(components.skills_track, driver.skills[symbol.colour_index])
    removed = damage_removed(driver.damage, counted.recoveries)
    damage = driver.damage - removed
    return Reckoning(
        symbols=counted.symbols,
        number=symbol.number,
        token=token,
        skill=skill,
        recoveries=counted.recoveries,
        removed=removed,
        damage=damage,
        distance=max(counted.symbols + symbol.number + token + skill - damage, 0),
    )


def token_bonus(components: Components, token: int) -> int:
    kind = components.tokens[token]
    return kind.amount if kind.icon == "plus" else 0
