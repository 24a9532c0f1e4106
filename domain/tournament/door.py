"""Who may enter a tournament, by its terms: anybody, who has a code, or whom an organiser admits; and what it is about.

A log has the hashes of codes alone. That a code was shown the server checks; that each one is of the list, and used
once, shows in the log.
"""

from hashlib import sha256
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.ids import Hex32Field
from domain.log.events import REASON_PATTERN
from domain.log.rejections import UnfitEvent
from domain.tournament import rejections
from domain.tournament.fields import EntrantField

# Letters and digits that look unlike each other; sixteen of them are 80 bits.
CODE_PATTERN = r"^[A-HJ-NP-Z2-9]{16,32}$"
CODE_LABEL = b"spina/entry-code/v1\x00"
# With the longest terms beside them they are still a line.
CODES_MAX = 768
TEXT_CHARS_MAX = 1_000
LINE_CHARS_MAX = 100

Code = Annotated[str, Meta(pattern=CODE_PATTERN)]
Line = Annotated[str, Meta(min_length=1, max_length=LINE_CHARS_MAX, pattern=REASON_PATTERN)]
Text = Annotated[str, Meta(min_length=1, max_length=TEXT_CHARS_MAX, pattern=REASON_PATTERN)]


class Door(Struct, frozen=True, kw_only=True):
    """`codes` are hashes, ascending: a shared one lets everybody in, any other one person; none asks for no code.

    With `has_approval` an entrant is not drawn before an organiser admits it. With `has_waiting_list`, which is true or
    left out, entries go on where all places are taken, and come in one by one as places become free.
    """

    codes: Annotated[tuple[Hex32Field, ...], Meta(max_length=CODES_MAX)]
    is_shared: bool
    has_approval: bool
    has_waiting_list: bool | UnsetType = UNSET


class PlaceGiven(Struct, frozen=True, kw_only=True):
    """A place became free: the first of the waiting list is drawn from the next draw on."""

    entrant: EntrantField


class About(Struct, frozen=True, kw_only=True):
    """What people should know before they enter. None of it counts in the tournament."""

    description: Text | None
    place: Line | None
    contact: Line | None
    starts_at: Line | None


OPEN_DOOR = Door(codes=(), is_shared=False, has_approval=False)


def find_door(door: Door | UnsetType) -> Door:
    """Return the door of a tournament, open where its terms have none."""
    return OPEN_DOOR if door is UNSET else door


def hash_code(code: str) -> str:
    """Return the hash of a code, as the log has it."""
    return sha256(CODE_LABEL + code.encode()).hexdigest()


def check_door(door: Door) -> None:
    """Check that codes ascend, none twice, and that there is one where it is shared."""
    if list(door.codes) != sorted(set(door.codes)):
        raise rejections.UnfitTournament(expected="hashes of codes, ascending, none twice", found="others")
    if door.is_shared and len(door.codes) != 1:
        raise rejections.UnfitTournament(expected="one code that is shared", found=f"{len(door.codes)}")
    if door.has_waiting_list is False or (door.has_waiting_list is True and door.has_approval):
        expected = "has_waiting_list to be true without has_approval, or left out"
        raise rejections.UnfitTournament(expected=expected, found=f"{door.has_waiting_list}")


def admit_code(door: Door, code: str | UnsetType, used: frozenset[str]) -> None:
    """Check that an entry names a code of the list, which no other has used."""
    if not door.codes:
        if code is not UNSET:
            raise UnfitEvent(expected="no code, as this tournament asks for none", found="one")
        return
    if code is UNSET or code not in door.codes:
        raise rejections.CodeUnfit(expected="a code of this tournament", found="none" if code is UNSET else "another")
    if code in used and not door.is_shared:
        raise rejections.CodeUnfit(expected="a code that no other has used", found="one that was used")


def require_code(code: str | UnsetType, shown: str | None) -> None:
    """Check that the code itself was shown, of which an entry has the hash."""
    if code is not UNSET and (shown is None or hash_code(shown) != code):
        found = "none" if shown is None else "another"
        raise rejections.CodeUnfit(expected="the code whose hash the entry has", found=found)
