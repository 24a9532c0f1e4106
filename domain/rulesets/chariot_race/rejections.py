"""Why an action is not legal here: the closed set of this ruleset."""

from domain.rejection import IllegalAction


class RepairNotPossible(IllegalAction):
    """The chariot has no damage to repair, or may not repair now."""

    code = "repair-not-possible"


class FateTooLow(IllegalAction):
    """The chariot has less Fate than the manipulation costs."""

    code = "fate-too-low"


class NoSuchDice(IllegalAction):
    """The roll has no such dice."""

    code = "no-such-dice"


class FortunaNotForSale(IllegalAction):
    """No die can be turned to Fortuna."""

    code = "fortuna-not-for-sale"


class TooManyMinuses(IllegalAction):
    """The roll has fewer ± dice."""

    code = "too-many-minuses"


class IllegalPath(IllegalAction):
    """The path leads where the chariot cannot go, or is not as long as the speed."""

    code = "illegal-path"


class NoCaltropThere(IllegalAction):
    """No caltrop may be dropped on that space."""

    code = "no-caltrop-there"


class JavelinOutOfRange(IllegalAction):
    """No such chariot is within the range of a javelin."""

    code = "javelin-out-of-range"


class BoardTaken(IllegalAction):
    """Another chariot has the board of this colour."""

    code = "board-taken"


class PlaceTaken(IllegalAction):
    """Another chariot has this place of the grid."""

    code = "place-taken"
