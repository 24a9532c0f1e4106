"""The audit of a tournament's file: every game by itself on every core, then the tournament held against them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from domain.audit.archive import BadArchive
from domain.audit.check import TooDear
from domain.audit.played_games import PlayedGame, verify_member
from domain.audit.tournament import verify_tournament
from domain.audit.tournament_bundle import (
    TOURNAMENT_SIZE_MAX,
    GameMember,
    parse_tournament_bundle,
    read_tournament_bundle,
)
from domain.ids import GameId
from domain.rulesets.released import Rebuilder
from services.audits.audit import CHUNK_FILES, Terms, TournamentAudit, find_unjudged
from services.audits.files import StoredFile
from services.audits.limits import TOURNAMENT_S_PER_MB, Allowance

SUFFIX = ".tournament.zip"
# In the first line of its log, which its file begins with; no line is longer.
TOURNAMENT_MARK = b'"type":"tournament_opened"'
BEGIN_SIZE_MAX = 256 * 1024

# A game of the bundle, and what its own file proves.
Played = tuple[GameId, PlayedGame]
# Called with how many games are verified, and of how many.
OnVerified = Callable[[int, int], None]


def tell_nobody(_done: int, _total: int) -> None:
    """Callers that wait for an audit may ignore its progress."""


def is_tournament_file(path: Path) -> bool:
    """Return whether a file has the name or the beginning of a tournament's bundle."""
    if path.name.endswith(SUFFIX):
        return True
    try:
        with path.open("rb") as file:
            # A newline alone may stand in the archive's header of the member.
            first_line, _, _ = file.read(BEGIN_SIZE_MAX).partition(b"}\n")
    except OSError:
        return False
    return TOURNAMENT_MARK in first_line


def audit_tournament_file(
    path: Path, terms: Terms, *, processes: int, on_verified: OnVerified = tell_nobody
) -> TournamentAudit:
    """Audit a file. Each process holds one game of it at a time."""
    try:
        file = StoredFile(path, size_max=TOURNAMENT_SIZE_MAX)
        return audit_tournament(file, terms, name=str(path), processes=processes, on_verified=on_verified)
    except OSError as error:
        return TournamentAudit(path=str(path), report=None, refusal=str(error))


def audit_tournament(
    raw: bytes | StoredFile, terms: Terms, *, name: str, processes: int, on_verified: OnVerified = tell_nobody
) -> TournamentAudit:
    """Audit bytes of any origin that may be a tournament's bundle. Raises OSError where the file cannot be read."""
    try:
        bundle = parse_tournament_bundle(raw) if isinstance(raw, bytes) else read_tournament_bundle(raw)
    except BadArchive as error:
        return TournamentAudit(path=name, report=None, refusal=str(error), unjudged=find_unjudged(error))
    games: dict[int, Played] = {}
    for start, played in _verify_games(bundle.games, terms, processes=processes):
        games |= dict(enumerate(played, start))
        on_verified(len(games), len(bundle.games))
    # In the order of the tables, not of completion.
    ordered = dict(game for _, game in sorted(games.items()))
    try:
        with Allowance(s_per_mb=TOURNAMENT_S_PER_MB).limited(len(bundle.log) + len(bundle.components)):
            report = verify_tournament(bundle, ordered, rebuilder=Rebuilder(terms.builders), trust=terms.trust)
    except TooDear as dear:
        return TournamentAudit(path=name, report=None, refusal=str(dear), unjudged="exhausting")
    return TournamentAudit(path=name, report=report, refusal=None)


def _verify_games(
    members: Sequence[GameMember], terms: Terms, *, processes: int
) -> Iterator[tuple[int, Sequence[Played]]]:
    """Yield games with the place of their first one."""
    if processes == 1 or len(members) <= CHUNK_FILES:
        for at, game in enumerate(_verify_chunk(members, terms)):
            yield at, [game]
        return
    # The caller may have threads; a process that starts afresh inherits none of their locks.
    starts = range(0, len(members), CHUNK_FILES)
    with ProcessPoolExecutor(max_workers=min(processes, len(starts)), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_list_chunk, members[at : at + CHUNK_FILES], terms): at for at in starts}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def _list_chunk(members: Sequence[GameMember], terms: Terms) -> Sequence[Played]:
    return list(_verify_chunk(members, terms))


def _verify_chunk(members: Sequence[GameMember], terms: Terms) -> Iterator[Played]:
    """Verify games one after the other. A dear one uses up the time of the others, and only theirs."""
    rebuilder, allowance = Rebuilder(terms.builders), Allowance()
    for member in members:
        try:
            with allowance.limited(len(member.raw)):
                played = verify_member(member, rebuilder=rebuilder, trust=terms.trust)
        except TooDear as dear:
            played = PlayedGame(game=member.game, refusal=str(dear))
            # The rules of its box may hold all that they have looked at.
            rebuilder = Rebuilder(terms.builders)
        yield member.game, played
