"""The bots of Chariot Race by name."""

from domain.ruleset.bot import Choose
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.bots import careful_bot, fast_bot, random_bot
from domain.rulesets.chariot_race.view import RaceView

BOTS: dict[str, Choose[RaceView, Action]] = {
    "random": random_bot.choose,
    "fast": fast_bot.choose,
    "careful": careful_bot.choose,
}
