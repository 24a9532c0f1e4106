"""The audit of a tournament's file: every game by itself on every core, then the tournament held against them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from domain.audit.archive import BadArchive
from domain.audit.played_games import PlayedGame, verify_member
from domain.audit.tournament import verify_tournament
from domain.audit.tournament_bundle import TOURNAMENT_SIZE_MAX, GameMember, TournamentBundle, parse_tournament_bundle
from domain.ids import GameId
from domain.rulesets.released import Rebuilder
from services.audits.audit import CHUNK_FILES, Terms, TournamentAudit, read_file

SUFFIX = ".tournament.zip"
# In the first line of its log, which its file begins with; no line is longer.
TOURNAMENT_MARK = b'"type":"tournament_opened"'
BEGIN_SIZE_MAX = 256 * 1024

# Told how many games are verified, and of how many.
OnVerified = Callable[[int, int], None]


def tell_nobody(_done: int, _total: int) -> None:
    """Callers that wait for an audit may ignore its progress."""


def is_tournament_file(path: Path) -> bool:
    """Say whether a file has the name or the beginning of a tournament's bundle."""
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
    try:
        return audit_tournament(
            read_file(path, size_max=TOURNAMENT_SIZE_MAX),
            terms,
            name=str(path),
            processes=processes,
            on_verified=on_verified,
        )
    except OSError as error:
        return TournamentAudit(path=str(path), report=None, refusal=str(error))


def audit_tournament(
    raw: bytes, terms: Terms, *, name: str, processes: int, on_verified: OnVerified = tell_nobody
) -> TournamentAudit:
    """Audit bytes of any origin that may be a tournament's bundle."""
    try:
        bundle = parse_tournament_bundle(raw)
    except BadArchive as error:
        return TournamentAudit(path=name, report=None, refusal=str(error))
    games: dict[GameId, PlayedGame] = {}
    for place, played in _verify_games(bundle, terms, processes=processes):
        games[place.game] = played
        on_verified(len(games), len(bundle.games))
    # In the order of the tables, not of completion.
    ordered = {member.game: games[member.game] for member in bundle.games}
    report = verify_tournament(bundle, ordered, rebuilder=Rebuilder(terms.builders), trust=terms.trust)
    return TournamentAudit(path=name, report=report, refusal=None)


def _verify_games(bundle: TournamentBundle, terms: Terms, *, processes: int) -> Iterator[tuple[GameMember, PlayedGame]]:
    members = bundle.games
    if processes == 1 or len(members) <= CHUNK_FILES:
        rebuilder = Rebuilder(terms.builders)
        for member in members:
            yield member, verify_member(member, rebuilder=rebuilder, trust=terms.trust)
        return
    chunks = [members[start : start + CHUNK_FILES] for start in range(0, len(members), CHUNK_FILES)]
    # The caller may have threads; a process that starts afresh inherits none of their locks.
    with ProcessPoolExecutor(max_workers=min(processes, len(chunks)), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_verify_chunk, chunk, terms): chunk for chunk in chunks}
        for done in as_completed(waiting):
            yield from zip(waiting[done], done.result(), strict=True)


def _verify_chunk(members: Sequence[GameMember], terms: Terms) -> list[PlayedGame]:
    rebuilder = Rebuilder(terms.builders)
    return [verify_member(member, rebuilder=rebuilder, trust=terms.trust) for member in members]
