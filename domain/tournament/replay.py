"""A tournament from its log: folded by whoever trusts the lines, or decided again line by line by whoever does not."""

from collections.abc import Iterable, Sequence

from domain.chance import Secret, commit, derive_anchors
from domain.game.replay import LineDoesNotFollow, refuse_at, refuse_others
from domain.ids import StreamVersion
from domain.log.entry import Author, Entry, as_stored
from domain.log.record import BadLine, parse_at, read_chain
from domain.ruleset.catalogue import Catalogue
from domain.tournament.admission import Input
from domain.tournament.enact import enact
from domain.tournament.events import InputEvent, TournamentOpened
from domain.tournament.evolve import evolve, settle
from domain.tournament.lines import read_line
from domain.tournament.opening import LINK_CHAINS, begin_tournament, check_opening
from domain.tournament.state import Tournament


def replay(raws: Iterable[bytes], *, secret: Secret | None = None) -> Tournament:
    """Fold a stored log. With the secret, the next command can be decided on the result."""
    lines = iter(raws)
    first = next(lines, None)
    assert first is not None, "a tournament that is stored has a first line"
    tournament = begin_tournament(read_line(first), secret)
    for raw in lines:
        tournament = evolve(tournament, read_line(raw))
    return settle(tournament)


def redecide(raws: Sequence[bytes], catalogue: Catalogue, secret: Secret) -> Tournament:
    """Decide every input of a log again, byte for byte.

    Raises LineDoesNotFollow at the first line that is refused or is not what follows, and UnknownRuleset.
    """
    if not raws:
        expected = "a log that begins with tournament_opened"
        raise LineDoesNotFollow(version=StreamVersion(1), expected=expected, found="nothing")
    tournament = refuse_at(StreamVersion(1), _reopen, raws[0], catalogue, secret)
    while tournament.version < len(raws):
        version = StreamVersion(tournament.version + 1)
        put = refuse_at(version, read_input, raws[tournament.version])
        decided = refuse_at(version, enact, tournament, put)
        refuse_others(decided.entries, raws)
        tournament = decided.tournament
    return tournament


def read_input(raw: bytes) -> Input:
    """Read a line that must be an input, or raise BadLine."""
    return as_input(read_line(raw))


def as_input(entry: Entry) -> Input:
    """Return a line as the input it stands for, or raise BadLine."""
    event, line = entry.event, entry.line
    if not isinstance(event, InputEvent):
        raise BadLine(expected="an input", found=f"{line.kind} {line.type}")
    author = Author(by=line.by, command=line.command, sig=line.sig)
    return Input(event=event, author=author, at_ms=parse_at(line.at))


def _reopen(raw: bytes, catalogue: Catalogue, secret: Secret) -> Tournament:
    ((line, _),) = read_chain([raw])
    entry = read_line(raw)
    opened = entry.event
    if not isinstance(opened, TournamentOpened):
        raise BadLine(expected="a log that begins with tournament_opened", found=line.type)
    # Later lines are written again and compared; this one is only read, and reading passes over unknown fields.
    if as_stored(opened) != line.data:
        raise BadLine(expected="the fields of tournament_opened and no others", found=", ".join(sorted(line.data)))
    named = opened.ruleset
    ruleset = catalogue.find(name=named.name, version=named.version, components=named.components)
    check_opening(opened, line.by, ruleset)
    made = commit(line.stream, secret)
    if (opened.commit, opened.anchors, line.sig) != (made, derive_anchors(secret, LINK_CHAINS), None):
        expected = f"unsigned, commit {made} and the anchor of that secret"
        raise BadLine(expected=expected, found=f"sig {line.sig}, commit {opened.commit}")
    return begin_tournament(entry, secret)
