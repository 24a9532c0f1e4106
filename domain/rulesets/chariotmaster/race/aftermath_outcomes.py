"""Outcomes of an aftermath, when a chariot has moved: drivers walk, grab, cut loose, climb. Stored for ever."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.board import GraspAim


class AftermathBegan(Struct, frozen=True, kw_only=True):
    """A chariot has moved; its driver's actions follow, by foot, on the shaft or in the reins."""

    chariot: int
    token: TokenName


class DriverWalked(Struct, frozen=True, kw_only=True):
    """A driver on foot has gone where he wanted, or stays where he is."""

    chariot: int
    distance_um: int


class GrabTested(Struct, frozen=True, kw_only=True):
    """A driver on the shaft grabbed for the reins, or cut at a dead horse; after a success he is back in the body."""

    chariot: int
    aim: GraspAim
    face: int
    modifier: int
    is_passed: bool


class CutLooseTested(Struct, frozen=True, kw_only=True):
    """A dragged driver tried to cut himself loose."""

    chariot: int
    face: int
    is_passed: bool


class DriverClimbed(Struct, frozen=True, kw_only=True):
    """A driver climbed on the shaft, out of the body and away from the reins."""

    chariot: int
    aim: GraspAim


class DriverStayed(Struct, frozen=True, kw_only=True):
    """A driver hangs on behind his horses, or stays in the body, though he need not."""

    chariot: int
    declined: Literal["cut_loose", "climb"]


class DriverLeft(Struct, frozen=True, kw_only=True):
    """A driver on foot reached the edge of the track, and is off it."""

    chariot: int


AftermathOutcome = (
    AftermathBegan | DriverWalked | GrabTested | CutLooseTested | DriverClimbed | DriverStayed | DriverLeft
)

AFTERMATH_OUTCOME_TYPES: Mapping[str, type[AftermathOutcome]] = {
    "aftermath_began": AftermathBegan,
    "driver_walked": DriverWalked,
    "grab_tested": GrabTested,
    "cut_loose_tested": CutLooseTested,
    "driver_climbed": DriverClimbed,
    "driver_stayed": DriverStayed,
    "driver_left": DriverLeft,
}
