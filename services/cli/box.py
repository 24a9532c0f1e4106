"""`spina box`: components of one's own beside those of the release, for a server to offer by name."""

from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import say
from services.terminal.refusal import REFUSED_EXIT_CODE, told_in_a_sentence
from services.terminal.rulesets import RulesetCommand

box = typer.Typer(
    name="box",
    help="Boxes of your own: printed numbers, decks and tracks. Example: spina box add printed.toml --name Printed",
    no_args_is_help=True,
)

Ruleset = Annotated[str, typer.Option("--ruleset", help="One of RULESETS.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="Components in TOML, as `spina box start` prints them.")]
Name = Annotated[str, typer.Option("--name", help="Shown to everyone; at most 80 characters.")]
NameGiven = Annotated[str, typer.Argument(metavar="NAME", help="The name of the box.")]
Games = Annotated[int, typer.Option(min=1, max=100_000, help="How many games bots play with it.")]


@box.callback()
def group() -> None:
    """Try, keep, list and take away boxes. A server offers those of its folder from its next start on."""


@box.command(cls=RulesetCommand)
def start(ruleset: Ruleset = "charioteer") -> None:
    """Print the components of the release, to be changed and kept as a box.

    Example: spina box start --ruleset chariot-race > printed.toml
    """
    from services.terminal.kits import require_kit

    kit = require_kit(ruleset)
    say((Path(kit.folder) / "components.toml").read_text(encoding="utf-8").rstrip("\n"))


@box.command(cls=RulesetCommand)
def check(file: File, ruleset: Ruleset = "charioteer", games: Games = 20) -> None:
    """Build a box, let bots play games with it, and print its hash.

    Exit code 1 where it is no box of the ruleset, or bots cannot play a game to its end.

    Example: spina box check printed.toml --ruleset chariot-race --games 100
    """
    _check(file, ruleset, games)


@box.command(cls=RulesetCommand)
def add(file: File, name: Name, ruleset: Ruleset = "charioteer", games: Games = 20) -> None:
    """Check a box, and keep it under a name in the folder `boxes` of SPINA_DATA.

    Servers offer it from their next start on; start all of them before a table is opened with it. Games that were
    opened with a box of the same name keep theirs.

    Example: spina box add printed.toml --name "First printing" --ruleset chariot-race
    """
    from domain.names import NameRefused
    from infra.boxes import find_box_path
    from services.terminal.kits import require_kit

    with told_in_a_sentence(NameRefused, OSError):
        path = find_box_path(_folder(), require_kit(ruleset), name)
        _check(file, ruleset, games)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(file.read_bytes())
        unfinished.replace(path)
    say(f"Kept as {path}. Servers offer it from their next start on.")


@box.command(name="list")
def list_() -> None:
    """List the boxes of the folder, with their hashes. Exit code 1 where a file is none, which servers pass over.

    Example: spina box list
    """
    from domain.rulesets.released import KITS
    from infra.boxes import BoxRefused, list_box_files, read_box

    refusals = 0
    for kit, path in list_box_files(_folder(), KITS):
        try:
            found = read_box(kit, path)
            say(f"{path.parent.name} {found.components} {found.name}")
        except BoxRefused as refused:
            refusals += 1
            say(f"spina: {refused}", err=True)
    raise typer.Exit(REFUSED_EXIT_CODE if refusals else 0)


@box.command(cls=RulesetCommand)
def remove(name: NameGiven, ruleset: Ruleset = "charioteer") -> None:
    """Take a box out of the folder; games that were opened with it go on, and are proven as before.

    Example: spina box remove "First printing" --ruleset chariot-race
    """
    from domain.names import NameRefused
    from infra.boxes import find_box_path
    from services.terminal.kits import require_kit

    with told_in_a_sentence(NameRefused, OSError):
        find_box_path(_folder(), require_kit(ruleset), name).unlink()


def _check(file: Path, ruleset: str, games: int) -> None:
    from infra.boxes import BoxRefused, read_box
    from services.practice.box_trial import BoxUnplayable, try_box
    from services.terminal.kits import require_kit
    from services.terminal.practice_tables import shown

    kit = require_kit(ruleset)
    with told_in_a_sentence(BoxRefused, BoxUnplayable):
        found = read_box(kit, file)
        for _ in shown(try_box(kit, found.ruleset, games=games, seed=1), games):
            pass
    say(f"{games} games played to their end. {kit.reference} with components {found.components}")


def _folder() -> Path:
    import os

    from infra.settings import SettingsRefused, read_settings

    with told_in_a_sentence(SettingsRefused):
        return read_settings(os.environ).box_folder
