"""Examines the machine: a finding and a remedy for each need of a server. Changes nothing."""

import os
import platform
import resource
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from infra.embedded.folder import find_holder
from infra.keys import KeyRefused, read_given_key
from infra.open_files import read_reachable
from infra.settings import Settings
from services.node.http_server import PortRefused, held_port

PYTHON_MIN = (3, 11)
MACHINES = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64"), ("Darwin", "x86_64")}
# Years of games on one server; with less, the database stops in the middle of one.
DISK_FREE_MIN = 1024**3
# A socket a spectator, and some for the rest; with less the server runs, and has room for fewer.
OPEN_FILES_MIN = 4096
PROC = Path("/proc")
LISTENING = "0A"


class Finding(Struct, frozen=True, kw_only=True):
    what: str
    # Whether a server can run with it.
    is_ok: bool
    found: str
    # The remedy; empty where none is needed. Beside an `ok` it is only a piece of advice.
    advice: str = ""


def examine_machine(settings: Settings) -> list[Finding]:
    return [
        Finding(what="settings", is_ok=True, found="all variables are understood"),
        examine_python(sys.version_info[:3]),
        examine_account(os.geteuid()),
        examine_platform(platform.system(), platform.machine()),
        examine_disk(settings.data, disk_free=shutil.disk_usage(_existing(settings.data)).free),
        examine_open_files(read_reachable()),
        examine_port(settings),
        examine_key_file(settings),
    ]


def examine_python(found: tuple[int, ...]) -> Finding:
    text = ".".join(map(str, found))
    if found >= PYTHON_MIN:
        return Finding(what="python", is_ok=True, found=text)
    return Finding(what="python", is_ok=False, found=text, advice="take 3.11 or later: make PYTHON=python3.11")


def examine_account(uid: int) -> Finding:
    """Look at the account of the HTTP server; the embedded servers give up root by themselves."""
    if uid != 0:
        return Finding(what="account", is_ok=True, found=f"number {uid}")
    advice = "serve as an ordinary account: a hole in the server would be one in the machine"
    return Finding(what="account", is_ok=True, found="root", advice=advice)


def examine_platform(system: str, machine: str) -> Finding:
    found = f"{system} {machine}"
    if (system, machine) in MACHINES:
        return Finding(what="platform", is_ok=True, found=found)
    advice = "the embedded servers do not run here: give SPINA_DATABASE_URL and SPINA_REDIS_URL"
    return Finding(what="platform", is_ok=False, found=found, advice=advice)


def examine_disk(folder: Path, *, disk_free: int) -> Finding:
    found = f"{disk_free / 1024**3:.1f} GiB free at {folder}"
    if disk_free >= DISK_FREE_MIN:
        return Finding(what="disk", is_ok=True, found=found)
    return Finding(
        what="disk", is_ok=False, found=found, advice="make room for 1 GiB, or set SPINA_DATA to a larger disk"
    )


def examine_open_files(limit: int) -> Finding:
    """Look at the limit that a start reaches; with a low one games go on, and fewer spectators fit."""
    found = "unlimited" if limit == resource.RLIM_INFINITY else f"{limit} for a server"
    if limit == resource.RLIM_INFINITY or limit >= OPEN_FILES_MIN:
        return Finding(what="open files", is_ok=True, found=found)
    advice = f"for more spectators let this account open {OPEN_FILES_MIN} (ulimit -H -n)"
    return Finding(what="open files", is_ok=True, found=found, advice=advice)


def examine_port(settings: Settings) -> Finding:
    """Look whether the port can be had, or is had by the server whose data these are."""
    host, port = settings.host, settings.port
    try:
        with held_port(host, port):
            return Finding(what="port", is_ok=True, found=f"{port} of {host} is free")
    except PortRefused as refusal:
        listener = find_listener(port)
        if listener is not None and (listener == find_holder(settings.data) or serves_spina(listener)):
            return Finding(what="port", is_ok=True, found=f"your server has {port} of {host}, as process {listener}")
        stop = "stop what listens there" if listener is None else f"stop process {listener}"
        return Finding(what="port", is_ok=False, found=str(refusal), advice=f"{stop}, or set SPINA_PORT")


def serves_spina(process: int) -> bool:
    """State by its command whether a process is a server of ours: with a given database no folder names it."""
    try:
        program, *arguments = (PROC / str(process) / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return False
    names = {Path(argument).name for argument in (program, *arguments)}
    return "serve" in arguments and not names.isdisjoint({"spina", "services.cli"})


def examine_key_file(settings: Settings) -> Finding:
    if settings.has_embedded_servers and settings.master_key is None and not settings.key_file.exists():
        return Finding(what="master key", is_ok=True, found="none yet; the first start makes one")
    try:
        return Finding(what="master key", is_ok=True, found=f"its id is {read_given_key(settings).key_id}")
    except KeyRefused as refusal:
        return Finding(what="master key", is_ok=False, found=str(refusal), advice="spina keys create, or bring it back")


def _existing(folder: Path) -> Path:
    """Find the nearest folder above that exists: the disk the data would be on."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())


def find_listener(port: int, proc: Path = PROC) -> int | None:
    """Find the process that listens there, if it is one of this account's own."""
    wanted = {f"socket:[{inode}]" for inode in _list_inodes(port, proc)}
    if not wanted:
        return None
    return next((int(path.name) for path in proc.glob("[0-9]*") if wanted & _list_sockets(path)), None)


def _list_inodes(port: int, proc: Path) -> list[str]:
    rows = [row.split() for name in ("tcp", "tcp6") for row in _read_rows(proc / "net" / name)]
    return [row[9] for row in rows if row[3] == LISTENING and int(row[1].rpartition(":")[2], base=16) == port]


def _read_rows(table: Path) -> list[str]:
    try:
        return table.read_text().splitlines()[1:]
    except OSError:
        return []


def _list_sockets(process: Path) -> set[str]:
    sockets = set[str]()
    # Another account's process, or one that has ended, shows no files; a file may be closed while we look.
    with suppress(OSError):
        for file in (process / "fd").iterdir():
            with suppress(OSError):
                sockets.add(str(file.readlink()))
    return sockets
