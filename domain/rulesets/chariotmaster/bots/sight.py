"""The other chariots of a view: which of them are rivals, and where they stand."""

from math import cos, radians, sin

from domain.rulesets.chariotmaster.offers.choices import MetPart
from domain.rulesets.chariotmaster.offers.view import RaceView

# The axle is behind the middle of a whole chariot by so much, and must be level with some of the rammed part.
_AXLE_BEHIND_UM, _LEVEL_UM = 10_000, 8_000


def is_rival(view: RaceView, chariot: int, other: int) -> bool:
    """Return whether a chariot belongs to another team, or in a race without teams to another seat."""
    mine, theirs = view.chariots[chariot].seat, view.chariots[other].seat
    return mine != theirs and not any(mine in team.seats and theirs in team.seats for team in view.teams)


def is_beside_axle(view: RaceView, chariot: int, met: MetPart) -> bool:
    """Return whether a part of a rival's chariot is where this chariot's axle would be, after a sweep against it."""
    own = next(piece.pose for piece in view.pieces if piece.piece == chariot)
    ahead = cos(radians(own.heading)), sin(radians(own.heading))
    for piece in view.pieces:
        if piece.piece != met.piece or not is_rival(view, chariot, piece.chariot):
            continue
        for part in piece.parts:
            along_um = (part.x_um - own.x_um) * ahead[0] + (part.y_um - own.y_um) * ahead[1]
            if part.part == met.part and abs(along_um + _AXLE_BEHIND_UM) <= _LEVEL_UM:
                return True
    return False
