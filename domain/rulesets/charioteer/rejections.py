"""Why an action is refused, stated as a player would. A closed set: programs match on the codes."""

from domain.rejection import IllegalAction


class SeatsDoNotFit(IllegalAction):
    code = "seats-do-not-fit"


class CardNotInHand(IllegalAction):
    code = "card-not-in-hand"


class CardsNotAscending(IllegalAction):
    code = "cards-not-ascending"


class WrongNumberOfCards(IllegalAction):
    code = "wrong-number-of-cards"


class UnknownSymbol(IllegalAction):
    code = "unknown-symbol"


class CardDoesNotMatch(IllegalAction):
    code = "card-does-not-match"


class TooFewMatchingCards(IllegalAction):
    code = "too-few-matching-cards"


class CrowdCardDoesNotMatch(IllegalAction):
    code = "crowd-card-does-not-match"


class TokenNotHeld(IllegalAction):
    code = "token-not-held"


class TokenOfAnotherColour(IllegalAction):
    code = "token-of-another-colour"


class TokenOfAnotherUse(IllegalAction):
    code = "token-of-another-use"


class WildWithoutCard(IllegalAction):
    code = "wild-without-card"


class ChangeWithoutWild(IllegalAction):
    code = "change-without-wild"


class ChangedCardNotInMove(IllegalAction):
    code = "changed-card-not-in-move"


class WrongStack(IllegalAction):
    code = "wrong-stack"


class CardUsedTwice(IllegalAction):
    code = "card-used-twice"
