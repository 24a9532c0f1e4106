"""A bundle replayed, moment after moment: the game after each line. It believes the log; `verify` does not."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.audit.bundle import Bundle
from domain.audit.case import NO_TRUST, Case
from domain.audit.findings import shorten
from domain.audit.reading import fill_line
from domain.chance import Secret
from domain.game.evolve import evolve, settle
from domain.game.opening import begin_game
from domain.game.state import Game
from domain.ids import Seat
from domain.log.entry import Entry
from domain.rulesets.released import Rebuilder


class Moment(Struct, frozen=True, kw_only=True):
    """`game` is as it stood just after the line; incomplete where another outcome follows, so that no seat is asked.

    The line has its data.
    """

    entry: Entry
    game: Game
    is_complete: bool


class NotReplayable(Exception):
    """The bundle cannot be replayed, or not any further."""

    def __init__(self, *, version: int, reason: str) -> None:
        self.version = version
        super().__init__(f"line {version}: {shorten(reason)}; `spina verify` says more")


def replay_moments(bundle: Bundle, rebuilder: Rebuilder, seat: Seat | None) -> Iterator[Moment]:
    """Yield every line; a seat's own view needs the disclosed secret. Raises NotReplayable where it goes no further."""
    case = Case(bundle, rebuilder, NO_TRUST)
    secret = _require_secret(case, seat) if seat is not None else None
    if case.ruleset is None or not case.entries:
        raise NotReplayable(version=1, reason="the rules of this game cannot be built")
    version = 0
    try:
        game = begin_game(case.entries[0], case.ruleset, secret)
        yield Moment(entry=_fill(case.entries[0]), game=game, is_complete=True)
        version = 1
        for entry in case.entries[1:]:
            game = evolve(game, entry)
            is_complete = _is_complete(case, entry)
            yield Moment(entry=_fill(entry), game=settle(game) if is_complete else game, is_complete=is_complete)
            version = entry.line.version
    except Exception as error:
        # A log that is not of these rules may break them in any way.
        raise NotReplayable(version=version + 1, reason=f"{type(error).__name__}: {error}") from error
    if case.unread_from is not None:
        raise NotReplayable(version=case.unread_from, reason="it cannot be read")


def _fill(entry: Entry) -> Entry:
    return replace(entry, line=fill_line(entry))


def _require_secret(case: Case, seat: Seat) -> Secret:
    seats = case.opened.seats if case.opened is not None else 0
    if not 0 <= seat < seats:
        raise NotReplayable(version=1, reason=f"expected a seat from 0 to {seats - 1}, found {seat}")
    if case.disclosed is None:
        reason = f"what seat {seat} saw is known once the secret is disclosed, with the last line of the game"
        raise NotReplayable(version=max(1, len(case.lines)), reason=reason)
    return case.disclosed


def _is_complete(case: Case, entry: Entry) -> bool:
    """Return whether nothing follows any more from the last input."""
    after = case.entries[entry.line.version : entry.line.version + 1]
    return not after or after[0].line.kind == "input"
