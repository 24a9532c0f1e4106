"""A lost game in the terminal: a line for each decision with the changes before it, or one decision whole."""

from typing import Any

import msgspec

from domain.audit.findings import shorten
from services.practice.losses import Loss, list_changes
from services.terminal.plain_console import PlainConsole

# A decision is read at a glance; `--at` shows it whole.
CHANGES_SHOWN_MAX = 6


def print_loss(loss: Loss) -> None:
    """Print each decision with its answer, and how the game ended."""
    console = PlainConsole(soft_wrap=True, highlight=False)
    before: Any = {}
    for number, seen in enumerate(loss.decisions, start=1):
        changes = list_changes(before, seen.board) if before else []
        said = ", ".join(f"{path} {_write(value)}" for path, value in changes[:CHANGES_SHOWN_MAX])
        more = f" and {len(changes) - CHANGES_SHOWN_MAX} more" if len(changes) > CHANGES_SHOWN_MAX else ""
        if said:
            console.print(f"      {shorten(said)}{more}", markup=False)
        console.print(f"{number:>5} {seen.choices.get('kind', '')}: {_write(seen.action)}", markup=False)
        before = seen.board
    end = loss.end
    places = ", ".join(f"{place}. seat {seat}" for seat, place in enumerate(end.places))
    console.print(f"seat {end.seat} of the bot: {end.fault or places}", markup=False)


def print_decision(loss: Loss, number: int) -> None:
    """Print one decision: the board, the choices, and the answer. Raises LossRefused."""
    seen = loss.find(number)
    console = PlainConsole(soft_wrap=True, highlight=False)
    console.print(f"decision {number} of {len(loss.decisions)}, as seat {loss.end.seat} saw it")
    for heading, members in (("board", seen.board), ("choices", seen.choices), ("answer", seen.action or {})):
        console.print(heading)
        for name, value in members.items():
            console.print(f"    {name.replace('_', ' ')}: {_write(value)}", markup=False)


def _write(value: Any) -> str:
    return msgspec.json.encode(value).decode()
