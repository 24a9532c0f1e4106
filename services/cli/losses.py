"""`spina losses`: a lost game of `spina practice --to` as the bot saw it, decision by decision."""

from pathlib import Path
from typing import Annotated

import typer

Lost = Annotated[Path, typer.Argument(help="A file of losses/.", exists=True, dir_okay=False)]
At = Annotated[int | None, typer.Option("--at", min=1, help="One decision with its board and its choices.")]


def losses(lost: Lost, at: At = None) -> None:
    """Show a lost game as the bot saw it: a line for each decision, with the answer and the board's changes since.

    Exit code 1 where the file is none of `spina practice --to`, or has no such decision.

    Example: spina losses practice/losses/000012.ndjson --at 40
    """
    from services.practice.losses import LossRefused, read_loss
    from services.terminal.loss_printing import print_decision, print_loss
    from services.terminal.refusal import told_in_a_sentence

    with told_in_a_sentence(LossRefused, OSError):
        loss = read_loss(lost.read_bytes())
        if at is None:
            print_loss(loss)
        else:
            print_decision(loss, at)
