"""Adding one input and everything that follows from it to a game's log: the step that deciding and verifying share."""

import msgspec
from msgspec import Struct

from domain.chance import DeckShuffled, DiceRolled, after_dice, after_shuffle
from domain.game.admission import Input, admit
from domain.game.consequences import follow
from domain.game.evolve import evolve_input, evolve_outcome, settle
from domain.game.known_lines import FindEntry, find_none, stands_as_input, stands_as_outcome
from domain.game.lines import write_input, write_outcome
from domain.game.state import Entrusted, Game
from domain.ids import StreamVersion
from domain.log.entry import Entry, Place


class HeldAction(Struct, frozen=True, kw_only=True):
    """What the server now has in custody, keyed by the version of the input that brought it."""

    version: StreamVersion
    entrusted: Entrusted


class Decided(Struct, frozen=True, kw_only=True):
    """The lines of one command, the game after them, and what is kept beside the log."""

    game: Game
    entries: tuple[Entry, ...]
    held: tuple[HeldAction, ...] = ()


def enact(game: Game, put: Input) -> Decided:
    """Add one input and everything that follows from it."""
    put = msgspec.structs.replace(put, at_ms=max(put.at_ms, game.at_ms))
    admit(game, put)
    return carry_out(game, put)


def carry_out(game: Game, put: Input, *, find_known: FindEntry = find_none) -> Decided:
    """Add an admitted input and everything that follows from it.

    `find_known` finds lines that a log has already, read and not believed. One that says exactly what follows is taken
    as it stands, as writing and reading it again would give the same bytes; any other is written.
    """
    entry = _put_input(game, put, find_known)
    game = evolve_input(game, entry)
    entries = [entry]
    for written in follow(game):
        outcome = _put_outcome(game, written.event, find_known)
        chance = game.chance
        if isinstance(written.event, DiceRolled):
            chance = after_dice(chance, written.event)
        elif isinstance(written.event, DeckShuffled):
            chance = after_shuffle(chance, written.event)
        game = evolve_outcome(game, outcome, board=written.board, chance=chance)
        entries.append(outcome)
    return Decided(game=settle(game), entries=tuple(entries))


def _put_input(game: Game, put: Input, find_known: FindEntry) -> Entry:
    place = _next_place(game, put.at_ms)
    known = find_known(place.version)
    if known is not None and stands_as_input(known, put, place):
        return known
    return write_input(put.event, place, by=put.by, command=put.command, sig=put.sig)


def _put_outcome(game: Game, event: Struct, find_known: FindEntry) -> Entry:
    place = _next_place(game, game.at_ms)
    known = find_known(place.version)
    if known is not None and stands_as_outcome(known, event, place):
        return known
    return write_outcome(event, place, game.ruleset)


def _next_place(game: Game, at_ms: int) -> Place:
    return Place(stream=game.id, version=StreamVersion(game.version + 1), prev=game.head, at_ms=at_ms)
