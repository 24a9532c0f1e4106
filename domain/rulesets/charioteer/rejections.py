"""Why an action is refused, stated as a player would. A closed set: programs match on the codes."""

from domain.rejection import IllegalAction


class SeatsDoNotFit(IllegalAction):
    """The options do not fit so many seats."""

    code = "seats-do-not-fit"


class CardNotInHand(IllegalAction):
    """The hand has no such card."""

    code = "card-not-in-hand"


class CardsNotAscending(IllegalAction):
    """Cards are named in ascending order."""

    code = "cards-not-ascending"


class WrongNumberOfCards(IllegalAction):
    """A move or a reset has fewer or more cards."""

    code = "wrong-number-of-cards"


class UnknownSymbol(IllegalAction):
    """No card shows this symbol."""

    code = "unknown-symbol"


class CardDoesNotMatch(IllegalAction):
    """A card shows another symbol than the move."""

    code = "card-does-not-match"


class TooFewMatchingCards(IllegalAction):
    """A move needs more cards that match."""

    code = "too-few-matching-cards"


class CrowdCardDoesNotMatch(IllegalAction):
    """The crowd card shows another symbol than the move."""

    code = "crowd-card-does-not-match"


class TokenNotHeld(IllegalAction):
    """The seat has no such token."""

    code = "token-not-held"


class TokenOfAnotherColour(IllegalAction):
    """The token has another colour than the move."""

    code = "token-of-another-colour"


class TokenOfAnotherUse(IllegalAction):
    """The token is used in another way."""

    code = "token-of-another-use"


class WildWithoutCard(IllegalAction):
    """A wild token changes a card, and none is named."""

    code = "wild-without-card"


class ChangeWithoutWild(IllegalAction):
    """A card is changed only by a wild token."""

    code = "change-without-wild"


class ChangedCardNotInMove(IllegalAction):
    """The changed card is none of the move's."""

    code = "changed-card-not-in-move"


class WrongStack(IllegalAction):
    """The cards under a discard token are too few, too many or in use."""

    code = "wrong-stack"


class CardUsedTwice(IllegalAction):
    """A card is named twice."""

    code = "card-used-twice"
