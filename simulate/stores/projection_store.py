"""Projections in memory, for tests: the same contract as in Postgres, gone with the process.

Any number of desks stand around one store; a lock is a desk's for as long as it is open.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from domain.ids import LogPosition
from infra.projection_store import Advance, Build, BuildMoved, Row, Sought, SoughtPlaces, StoredRow, find_rank

_replace = msgspec.structs.replace


class MemoryProjections:
    """No method waits, so each is one step to everyone else on the loop."""

    def __init__(self) -> None:
        self.builds: dict[int, Build] = {}
        self.rows: dict[int, dict[tuple[str, bytes], StoredRow]] = {}
        self.locks: dict[int, object] = {}

    async def list_builds(self) -> list[Build]:
        return list(self.builds.values())

    async def list_owners(self, projection: str, sought: Sought, *, limit: int) -> list[StoredRow]:
        found = [
            row
            for row in self._live(projection)
            if row.place == b""
            and row.labels
            and (_has(row, sought.labels) or _has(row, sought.or_labels or sought.labels))
            and (sought.before is None or row.rank < sought.before)
            and (row.from_ms <= sought.now_ms or row.owner in sought.known)
        ]
        return sorted(found, key=lambda row: row.rank, reverse=True)[:limit]

    async def list_places(self, projection: str, owner: str, sought: SoughtPlaces, *, limit: int) -> list[StoredRow]:
        found = [
            row
            for row in sorted(self._placed(projection, owner), key=lambda row: row.rank, reverse=True)
            if sought.after < row.rank
            and (sought.before is None or row.rank < sought.before)
            and not set(sought.without) & set(row.labels)
            and (sought.now_ms is None or row.from_ms <= sought.now_ms)
        ]
        return found[:limit]

    async def list_hidden(self, projection: str, owner: str, *, limit: int) -> list[StoredRow]:
        return [row for row in reversed(self._placed(projection, owner)) if row.from_ms > 0][:limit]

    async def count_labels(self, projection: str, owner: str) -> list[tuple[tuple[str, ...], int]]:
        return sorted(Counter(row.labels for row in self._placed(projection, owner)).items())

    def _live(self, projection: str) -> list[StoredRow]:
        live = [build.id for build in self.builds.values() if build.projection == projection and build.status == "live"]
        return [row for build in live for row in self.rows[build].values()]

    def _placed(self, projection: str, owner: str) -> list[StoredRow]:
        found = [row for row in self._live(projection) if row.owner == owner and row.place]
        return sorted(found, key=lambda row: row.place)


class MemoryProjectorDesk:
    def __init__(self, store: MemoryProjections) -> None:
        self._store = store

    def close(self) -> None:
        """Let go of every lock, as a connection does that ends."""
        self._store.locks = {build: desk for build, desk in self._store.locks.items() if desk is not self}

    async def list_builds(self) -> list[Build]:
        return await self._store.list_builds()

    async def begin_missing(self, projection: str, version: int) -> None:
        if not any(build.version >= version for build in self._not_retired(projection)):
            self._add(projection, version)

    async def begin_another(self, projection: str, version: int) -> Build:
        for each in self._not_retired(projection):
            if each.version == version and (each.status == "building" or each.position == 0):
                return each
        build = self._add(projection, version)
        await self.hold(build)
        return build

    async def hold(self, build: Build) -> bool:
        return self._store.locks.setdefault(build.id, self) is self

    async def read_states(self, build: Build, owners: Sequence[str]) -> dict[str, bytes]:
        rows = self._store.rows.get(build.id, {})
        return {owner: rows[owner, b""].body for owner in owners if (owner, b"") in rows}

    async def advance(self, advance: Advance) -> None:
        build = self._store.builds.get(advance.build.id)
        if build is None or build.status == "retired" or build.position != advance.build.position:
            raise BuildMoved(advance.build)
        self._store.builds[build.id] = _replace(build, position=advance.position)
        rows = self._store.rows[build.id]
        rows.update({(row.owner, row.place): _stored(row) for row in advance.rows})
        self._store.rows[build.id] = {key: row for key, row in rows.items() if row.body}

    async def swap(self, build: Build) -> bool:
        known = {each.id: each for each in self._not_retired(build.projection)}
        ours = known.get(build.id)
        if ours is None or any(build.status == "live" and build.position > ours.position for build in known.values()):
            return False
        for each in known.values():
            if each.id != build.id and (each.status == "live" or each.version <= build.version):
                self._store.builds[each.id] = _replace(each, status="retired")
        self._store.builds[build.id] = _replace(ours, status="live")
        return True

    async def drop_some(self, build: Build) -> bool:
        self._store.rows.pop(build.id, None)
        self._store.builds.pop(build.id, None)
        return False

    def _not_retired(self, projection: str) -> list[Build]:
        builds = self._store.builds.values()
        return [build for build in builds if build.projection == projection and build.status != "retired"]

    def _add(self, projection: str, version: int) -> Build:
        has_live = any(build.status == "live" for build in self._not_retired(projection))
        build = Build(
            id=max(self._store.builds, default=0) + 1,
            projection=projection,
            version=version,
            position=LogPosition(0),
            status="building" if has_live else "live",
        )
        self._store.builds[build.id] = build
        self._store.rows[build.id] = {}
        return build


def _has(row: StoredRow, labels: Sequence[str]) -> bool:
    return set(labels) <= set(row.labels)


def _stored(row: Row) -> StoredRow:
    return StoredRow(
        owner=row.owner,
        place=row.place,
        labels=row.labels,
        from_ms=row.from_ms,
        body=row.body,
        rank=find_rank(row),
    )
