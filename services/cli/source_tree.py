"""`spina bench` and `spina simulate`: packages of the source tree. An installation without them refuses in a sentence.

They are imported by name, as the server's packages do not depend on them.
"""

from importlib import import_module
from importlib.util import find_spec

import typer

from services.terminal.refusal import told_in_a_sentence

PACKAGES = ("bench", "simulate")
ANY_ARGUMENTS = {"allow_extra_args": True, "ignore_unknown_options": True}


class PackageMissing(Exception):
    """A package of the source tree is not installed."""


def add_groups(app: typer.Typer) -> None:
    """Add the commands of each package, or a command that refuses in its place."""
    for name in PACKAGES:
        if find_spec(name) is not None and find_spec(f"{name}.command") is not None:
            app.add_typer(getattr(import_module(f"{name}.command"), name))
        else:
            app.command(name, context_settings=ANY_ARGUMENTS)(refuse)


def refuse(context: typer.Context) -> None:
    """Refuse: this command comes with the source tree alone."""
    with told_in_a_sentence(PackageMissing):
        raise PackageMissing(
            f"expected the package {context.info_name}, found none: it comes with the source tree of Spina alone"
        )
