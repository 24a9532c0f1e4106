"""The process that listens on a port of this machine, from `/proc`; unknown where there is none."""

from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"


def find_listener(port: int) -> int | None:
    """Find the process that listens there, if it is one of this account's own."""
    wanted = {f"socket:[{inode}]" for inode in _list_inodes(port)}
    if not wanted:
        return None
    return next((int(each.name) for each in PROC.glob("[0-9]*") if wanted & _list_sockets(each)), None)


def _list_inodes(port: int) -> list[str]:
    rows = [row.split() for name in ("tcp", "tcp6") for row in _read_rows(PROC / "net" / name)]
    return [row[9] for row in rows if row[3] == LISTENING and int(row[1].rpartition(":")[2], base=16) == port]


def _read_rows(table: Path) -> list[str]:
    try:
        return table.read_text().splitlines()[1:]
    except OSError:
        return []


def _list_sockets(process: Path) -> set[str]:
    try:
        return {str(each.readlink()) for each in (process / "fd").iterdir()}
    except OSError:
        return set()  # another account's, or it ended while we looked
