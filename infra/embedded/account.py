"""As whom the servers run: PostgreSQL refuses root, and neither server has any business being it."""

import os
import pwd
import sys
from enum import StrEnum
from pathlib import Path

from msgspec import Struct


class Way(StrEnum):
    OWN = "own"
    NAMESPACE = "namespace"
    NOBODY = "nobody"


class Account(Struct, frozen=True, kw_only=True):
    """An identity for the servers; `uid` and `gid` own their files as seen from outside."""

    way: Way
    uid: int
    gid: int

    def as_argument(self) -> str:
        """Write the form that launch.py parses; must agree with its main."""
        return f"user:{self.uid}:{self.gid}" if self.way is Way.NOBODY else self.way.value


def candidates() -> tuple[Account, ...]:
    """Identities worth trying, the best first."""
    own = Account(way=Way.OWN, uid=os.geteuid(), gid=os.getegid())
    if own.uid != 0:
        return (own,)
    nobody = pwd.getpwnam("nobody")
    by_name = Account(way=Way.NOBODY, uid=nobody.pw_uid, gid=nobody.pw_gid)
    if sys.platform != "linux":
        return (by_name,)
    # A namespace needs no change of owner; default container profiles forbid it, and `nobody` remains.
    return (Account(way=Way.NAMESPACE, uid=0, gid=own.gid), by_name)


def give(folder: Path, account: Account) -> None:
    """Make the account own a server's folder. The folder itself comes last, so an interrupted walk is done again."""
    if os.geteuid() != 0 or folder.stat().st_uid == account.uid:
        return
    for path, folders, files in os.walk(folder, topdown=False):
        for name in (*folders, *files):
            os.chown(Path(path, name), account.uid, account.gid, follow_symlinks=False)
    os.chown(folder, account.uid, account.gid)
