"""A game from its log: folded by whoever trusts the lines, or decided again line by line by whoever does not."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.chance import Secret
from domain.game.admission import Input
from domain.game.custody import hold
from domain.game.enact import HeldAction, enact
from domain.game.entry import Entry, read_entry
from domain.game.events import GameOpened, InputEvent
from domain.game.evolve import evolve, settle
from domain.game.opening import begin_game, check_opening
from domain.game.state import Game
from domain.ids import StreamVersion
from domain.record import BadLine, parse_at
from domain.rulesets.catalogue import Catalogue


class LineDoesNotFollow(Exception):
    """A line is not what deciding again gives at its place."""

    def __init__(self, *, version: StreamVersion, expected: str, found: str) -> None:
        self.version = version
        self.expected = expected
        self.found = found
        super().__init__(f"at version {version}: expected {expected}, found {found}")


class Replayed(Struct, frozen=True, kw_only=True):
    """A game decided again up to its last complete command."""

    game: Game
    entries: tuple[Entry, ...]


def replay(
    raws: Iterable[bytes],
    catalogue: Catalogue,
    *,
    secret: Secret | None = None,
    held: Iterable[HeldAction] = (),
) -> Game:
    """Fold a stored log. With the secret and what is held in custody, the next command can be decided on the result."""
    lines = iter(raws)
    game = _begin(next(lines), catalogue, secret)
    for raw in lines:
        game = evolve(game, read_entry(raw, game.ruleset))
    game = settle(game)
    for each in held:
        game = hold(game, each)
    return game


def redecide(raws: Sequence[bytes], catalogue: Catalogue, secret: Secret) -> Game:
    """Decide every input of a log again; raise at the first line that is refused or does not follow, byte for byte."""
    first = read_entry(raws[0], None)
    game = _begin(raws[0], catalogue, secret)
    assert isinstance(first.event, GameOpened)
    check_opening(first.event, game.ruleset)
    place = 1
    while place < len(raws):
        decided = enact(game, _read_input(raws[place], game))
        for entry in decided.entries:
            found = raws[place] if place < len(raws) else b"nothing"
            if entry.raw != found:
                raise LineDoesNotFollow(
                    version=entry.line.version, expected=entry.raw.decode(), found=found.decode(errors="replace")
                )
            place += 1
        game = decided.game
    return game


def _begin(raw: bytes, catalogue: Catalogue, secret: Secret | None) -> Game:
    entry = read_entry(raw, None)
    if not isinstance(entry.event, GameOpened):
        raise BadLine(expected="a log that begins with game_opened", found=entry.line.type)
    named = entry.event.ruleset
    ruleset = catalogue.find(name=named.name, version=named.version, components=named.components)
    return begin_game(entry, ruleset, secret)


def _read_input(raw: bytes, game: Game) -> Input:
    entry = read_entry(raw, game.ruleset)
    if not isinstance(entry.event, InputEvent) or entry.line.version != game.version + 1:
        raise LineDoesNotFollow(
            version=StreamVersion(game.version + 1), expected="an input", found=f"{entry.line.kind} {entry.line.type}"
        )
    return Input(
        event=entry.event,
        by=entry.line.by,
        at_ms=parse_at(entry.line.at),
        command=entry.line.command,
        sig=entry.line.sig,
    )
