"""The contract of the store of projections: rows and progress change together or not at all.

A build is one fold of a projection by one version of its code. Readers see the live build alone.
"""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from domain.ids import LogPosition

# One call of a read may ask for so many: some hundreds of kilobytes.
ROWS_MAX = 1_000


class Row(Protocol):
    """A row as a projection writes it; the last one of an owner and place stays, and an empty body deletes it."""

    @property
    def owner(self) -> str: ...
    @property
    def place(self) -> bytes: ...
    @property
    def labels(self) -> tuple[str, ...]: ...  # without spaces
    @property
    def from_ms(self) -> int: ...
    @property
    def rank(self) -> str: ...  # its place in lists, the highest first; empty: by owner or place
    @property
    def body(self) -> bytes: ...


class Build(Struct, frozen=True, kw_only=True):
    """`position` is the last event that is in its rows."""

    id: int
    projection: str
    version: int
    position: LogPosition
    status: Literal["building", "live", "retired"]


class Advance(Struct, frozen=True, kw_only=True):
    """A step of a build, all of which is stored or nothing: from where it stood, and to where."""

    build: Build
    position: LogPosition
    rows: Sequence[Row]


class StoredRow(Struct, frozen=True, kw_only=True):
    owner: str
    place: bytes
    labels: tuple[str, ...]
    from_ms: int
    body: bytes
    rank: str = ""


def find_rank(row: Row) -> str:
    return row.rank or row.place.hex() or row.owner


class Sought(Struct, frozen=True, kw_only=True):
    """Rows that have all of `labels`, or all of `or_labels`, and are not hidden from the public or are `known`.

    `before` is the rank of the last row that was listed already.
    """

    labels: tuple[str, ...]
    or_labels: tuple[str, ...]
    before: str | None
    now_ms: int
    known: tuple[str, ...] = ()


class SoughtPlaces(Struct, frozen=True, kw_only=True):
    """Rows that have none of the labels `without`; where `now_ms` is null, also those hidden from the public.

    `before` is the rank of the last row that was listed already; rows end above the rank `after`.
    """

    without: tuple[str, ...] = ()
    before: str | None = None
    after: str = ""
    now_ms: int | None


class BuildMoved(Exception):
    """Another process has advanced, swapped or dropped the build since it was read; nothing of this step was stored."""

    def __init__(self, build: Build) -> None:
        self.build = build
        super().__init__(f"build {build.id} of {build.projection} is no longer at position {build.position}")


class Projections(Protocol):
    """The part for every process. Every method raises `StoreUnavailable` when the store cannot be reached in time."""

    async def list_builds(self) -> list[Build]:
        """All there are, in the order in which they were begun."""

    async def list_owners(self, projection: str, sought: Sought, *, limit: int) -> list[StoredRow]:
        """Rows without a place, by descending owner."""

    async def list_places(self, projection: str, owner: str, sought: SoughtPlaces, *, limit: int) -> list[StoredRow]:
        """Rows of an owner by descending place."""

    async def list_hidden(self, projection: str, owner: str, *, limit: int) -> list[StoredRow]:
        """Rows of an owner that the public may not have known of at first, by descending place."""

    async def count_labels(self, projection: str, owner: str) -> list[tuple[tuple[str, ...], int]]:
        """Count the rows of an owner that have a place, by all of their labels."""


class ProjectorDesk(Protocol):
    """A session on one connection, whose locks go with it. A write that raises `StoreUnavailable` may be done."""

    async def list_builds(self) -> list[Build]:
        """All there are, in the order in which they were begun."""

    async def begin_missing(self, projection: str, version: int) -> None:
        """Begin a build unless there is one of this version or a later one. The first of all is live at once."""

    async def begin_another(self, projection: str, version: int) -> Build:
        """Begin a build beside the live one and hold it, or return the one of this version that was begun."""

    async def hold(self, build: Build) -> bool:
        """Try to take the build's lock, for as long as the connection lasts; state whether it was free."""

    async def read_states(self, build: Build, owners: Sequence[str]) -> dict[str, bytes]:
        """Return the bodies of the rows without a place."""

    async def advance(self, advance: Advance) -> None:
        """Return when the step is durable, or raise BuildMoved."""

    async def swap(self, build: Build) -> bool:
        """Serve this build from now on, unless the live one is ahead of it; state whether it is served."""

    async def drop_some(self, build: Build) -> bool:
        """Delete rows of a retired build, and then the build itself; state whether there may be more."""
