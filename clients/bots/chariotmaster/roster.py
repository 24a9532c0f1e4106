"""The bots of this game by name."""

from collections.abc import Callable
from random import Random

from clients.bots.chariotmaster import random_bot, ruthless_bot, steady_bot
from domain.ids import DecisionId
from domain.rulesets.chariotmaster.offers.view import RaceView
from domain.rulesets.chariotmaster.race.actions import Action

# A bot: what it sees, which of its decisions it is asked for, and where its whims come from, to an action.
Choose = Callable[[RaceView, DecisionId, Random], Action]

BOTS: dict[str, Choose] = {
    "random": random_bot.choose,
    "steady": steady_bot.choose,
    "ruthless": ruthless_bot.choose,
}
