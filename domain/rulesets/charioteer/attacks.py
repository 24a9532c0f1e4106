"""CH-41, CH-61, CH-65 to CH-70: cubes put into attack boxes by rivals and by the emperor, and defences against them."""

from typing import Literal

from msgspec import Struct

from domain.ids import Seat
from domain.ruleset.teams import are_mates
from domain.rulesets.charioteer.board import Board, Driver, PlayedReset, driver_of, racing
from domain.rulesets.charioteer.cards import Symbol
from domain.rulesets.charioteer.component_file import SEAT_COUNTS
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.outcomes import BoxesClosed, DamageTaken
from domain.rulesets.charioteer.writing import CharioteerScript

Attack = Literal["minor_attack", "major_attack"]


class Blow(Struct, frozen=True, kw_only=True):
    """Cubes on their way to attack boxes, and the seat that sends them: null is the emperor."""

    cause: Attack | Literal["emperor"]
    attacker: Seat | None
    cubes: int


def attack_of(components: Components, symbol: Symbol, *, cards: int) -> Attack | None:
    """CH-41: three matching red cards attack, four attack harder; the crowd card and a changed card count."""
    if symbol.colour != "red" or cards < components.numbers.minor_attack_cards:
        return None
    return "major_attack" if cards >= components.numbers.major_attack_cards else "minor_attack"


def attack_cubes(components: Components, attack: Attack) -> int:
    numbers = components.numbers
    return numbers.major_attack_cubes if attack == "major_attack" else numbers.minor_attack_cubes


def strike_rivals(components: Components, script: CharioteerScript, attacker: Seat, attack: Attack) -> None:
    """All rivals are hit, none can be singled out. CH-98: mates are no rivals."""
    blow = Blow(cause=attack, attacker=attacker, cubes=attack_cubes(components, attack))
    for rival in racing(script.board):
        if not are_mates(script.board.options.teams, attacker, rival.seat):
            script.emit(_damage_taken(components, rival, blow))


def disrupt(components: Components, script: CharioteerScript) -> None:
    """CH-61, XG-01: the emperor's cubes, by the number of seats at the start."""
    cubes = disrupt_cubes(components, script.board)
    blow = Blow(cause="emperor", attacker=None, cubes=cubes)
    if cubes:
        for driver in racing(script.board):
            script.emit(_damage_taken(components, driver, blow))


def disrupt_cubes(components: Components, board: Board) -> int:
    return components.disrupt[board.options.disrupt][SEAT_COUNTS.index(len(board.drivers))]


def close_boxes(script: CharioteerScript, seat: Seat, reason: Literal["shield", "reset"]) -> None:
    """CH-45, CH-70: on reveal the attack boxes are emptied and stay empty for the turn."""
    script.emit(BoxesClosed(seat=seat, reason=reason, removed=driver_of(script.board, seat).attacked))


def _damage_taken(components: Components, driver: Driver, blow: Blow) -> DamageTaken:
    """CH-65: at most three new cubes a turn; the rest is ignored."""
    room = 0 if driver.is_closed else max(components.numbers.attack_boxes - driver.attacked, 0)
    taken = min(blow.cubes, room)
    return DamageTaken(
        seat=driver.seat,
        cause=blow.cause,
        attacker=blow.attacker,
        cubes=taken,
        ignored=blow.cubes - taken,
        ignored_because=None if taken == blow.cubes else _why_ignored(driver),
    )


def _why_ignored(driver: Driver) -> Literal["boxes_full", "shield", "reset"]:
    if not driver.is_closed:
        return "boxes_full"
    return "reset" if isinstance(driver.played, PlayedReset) else "shield"
