"""Every die and shuffle against the anchors and the contributions before it; needs neither rules nor secret."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.chance import (
    DeckShuffled,
    DiceDoNotFit,
    DiceRolled,
    ShuffleDoesNotFit,
    after_dice,
    after_shuffle,
    check_dice,
    check_shuffle,
    contribute,
    open_chance,
)
from domain.game.events import ActionPlayed, ActionRevealed, GameOpened, SeatReadied
from domain.ids import Seat
from domain.log.entry import Entry
from domain.tournament.events import EntrantCheckedIn, TournamentOpened

# The games here draw under a handful of names; each one is counted, so a hostile log must not bring thousands.
DRAW_NAMES_MAX = 64


class Draws(Struct, frozen=True, kw_only=True):
    """The findings of three checks from one pass: the order of links and labels, the faces, the shuffles."""

    links: Result
    faces: Result
    shuffles: Result


def find_misfit_draws(entries: Sequence[Entry]) -> Draws:
    """Check every draw in the order of the log. After a link that does not fit, no later die can be checked."""
    if not entries or not isinstance(entries[0].event, GameOpened | TournamentOpened):
        opened = Unchecked(reason="the line that publishes the anchors cannot be read")
        return Draws(links=opened, faces=opened, shuffles=opened)
    misfits = list(_misfits(entries))
    links = next((found for what, found in misfits if what == "links"), None)
    faces = next((found for what, found in misfits if what == "faces"), None)
    shuffles = next((found for what, found in misfits if what == "shuffles"), None)
    rolls = sum(isinstance(entry.event, DiceRolled) for entry in entries)
    shuffled = sum(isinstance(entry.event, DeckShuffled) for entry in entries)
    held_faces: Result = Held(seen=f"{rolls} rolls")
    if links is not None:
        held_faces = Unchecked(reason=f"they held up to line {links.version}, whose link is not the next one")
    return Draws(
        links=links or Held(seen=f"{rolls} rolls"),
        faces=faces or held_faces,
        shuffles=shuffles or Held(seen=f"{shuffled} shuffles"),
    )


def _misfits(entries: Sequence[Entry]) -> Iterator[tuple[str, Broken]]:
    opened = entries[0].event
    assert isinstance(opened, GameOpened | TournamentOpened), "looked at before"
    chance = open_chance(entries[0].line.stream, opened.anchors, None)
    for entry in entries[1:]:
        version = entry.line.version
        match entry.event:
            case DiceRolled() as rolled:
                try:
                    check_dice(chance, rolled)
                except DiceDoNotFit as error:
                    what = "faces" if error.what == "faces" else "links"
                    yield what, broken(version, expected=f"{error.what}: {error.expected}", found=error.found)
                    if what == "links":
                        return
                chance = after_dice(chance, rolled)
            case DeckShuffled() as shuffled:
                try:
                    check_shuffle(chance, shuffled)
                except ShuffleDoesNotFit as error:
                    yield "shuffles", broken(version, expected=f"{error.what}: {error.expected}", found=error.found)
                chance = after_shuffle(chance, shuffled)
            case SeatReadied() | ActionRevealed() | ActionPlayed() as contributed if contributed.nonce is not None:
                chance = contribute(chance, seat=contributed.seat, nonce=contributed.nonce)
            case EntrantCheckedIn(entrant=entrant, nonce=nonce) if nonce is not None:
                chance = contribute(chance, seat=Seat(entrant), nonce=nonce)
            case _:
                pass
        if len(chance.draws) > DRAW_NAMES_MAX:
            yield "links", broken(version, expected=f"draws under at most {DRAW_NAMES_MAX} names", found="one more")
            return
