"""The people of a tournament and what they say, as they are shown."""

from msgspec import Struct
from msgspec.structs import asdict

from domain.ids import PlayerId, StreamVersion
from domain.log.record import format_at
from domain.tournament.contender import Entrant
from domain.tournament.role_events import Role
from domain.tournament.state import Tournament
from services.reading.tournaments.sentences import Names

# How a line names its author, before the id or the number.
ORGANISER = "organiser:"
HELPER = "helper:"


class Who(Struct, frozen=True, kw_only=True):
    """An entrant, by number, account and name."""

    entrant: int
    player: PlayerId
    name: str | None


class CallShown(Who, frozen=True, kw_only=True):
    """An entrant's call for an organiser in this line; `answer` is null until one has answered."""

    line: StreamVersion
    at: str
    text: str
    answer: str | None
    answered_by: str | None


class AnnouncementShown(Struct, frozen=True, kw_only=True):
    """A word of an organiser; to all where no entrant is named."""

    line: StreamVersion
    at: str
    by: str
    by_name: str | None
    text: str
    entrants: tuple[Entrant, ...]


class HelperShown(Struct, frozen=True, kw_only=True):
    """A helper, invited in this line to the holder of the secret that `link` is the hash of.

    `player`, `name` and `key` are null until the invitation is taken.
    """

    helper: int
    role: Role
    player: PlayerId | None
    name: str | None
    key: str | None
    link: str
    line: StreamVersion
    is_dismissed: bool


class LookShown(Struct, frozen=True, kw_only=True):
    """A look of a commentator or an organiser at the game of a table inside its delay."""

    line: StreamVersion
    at: str
    by: str
    by_name: str | None
    round: int
    table: int
    attempt: int


def list_looks(tournament: Tournament, names: Names) -> tuple[LookShown, ...]:
    return tuple(
        LookShown(
            **asdict(look.about),
            line=look.line,
            at=format_at(look.at_ms),
            by=look.by,
            by_name=name_author(tournament, look.by, names),
        )
        for look in tournament.looks
    )


def list_announcements(tournament: Tournament, names: Names) -> tuple[AnnouncementShown, ...]:
    return tuple(
        AnnouncementShown(
            line=said.line,
            at=format_at(said.at_ms),
            by=said.by,
            by_name=name_author(tournament, said.by, names),
            text=said.text,
            entrants=said.entrants,
        )
        for said in tournament.announcements
    )


def list_calls(tournament: Tournament, names: Names) -> tuple[CallShown, ...]:
    return tuple(
        CallShown(
            **asdict(show_who(tournament, call.entrant, names)),
            line=call.line,
            at=format_at(call.at_ms),
            text=call.text,
            answer=call.answer,
            answered_by=call.answered_by,
        )
        for call in tournament.calls
    )


def list_helpers(tournament: Tournament, names: Names) -> tuple[HelperShown, ...]:
    return tuple(
        HelperShown(
            helper=number,
            role=helper.role,
            player=helper.player,
            name=None if helper.player is None else names.get(helper.player),
            key=helper.key,
            link=helper.link,
            line=helper.line,
            is_dismissed=helper.is_dismissed,
        )
        for number, helper in enumerate(tournament.helpers)
    )


def name_author(tournament: Tournament, by: str, names: Names) -> str | None:
    """Return the name of an organiser or a helper, as a line's `by` states them."""
    if by.startswith(HELPER):
        helper = tournament.helpers[int(by.removeprefix(HELPER))]
        return None if helper.player is None else names.get(helper.player)
    return names.get(PlayerId(by.removeprefix(ORGANISER)))


def show_who(tournament: Tournament, entrant: int, names: Names) -> Who:
    player = tournament.entries[entrant].player
    return Who(entrant=entrant, player=player, name=names.get(player))
