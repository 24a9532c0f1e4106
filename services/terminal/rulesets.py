"""Rulesets in help: options that name them all, and a group with a command for each.

The rulesets are imported once help or such a command is asked for, so that other commands start without them.
"""

from copy import copy
from typing import Any

from typer.core import TyperCommand, TyperGroup


class RulesetCommand(TyperCommand):
    """A command whose help names every ruleset for RULESETS, their bots for BOTS and their tables for TABLES."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from domain.rulesets.released import KITS
        from infra.ruleset_files import read_words

        rulesets = ", ".join(kit.name for kit in KITS)
        bots = "; ".join(f"{', '.join(kit.bots)} ({kit.name})" for kit in KITS)
        presets = {kit.name: [preset.name for preset in read_words(kit).presets] for kit in KITS}
        tables = "; ".join(f"{', '.join(names)} ({name})" for name, names in presets.items())
        for param in self.params:
            option: Any = param
            for word, names in (("RULESETS", rulesets), ("BOTS", bots), ("TABLES", tables)):
                option.help = (option.help or "").replace(word, names)
        super().format_help(ctx, formatter)


class RulesetGroup(TyperGroup):
    """A group in which the command `ruleset` goes by the name of each ruleset, which is its context's `info_name`."""

    def list_commands(self, ctx: Any) -> list[str]:
        from domain.rulesets.released import KITS

        return [*(kit.name for kit in KITS), *(name for name in super().list_commands(ctx) if name != "ruleset")]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        from domain.rulesets.released import find_kit

        if find_kit(cmd_name) is None:
            return super().get_command(ctx, cmd_name)
        command: Any = copy(super().get_command(ctx, "ruleset"))
        command.name = cmd_name
        return command
