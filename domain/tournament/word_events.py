"""What people say in a tournament: announcements, calls for an organiser, and their answers."""

from msgspec import Struct

from domain.log.events import Reason
from domain.tournament.fields import EntrantField, VersionField


class Announced(Struct, frozen=True, kw_only=True):
    """A word of the organisers to these entrants, ascending; to all where none is named."""

    text: Reason
    entrants: tuple[EntrantField, ...]


class OrganiserCalled(Struct, frozen=True, kw_only=True):
    """An entrant asks for an organiser: a dispute at the table, or anything that needs a hand."""

    entrant: EntrantField
    text: Reason


class CallAnswered(Struct, frozen=True, kw_only=True):
    """The answer to the call in this line."""

    line: VersionField
    text: Reason
