"""What is shown: one line for each ruleset, with how many drive and how long a driver thinks."""

from msgspec import Struct

from clients.bots.roster import ONE_LAP
from domain.canonical import Json


class Show(Struct, frozen=True, kw_only=True):
    """`think_s` is the mean time before an answer."""

    ruleset: str
    seats: int
    think_s: float
    options: dict[str, Json] = {}


# As long as people take who know the game, so that a spectator can follow: a turn of Charioteer is one choice that all
# make at once, a turn of Chariot Race some four answers of one driver, one of Chariotmaster a token and two or three
# steps. A game of any then takes ten to twenty minutes and leaves some hundred kilobytes in the log.
PROGRAMME: tuple[Show, ...] = (
    Show(ruleset="charioteer@1", seats=4, think_s=20.0),
    Show(ruleset="chariot-race@1", seats=4, think_s=4.0),
    Show(ruleset="chariotmaster@1", seats=4, think_s=3.0, options=dict(ONE_LAP)),
)
