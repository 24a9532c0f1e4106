"""Give up root, arrange to end with the supervisor, then execute a server.

A script of its own with the standard library alone: `python -I -S launch.py SUPERVISOR ACCOUNT SIGNAL COMMAND…`.
Between fork and exec of a program with threads nothing of this could be done safely.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522
# The server's user inside a user namespace: `nobody` on every Linux; any number but 0 would do.
INSIDE_ID = 65534
# As a shell states "found, but could not be run".
CANNOT_RUN = 126


def call(function: str, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, function)(*(ctypes.c_ulong(argument) for argument in arguments)) != 0:
        raise OSError(ctypes.get_errno(), f"{function}{arguments}: {os.strerror(ctypes.get_errno())}")


def enter_namespace() -> None:
    """Be a user namespace's only user: root's files stay root's and need no chown, yet nothing in it is uid 0."""
    uid, gid = os.geteuid(), os.getegid()
    call("unshare", CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{INSIDE_ID} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{INSIDE_ID} {gid} 1")


def become(uid: int, gid: int) -> None:
    """Give root up for good. Where Linux allows, keep the right to reach files below folders closed to others."""
    is_linux = sys.platform == "linux"
    if is_linux:
        call("prctl", PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
    if is_linux:
        _keep_file_access()


def _keep_file_access() -> None:
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    bit = 1 << CAP_DAC_OVERRIDE
    sets = (ctypes.c_uint32 * 6)(bit, bit, bit, 0, 0, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(header, sets) == 0:
        call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)


def heed_signals() -> None:
    """Let signals end the server, though the supervisor was started to ignore them, as in the background of a shell."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def die_with(supervisor: int, signal_number: int) -> None:
    """Ask for a signal at the supervisor's death; it must come last, as a change of credentials forgets it."""
    if sys.platform == "linux":
        call("prctl", PR_SET_PDEATHSIG, signal_number, 0, 0, 0)
    # A supervisor that died before the request was made will never be reported.
    if os.getppid() != supervisor:
        sys.exit(CANNOT_RUN)


def main(supervisor: str, account: str, signal_number: str, *command: str) -> None:
    try:
        match account.split(":"):
            case ["own"]:
                pass
            case ["namespace"]:
                enter_namespace()
            case ["user", uid, gid]:
                become(int(uid), int(gid))
            case _:
                raise ValueError(f"expected own, namespace or user:UID:GID, found {account!r}")
        heed_signals()
        die_with(int(supervisor), int(signal_number))
        os.umask(0o077)
        os.execv(command[0], command)  # noqa: S606  no shell is wanted; the command is the supervisor's own
    except OSError as error:
        sys.exit(f"cannot run {command[0]} as {account}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
