"""Bots of the rulesets' kits as players over HTTP need them."""

from random import Random

import msgspec

from domain.ruleset.kit import Kit
from spina_client.bot import Choose
from spina_client.formats import Json


def read_bot(kit: Kit, name: str) -> Choose:
    """Return a bot of a ruleset as a player over HTTP needs it: it decodes board and choices as they are served."""
    choose = kit.bots[name]

    def choose_from_bytes(board: bytes, choices: bytes, numbers: Random) -> Json:
        view = msgspec.json.decode(board, type=kit.ruleset.view_type)
        action: Json = msgspec.to_builtins(
            choose(view, msgspec.json.decode(choices, type=kit.ruleset.choices_type), numbers)
        )
        return action

    return choose_from_bytes
