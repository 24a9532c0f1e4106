"""A stored zip with one accepted spelling: the same members always give the same bytes, and no others are read.

Any zip program opens these archives; of other programs' archives only byte-equal ones are accepted.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from struct import Struct as Layout
from typing import NoReturn, Protocol
from zlib import crc32

from msgspec import Struct

# Example, an archive of one member `a` of two bytes (hex, by parts):
#
#     local entry     504b0304 1400 0000 0000 0000 2100 ac2a93d8 02000000 02000000 0100 0000 "a" 6869
#     central entry   504b0102 1400 1400 0000 0000 0000 2100 ac2a93d8 02000000 02000000 0100 0000 0000 0000 0000
#                     00000000 00000000 "a"
#     end             504b0506 0000 0000 0100 0100 2f000000 21000000 0000
#
#     archive = local* central* end                all numbers little-endian, in this order:
#     local   = "PK\3\4" version flags method time date crc size size name-size extra-size name bytes
#     central = "PK\1\2" version version flags method time date crc size size name-size extra-size comment-size
#               disk internal external(4) offset(4) name
#     end     = "PK\5\6" disk disk count count central-size(4) central-offset(4) comment-size
#
# version is 20, method 0 (stored), date 33 (1 January 1980); flags, time, disk, extras, comments and attributes are 0;
# a central entry stands for each local one, in the same order. The members are some of those that the reader names, in
# its order, each at most once.
#
# Refused: a member without a place in that order (an unknown name, a path, a second one of the same name), one that is
# missing, too large, compressed or encrypted, a wrong checksum, and every other byte before, between or after these.

_LOCAL = Layout("<4s5H3I2H")
_CENTRAL = Layout("<4s6H3I5H2I")
_END = Layout("<4s4H2IH")
_LOCAL_MARK, _CENTRAL_MARK, _END_MARK = b"PK\3\4", b"PK\1\2", b"PK\5\6"
_VERSION = 20
# The first day that a zip can name, as the fixed bytes need some day.
_DATE = 33
_NAME_SIZE_MAX = 100
# A tournament has hundreds of members, of which a reader wants to see a few.
NAMES_SHOWN_MAX = 8
_SHOWN_BYTES = 8


class BadArchive(ValueError):
    """These bytes are not an archive of the expected members."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class Slot(Struct, frozen=True, kw_only=True):
    """The members allowed at one place of the order."""

    name: str
    size_max: int
    is_required: bool


class Member(Struct, frozen=True, kw_only=True):
    name: str
    body: bytes


class Source(Protocol):
    """Bytes that are read piece by piece: an archive may be larger than memory."""

    def __len__(self) -> int: ...

    def __getitem__(self, piece: slice, /) -> bytes: ...


class Place(Struct, frozen=True, kw_only=True):
    """Where the bytes of a member stand in its archive."""

    name: str
    start: int
    size: int
    checksum: int

    def read(self, source: Source) -> Member:
        return Member(name=self.name, body=source[self.start : self.start + self.size])


class Part:
    """The bytes of a member, read piece by piece as well."""

    def __init__(self, source: Source, place: Place) -> None:
        self._source = source
        self._place = place

    def __len__(self) -> int:
        return self._place.size

    def __getitem__(self, piece: slice) -> bytes:
        start, stop, _ = piece.indices(len(self))
        return self._source[self._place.start + start : self._place.start + max(start, stop)]


class ArchiveWriter:
    """Writes members one after the other, so that only one is in memory."""

    def __init__(self) -> None:
        self._central = bytearray()
        self._size = 0
        self._count = 0

    def add(self, member: Member) -> bytes:
        """Return the next bytes of the archive."""
        return self.add_head(member.name, size=len(member.body), checksum=crc32(member.body)) + member.body

    def add_head(self, name: str, *, size: int, checksum: int) -> bytes:
        """Return the bytes before those of the member, which come next."""
        shared = (0, 0, 0, _DATE, checksum, size, size, len(name.encode()), 0)
        self._central += _CENTRAL.pack(_CENTRAL_MARK, _VERSION, _VERSION, *shared, 0, 0, 0, 0, self._size)
        self._central += name.encode()
        head = _LOCAL.pack(_LOCAL_MARK, _VERSION, *shared) + name.encode()
        self._size += len(head) + size
        self._count += 1
        return head

    def end(self) -> bytes:
        """Return the last bytes of the archive."""
        sizes = (len(self._central), self._size)
        return bytes(self._central) + _END.pack(_END_MARK, 0, 0, self._count, self._count, *sizes, 0)


def format_archive(members: Iterable[Member]) -> bytes:
    """Write members in the order given."""
    writer = ArchiveWriter()
    return b"".join([*map(writer.add, members), writer.end()])


def parse_archive(raw: Source, slots: Sequence[Slot]) -> tuple[Member, ...]:
    """Read the members from their one accepted spelling, or raise BadArchive."""
    return tuple(place.read(raw) for place in find_members(raw, slots))


