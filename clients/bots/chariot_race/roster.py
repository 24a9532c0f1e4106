"""The bots of this game by name."""

from collections.abc import Callable
from random import Random

from clients.bots.chariot_race import careful_bot, fast_bot, random_bot
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.view import RaceView

# A bot: what it sees, and where its whims come from, to an action.
Choose = Callable[[RaceView, Random], Action]

BOTS: dict[str, Choose] = {
    "random": random_bot.choose,
    "fast": fast_bot.choose,
    "careful": careful_bot.choose,
}
