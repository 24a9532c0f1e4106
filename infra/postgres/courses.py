"""Courses that players drew, each in its canonical form: found by hash for everyone, and listed for their account."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg
from msgspec import Struct

from domain.ids import PlayerId
from infra.postgres.connection import borrowed

# Of one account; the oldest make room, and games on them keep them.
COURSES_MAX = 50

KEEP = """
with added as (
    insert into course (account, hash, ruleset, name, plan) values ($1, $2, $3, $4, $5) on conflict do nothing
)
delete from course where account = $1 and hash in (
    select hash from course where account = $1 and hash <> $2 order by kept_at desc offset $6)
"""

FIND = """
select hash, ruleset, name, plan, kept_at from course where hash = $1 order by kept_at limit 1
"""

LIST = """
select hash, ruleset, name, plan, kept_at from course where account = $1 order by kept_at desc, hash
"""


class KeptCourse(Struct, frozen=True, kw_only=True):
    hash: str
    ruleset: str
    name: str
    plan: bytes
    kept_at: datetime


class Courses:
    """The courses of all accounts. The same course of two accounts is two rows."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def keep(self, account: PlayerId, course: KeptCourse) -> None:
        """Keep a course for an account; one that it keeps already stays as it is."""
        async with borrowed(self._pool) as connection:
            values = course.hash, course.ruleset, course.name, course.plan
            await connection.execute(KEEP, account, *values, COURSES_MAX - 1)

    async def find(self, hash_: str) -> KeptCourse | None:
        """Return the course of this hash, of the account that kept it first."""
        async with borrowed(self._pool) as connection:
            row = await connection.fetchrow(FIND, hash_)
        return None if row is None else KeptCourse(**row)

    async def list_own(self, account: PlayerId) -> Sequence[KeptCourse]:
        """Return the courses of an account, the newest first."""
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(LIST, account)
        return tuple(KeptCourse(**row) for row in rows)
