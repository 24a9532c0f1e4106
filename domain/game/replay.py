"""A game from its log: folded by whoever trusts the lines, or decided again line by line by whoever does not."""

from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

from domain.chance import Secret, SecretDoesNotFit, commit, derive_anchors
from domain.game.admission import Input
from domain.game.custody import hold
from domain.game.enact import HeldAction, enact
from domain.game.events import GameOpened, InputEvent
from domain.game.evolve import evolve, settle
from domain.game.lines import read_entry
from domain.game.opening import begin_game, check_opening
from domain.game.state import Game
from domain.ids import StreamVersion
from domain.log.entry import Entry, as_stored
from domain.log.record import BadLine, BrokenChain, parse_at, parse_line, read_chain
from domain.rejection import Rejection
from domain.ruleset.catalogue import Catalogue, UnknownRuleset

P = ParamSpec("P")
T = TypeVar("T")


class LineDoesNotFollow(Exception):
    """A line is not what deciding again gives at its place."""

    def __init__(self, *, version: StreamVersion, expected: str, found: str) -> None:
        self.version = version
        self.expected = expected
        self.found = found
        super().__init__(f"at version {version}: expected {expected}, found {found}")


def is_game(raw: bytes) -> bool:
    """Say whether a stored stream that begins with this line is a game: the log holds others as well."""
    return parse_line(raw).type == "game_opened"


def replay(
    raws: Iterable[bytes],
    catalogue: Catalogue,
    *,
    secret: Secret | None = None,
    held: Iterable[HeldAction] = (),
) -> Game:
    """Fold a stored log. With the secret and what is held in custody, the next command can be decided on the result."""
    lines = iter(raws)
    first = next(lines, None)
    assert first is not None, "a game that is stored has a first line"
    game = _begin(first, catalogue, secret)
    for raw in lines:
        game = evolve(game, read_entry(raw, game.ruleset))
    return hold(settle(game), held)


def redecide(raws: Sequence[bytes], catalogue: Catalogue, secret: Secret) -> Game:
    """Decide every input of a log again, byte for byte.

    Raises LineDoesNotFollow at the first line that is refused or is not what follows, and UnknownRuleset.
    """
    if not raws:
        raise LineDoesNotFollow(
            version=StreamVersion(1), expected="a log that begins with game_opened", found="nothing"
        )
    game = refuse_at(StreamVersion(1), _reopen, raws[0], catalogue, secret)
    while game.version < len(raws):
        version = StreamVersion(game.version + 1)
        put = refuse_at(version, _read_input, raws[game.version], game)
        decided = refuse_at(version, enact, game, put)
        refuse_others(decided.entries, raws)
        game = decided.game
    return game


def refuse_at(version: StreamVersion, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Take a step of deciding again; what it refuses is told of the line it was taken at."""
    try:
        return step(*args, **kwargs)
    except UnknownRuleset:
        raise
    except (Rejection, BadLine, BrokenChain, SecretDoesNotFit) as error:
        raise LineDoesNotFollow(version=version, expected=error.expected, found=error.found) from error


def refuse_others(decided: Iterable[Entry], raws: Sequence[bytes]) -> None:
    """Compare what was decided with the lines at its places; raise LineDoesNotFollow at the first that is another."""
    for entry in decided:
        place = entry.line.version - 1
        found = raws[place] if place < len(raws) else b"nothing"
        if entry.raw != found:
            raise LineDoesNotFollow(
                version=entry.line.version, expected=entry.raw.decode(), found=found.decode(errors="replace")
            )


def _reopen(raw: bytes, catalogue: Catalogue, secret: Secret) -> Game:
    ((line, _),) = read_chain([raw])
    game = _begin(raw, catalogue, secret)
    # Later lines are written again and compared; this one is only read, and reading passes over unknown fields.
    if as_stored(game.opened) != line.data:
        raise BadLine(expected="the fields of game_opened and no others", found=", ".join(sorted(line.data)))
    check_opening(game.opened, game.ruleset, game=game.id)
    terms = f"by a player or an organiser, unsigned, commit {commit(game.id, secret)} and the anchors of that secret"
    is_bound = game.opened.commit == commit(game.id, secret)
    is_bound = is_bound and game.opened.anchors == derive_anchors(secret, game.ruleset.link_chains)
    if not (is_bound and line.sig is None and line.by.startswith(("player:", "organiser:"))):
        raise BadLine(expected=terms, found=f"by {line.by}, sig {line.sig}, commit {game.opened.commit}")
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
