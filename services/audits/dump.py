"""A data set of public games from a folder of bundles: the same bytes from the same bundles, on every machine.

games.ndjson games.csv  seats.ndjson seats.csv  moves.ndjson moves.csv   a row each
boards.ndjson, and boards-RULESET.csv with a column for every feature
SHA256SUMS              of these files, as `sha256sum -c` reads it
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any, Self, TextIO

import msgspec
from msgspec import Struct

from domain.audit.archive import BadArchive
from domain.audit.bundle import BUNDLE_SIZE_MAX, parse_bundle
from domain.audit.moments import NotReplayable
from domain.canonical import encode
from domain.rulesets.released import Rebuilder
from services.audits.dump_rows import BoardRow, GameRow, GameRows, MoveRow, SeatRow, read_rows
from services.audits.files import find_files, read_file

SUMS = "SHA256SUMS"
TOURNAMENT_SUFFIX = ".tournament.zip"
TABLES: dict[str, type[Struct]] = {"games": GameRow, "seats": SeatRow, "moves": MoveRow}
BOARD_COLUMNS = ("game", "version", "seat")
# Columns of any JSON.
OF_RULESETS = frozenset({"options", "action"})
BLOCK_BYTES = 1024 * 1024


class DumpRefused(Exception):
    """The dump cannot be written there."""


class Dumped(Struct, frozen=True, kw_only=True):
    """`sums` is the SHA-256 of SHA256SUMS, and so of the whole dump; `unreadable` are files that are no bundle."""

    games: int
    moves: int
    left_out: int
    sums: str
    unreadable: tuple[str, ...]


def list_bundles(paths: Sequence[Path]) -> list[Path]:
    """List the bundles of games by their names, which are ids of games: time goes by with them."""
    games = (path for path in find_files(paths) if not path.name.endswith(TOURNAMENT_SUFFIX))
    return sorted(games, key=lambda path: (path.name, str(path)))


def write_dump(files: Iterable[Path], to: Path, *, since: str, until: str) -> Dumped:
    """Write the public games that ended from `since` on and before `until` (times as in the log).

    The folder is there once it is whole. Raises DumpRefused where it is there already, and OSError.
    """
    if to.exists():
        raise DumpRefused(f"expected no folder {to}, found one: a dump is never written over another")
    unfinished = to.with_name(f"{to.name}.new")
    if unfinished.exists():
        raise DumpRefused(f"expected no folder {unfinished}, found one: another dump is being written, or was stopped")
    unfinished.mkdir(parents=True)
    unreadable: list[str] = []
    games = moves = left_out = 0
    with _Tables(unfinished) as tables:
        for rows in _read_all(files, unreadable):
            if rows is None or not since <= rows.game.ended_at < until:
                left_out += 1
                continue
            tables.write(rows)
            games, moves = games + 1, moves + len(rows.moves)
    _write_board_tables(unfinished)
    sums = "".join(f"{_digest(path)}  {path.name}\n" for path in sorted(unfinished.iterdir()))
    (unfinished / SUMS).write_text(sums, encoding="ascii")
    unfinished.rename(to)
    digest = sha256(sums.encode()).hexdigest()
    return Dumped(games=games, moves=moves, left_out=left_out, sums=digest, unreadable=tuple(unreadable))


def _read_all(files: Iterable[Path], unreadable: list[str]) -> Iterator[GameRows | None]:
    """Yield the rows of each game once; None for one that is left out."""
    rebuilder, seen = Rebuilder(), set[str]()
    for path in files:
        try:
            rows = read_rows(parse_bundle(read_file(path, size_max=BUNDLE_SIZE_MAX)), rebuilder)
        except (BadArchive, NotReplayable, OSError):
            unreadable.append(path.name)
            continue
        if rows is None:
            yield None
        elif rows.game.game not in seen:
            seen.add(rows.game.game)
            yield rows


class _Tables:
    """The open files of a dump, row by row; cells of CSV that are no number or text are canonical JSON."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._lines = {name: self._open(f"{name}.ndjson") for name in (*TABLES, "boards")}
        self._csv: dict[str, Any] = {}
        for name, row in TABLES.items():
            self._csv[name] = csv.writer(self._open(f"{name}.csv"), lineterminator="\n")
            self._csv[name].writerow(row.__struct_fields__)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def write(self, rows: GameRows) -> None:
        for name, found in (("games", (rows.game,)), ("seats", rows.seats), ("moves", rows.moves)):
            for row in found:
                self._write_line(name, row)
                self._csv[name].writerow(list(list_cells(row)))
        for board in rows.boards:
            self._write_line("boards", board)

    def _write_line(self, name: str, row: Struct) -> None:
        self._lines[name].write(encode(msgspec.to_builtins(row)).decode() + "\n")

    def _open(self, name: str) -> TextIO:
        return self._stack.enter_context((self._folder / name).open("w", encoding="utf-8", newline=""))


def list_cells(row: Struct) -> Iterator[str | int]:
    """Yield the cells of a row. A text that a ruleset chose stands in quotes: no spreadsheet reads it as a formula."""
    for name in row.__struct_fields__:
        value = getattr(row, name)
        if name in OF_RULESETS or isinstance(value, bool) or not isinstance(value, str | int | None):
            yield encode(value).decode()
        else:
            yield "" if value is None else value


def _write_board_tables(folder: Path) -> None:
    """Write the boards of each ruleset as one table; the columns are known once all of them were read."""
    rulesets = {row.game: row.ruleset for row in _read_lines(folder / "games.ndjson", GameRow)}
    columns: dict[str, set[str]] = {}
    for board in _read_lines(folder / "boards.ndjson", BoardRow):
        columns.setdefault(rulesets[board.game], set()).update(board.features)
    for ruleset, features in columns.items():
        names = sorted(features)
        with (folder / f"boards-{ruleset}.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow([*BOARD_COLUMNS, *names])
            for board in _read_lines(folder / "boards.ndjson", BoardRow):
                if rulesets[board.game] == ruleset:
                    cells = [board.features.get(name, "") for name in names]
                    table.writerow([board.game, board.version, board.seat, *cells])


def _read_lines(path: Path, row: type[Any]) -> Iterable[Any]:
    decoder = msgspec.json.Decoder(row)
    with path.open("rb") as file:
        for line in file:
            yield decoder.decode(line)


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
