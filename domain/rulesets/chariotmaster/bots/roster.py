"""The bots of Chariotmaster by name."""

from domain.ruleset.bot import Choose
from domain.rulesets.chariotmaster.bots import random_bot, ruthless_bot, steady_bot
from domain.rulesets.chariotmaster.offers.view import RaceView
from domain.rulesets.chariotmaster.race.actions import Action

BOTS: dict[str, Choose[RaceView, Action]] = {
    "random": random_bot.choose,
    "steady": steady_bot.choose,
    "ruthless": ruthless_bot.choose,
}