def find_members(raw: Source, slots: Sequence[Slot]) -> tuple[Place, ...]:
    """Find the members in their one accepted spelling, or raise BadArchive. One is in memory at a time."""
    _check_begin(raw)
    places = tuple(_find_members(raw, list(slots)))
    _check_end(raw, places)
    return places


def find_first(raw: Source, slots: Sequence[Slot]) -> Place:
    """Find the last of the members that come first; raises BadArchive. What comes after them is not looked at."""
    _check_begin(raw)
    places = list(islice(_find_members(raw, list(slots)), len(slots)))
    if len(places) < len(slots):
        _refuse_missing(slots[len(places)])
    return places[-1]


def _check_end(raw: Source, places: Sequence[Place]) -> None:
    """Compare all that stands after the members with its one spelling. Each member was compared with its own."""
    writer = ArchiveWriter()
    for place in places:
        writer.add_head(place.name, size=place.size, checksum=place.checksum)
    offset, spelled = places[-1].start + places[-1].size if places else 0, writer.end()
    found = raw[offset : offset + len(spelled)]
    if found != spelled:
        pairs = enumerate(zip(found, spelled, strict=False))
        at = next((place for place, (one, other) in pairs if one != other), len(found))
        _refuse_spelling(raw, offset + at, spelled[at : at + _SHOWN_BYTES])
    if len(raw) > offset + len(spelled):
        _refuse_spelling(raw, offset + len(spelled), b"")


def _refuse_spelling(raw: Source, offset: int, spelled: bytes) -> NoReturn:
    found = raw[offset : offset + _SHOWN_BYTES]
    raise BadArchive(
        expected=f"{spelled.hex() or 'the end'} at byte {offset}",
        found=f"{found.hex() or 'the end'} there, of {len(raw)} bytes",
    )


def _check_begin(raw: Source) -> None:
    """Distinguish a file that is no zip from a damaged one."""
    begin = raw[: len(_LOCAL_MARK)]
    if begin not in {_LOCAL_MARK, _END_MARK}:
        found = f"a file that begins with {begin.hex()}" if begin else "an empty file"
        raise BadArchive(expected="a zip", found=found)


def _refuse_missing(slot: Slot) -> NoReturn:
    raise BadArchive(expected=f"an archive with {slot.name} at its beginning", found="none")


def _find_members(raw: Source, waiting: list[Slot]) -> Iterator[Place]:
    offset = 0
    while raw[offset : offset + len(_LOCAL_MARK)] == _LOCAL_MARK:
        head = raw[offset : offset + _LOCAL.size]
        if len(head) < _LOCAL.size:
            raise BadArchive(expected=f"an entry of {_LOCAL.size} bytes at byte {offset}", found="the end")
        _, version, flags, method, time, date, checksum, packed, size, name_size, extra = _LOCAL.unpack(head)
        if (version, flags, method, time, date, extra) != (_VERSION, 0, 0, 0, _DATE, 0) or packed != size:
            found = f"version {version}, flags {flags}, method {method}, date {date}, {extra} bytes of extras"
            raise BadArchive(expected=f"a plain stored member at byte {offset}", found=found)
        offset += _LOCAL.size
        name = raw[offset : offset + min(name_size, _NAME_SIZE_MAX)]
        slot = _take_slot(name, waiting)
        offset += name_size
        if size > slot.size_max or offset + size > len(raw):
            expected = f"at most {min(slot.size_max, max(0, len(raw) - offset))} bytes of {slot.name}"
            raise BadArchive(expected=expected, found=f"{size} bytes")
        computed = crc32(raw[offset : offset + size])
        if computed != checksum:
            raise BadArchive(expected=f"{slot.name} with the checksum {checksum:08x}", found=f"{computed:08x}")
        yield Place(name=slot.name, start=offset, size=size, checksum=checksum)
        offset += size
    _check_complete(waiting)


def _take_slot(name: bytes, waiting: list[Slot]) -> Slot:
    """Take the next place with this name; those before it stay empty, if they may."""
    for place, slot in enumerate(waiting):
        if slot.name.encode() == name:
            _check_complete(waiting[:place])
            del waiting[: place + 1]
            return slot
    raise BadArchive(expected=f"as next member {_names(waiting) or 'none'}", found=ascii(name.decode("latin-1")))


def _check_complete(passed: Sequence[Slot]) -> None:
    missing = [slot for slot in passed if slot.is_required]
    if missing:
        raise BadArchive(expected=f"the member {_names(missing)}", found="none at its place")


def _names(slots: Sequence[Slot]) -> str:
    names = [slot.name for slot in slots[:NAMES_SHOWN_MAX]]
    return " or ".join([*names, "others"] if len(slots) > NAMES_SHOWN_MAX else names)
