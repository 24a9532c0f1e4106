"""Why an action is not legal here: the closed set of this ruleset."""

from domain.rejection import IllegalAction


class RepairNotPossible(IllegalAction):
    code = "repair-not-possible"


class FateTooLow(IllegalAction):
    code = "fate-too-low"


class NoSuchDice(IllegalAction):
    code = "no-such-dice"


class FortunaNotForSale(IllegalAction):
    """No die can be turned to Fortuna."""

    code = "fortuna-not-for-sale"


class TooManyMinuses(IllegalAction):
    code = "too-many-minuses"


class IllegalPath(IllegalAction):
    code = "illegal-path"


class NoCaltropThere(IllegalAction):
    code = "no-caltrop-there"


class JavelinOutOfRange(IllegalAction):
    code = "javelin-out-of-range"


class BoardTaken(IllegalAction):
    code = "board-taken"


class PlaceTaken(IllegalAction):
    code = "place-taken"
