"""A log in sentences, line by line, and a small board: for people who settle a dispute."""

from typing import Any

import msgspec
from rich.table import Table
from rich.text import Text

from domain.audit.findings import shorten
from domain.audit.moments import Moment
from domain.canonical import encode
from domain.game.clock import find_deadline_ms, waits_for_seat
from domain.game.state import Game, Owed, held_seat
from domain.ids import Seat
from domain.log.entry import Entry, as_stored
from domain.log.record import BadLine, BrokenChain, format_at, read_chain
from domain.sentences import words as sentences
from domain.sentences.words import Words
from services.reading.shown import show_choices

# Of a hash, a key or a link so much is shown: enough to distinguish it from the next one.
HEX_SHOWN = 8
HEX_LENGTH_MIN = 64
WORDS_MAX = 160
# The board is small: longer values are for `--json`.
BOARD_CHARACTERS_MAX = 60


def tell_line(words: Words, entry: Entry) -> str:
    """Describe a line: its place, its time, its author, and its sentence of the chronicle.

    Details such as rolls have their fields beside them, so that a reader can check them.
    """
    line = entry.line
    told = sentences.tell_line(words, line)
    by = "" if line.kind == "outcome" else f"{line.by}: "
    said = ", ".join(f"{_words(name)} {_value(each)}" for name, each in line.data.items() if each is not None)
    fields = f" · {said}" if told.weight == "quiet" and said else ""
    indent = "    " if line.kind == "outcome" else ""
    return f"{line.version:>5}  {line.at[11:19]}  {indent}{shorten(_cut(by + told.text + fields))}"


def find_break(log: bytes) -> str | None:
    """Return where a line does not follow from the one before it, which costs a hash a line; None where all do."""
    try:
        for _ in read_chain(log.splitlines()):
            pass
    except (BadLine, BrokenChain) as broken:
        return shorten(str(broken))
    return None


def build_frame(moment: Moment, seat: Seat | None) -> bytes:
    """Encode a frame; `board` is the view of the seat, or of the public, and null before the start."""
    line, choices = msgspec.Raw(moment.entry.raw), show_choices(moment.game, seat) if moment.is_complete else {}
    return msgspec.json.encode(
        {"version": moment.entry.line.version, "line": line, "board": _show(moment, seat), "choices": choices}
    )


def build_board(moment: Moment, seat: Seat | None) -> Table:
    """Draw the part read at a glance: the ranking, owed decisions, and other short values."""
    game = moment.game
    whose = "the public" if seat is None else f"seat {seat}"
    table = Table(title=f"after line {game.version}, as {whose} saw it: {game.status}", show_header=False)
    shown = _show(moment, seat)
    if shown is None:
        return table
    ranking = game.ruleset.ranking(game.board)
    table.add_row("ranking", ", ".join(f"{place.place}. seat {place.seat}" for place in ranking))
    owed = ", ".join(_tell_owed(game, due) for due in game.owed)
    table.add_row("owed", Text((owed or "nothing") if moment.is_complete else "nothing, the play goes on"))
    for name, each in shown.items():
        if isinstance(each, list) and each and all(isinstance(row, dict) and "seat" in row for row in each):
            for row in each:
                table.add_row(f"{_words(name)}, seat {row['seat']}", Text(_short_members(row)))
        elif len(_value(each)) <= BOARD_CHARACTERS_MAX:
            table.add_row(_words(name), Text(shorten(_value(each))))
    return table


def _tell_owed(game: Game, owed: Owed) -> str:
    """Describe an owed decision; while a clock runs, also its deadline and the seat's bank."""
    said = f"seat {owed.decision.seat} {owed.decision.id}"
    deadline_ms = find_deadline_ms(game, owed)
    if deadline_ms is None or not waits_for_seat(game, owed):
        return said
    bank_s = held_seat(game, owed.decision.seat).bank_ms / 1000
    return f"{said} until {format_at(deadline_ms)[11:19]} (bank {bank_s:g} s)"


def _short_members(row: dict[str, Any]) -> str:
    members = [f"{_words(name)} {_value(each)}" for name, each in row.items() if name != "seat"]
    return shorten(", ".join(member for member in members if len(member) <= BOARD_CHARACTERS_MAX))


def _show(moment: Moment, seat: Seat | None) -> dict[str, Any] | None:
    board = moment.game.board
    if board is None:
        return None
    shown: dict[str, Any] = as_stored(moment.game.ruleset.view(board, seat))
    return shown


def _value(value: Any) -> str:
    match value:
        case str():
            is_hex = len(value) >= HEX_LENGTH_MIN and not set(value) - set("0123456789abcdef")
            return f"{value[:HEX_SHOWN]}…" if is_hex else value
        case bool() | None:
            return {True: "yes", False: "no", None: "none"}[value]
        case list() if value and all(isinstance(item, int | str) for item in value):
            return " ".join(_value(item) for item in value)
        case dict():
            return "{" + ", ".join(f"{_words(name)} {_value(each)}" for name, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(_value(item) for item in value) + "]"
        case _:
            return encode(value).decode()


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cut(text: str) -> str:
    return text if len(text) <= WORDS_MAX else f"{text[:WORDS_MAX]}…"
