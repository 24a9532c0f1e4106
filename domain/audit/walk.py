"""A walk over a log: every input decided again as far as the secret and the lines allow, and folded from there on.

Everything that needs to know how the game stood at an input takes it from here, so that a log is walked once.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.audit.redeciding import Stopped, compare_following, describe, name_error
from domain.chance import Secret, SecretDoesNotFit
from domain.game.admission import Input, admit_unsigned
from domain.game.enact import carry_out
from domain.game.events import GameOpened, InputEvent
from domain.game.evolve import evolve, settle
from domain.game.opening import begin_game, check_opening
from domain.game.state import Game
from domain.ids import GameId, StreamVersion
from domain.log.entry import Entry
from domain.log.record import BadLine, parse_at
from domain.rejection import Rejection
from domain.ruleset.ruleset import AnyRuleset


class Walk(Struct, frozen=True, kw_only=True):
    """`games` are as they stood just before each input, `last` after the last line that could be folded."""

    games: dict[StreamVersion, Game]
    last: Game | None
    redecision: Result


def walk(entries: Sequence[Entry], ruleset: AnyRuleset | None, secret: Secret | None) -> Walk:
    """Walk over the entries, the first of which opens the game; refuses nothing and raises nothing."""
    if ruleset is None or not entries or not isinstance(entries[0].event, GameOpened):
        reason = "the rules, or the line that names them, cannot be read"
        return Walk(games={}, last=None, redecision=Unchecked(reason=reason))
    games: dict[StreamVersion, Game] = {}
    game, result = _begin(entries[0], ruleset, secret)
    if game is not None and not isinstance(result, Broken | Unchecked):
        game, result = _redecide(entries, game, games)
    if game is not None and game.version < len(entries):
        game = _fold(entries, game, games)
    return Walk(games=games, last=game, redecision=result)


def _begin(entry: Entry, ruleset: AnyRuleset, secret: Secret | None) -> tuple[Game | None, Result]:
    """Begin with the secret, or without it where it is not there or does not fit."""
    result: Result = Held(seen="the first line")
    if secret is None:
        result = Unchecked(reason="the secret of the game is not disclosed yet")
    try:
        assert isinstance(entry.event, GameOpened)
        check_opening(entry.event, ruleset, game=GameId(entry.line.stream))
        return begin_game(entry, ruleset, secret), result
    except SecretDoesNotFit:
        reason = "the disclosed secret is not the one of this game, so that nothing can be drawn again"
        return begin_game(entry, ruleset, None), Unchecked(reason=reason)
    except Rejection as error:
        return None, broken(1, expected=error.expected, found=error.found)
    except Exception as error:  # noqa: BLE001  a hostile first line may break the rules in any way; it is told as broken
        return None, broken(1, expected="terms with which these rules can begin", found=name_error(error))


def _redecide(entries: Sequence[Entry], game: Game, games: dict[StreamVersion, Game]) -> tuple[Game, Result]:
    """Decide input after input; stop before the first that is refused or whose outcomes are others."""
    inputs = 0
    while game.version < len(entries):
        try:
            game = _decide_next(entries, game, games)
        except Stopped as stopped:
            return game, stopped.result
        inputs += 1
    return game, Held(seen=f"{inputs} inputs and {len(entries) - 1 - inputs} outcomes")


def _decide_next(entries: Sequence[Entry], game: Game, games: dict[StreamVersion, Game]) -> Game:
    entry = entries[game.version]
    version = StreamVersion(game.version + 1)
    event, line = entry.event, entry.line
    games[version] = game
    if not isinstance(event, InputEvent):
        expected = "an input, as nothing more follows from the last one"
        raise Stopped(broken(version, expected=expected, found=describe(entry)))
    at_ms = max(parse_at(line.at), game.at_ms)
    put = Input(event=event, by=line.by, at_ms=at_ms, command=line.command, sig=line.sig)
    try:
        admit_unsigned(game, put)
        decided = carry_out(game, put, find_known=lambda place: entries[place - 1] if place <= len(entries) else None)
    except (Rejection, BadLine) as error:
        raise Stopped(broken(version, expected=error.expected, found=error.found)) from None
    except Exception as error:  # noqa: BLE001  a log that is not of these rules may break them in any way
        raise Stopped(
            broken(version, expected="an input that the rules can carry out", found=name_error(error))
        ) from None
    there = entries[game.version : game.version + len(decided.entries)]
    compare_following(decided.entries, there)
    # The next lines are compared with what is there.
    return msgspec.structs.replace(decided.game, head=there[-1].hash)


def _fold(entries: Sequence[Entry], game: Game, games: dict[StreamVersion, Game]) -> Game:
    """Fold what can be folded; a log that is not of these rules stops it anywhere."""
    for entry in entries[game.version :]:
        try:
            if entry.line.kind == "input":
                game = settle(game)
                games[entry.line.version] = game
            game = evolve(game, entry)
        except Exception:  # noqa: BLE001  as above; what was folded so far stands
            return game
    try:
        return settle(game)
    except Exception:  # noqa: BLE001  as above
        return game
