"""The audit of a tournament's file: every game by itself on every core, then the tournament held against them."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct

from domain.audit.archive import BadArchive
from domain.audit.played_games import PlayedGame, verify_member
from domain.audit.tournament import TournamentReport, verify_tournament
from domain.audit.tournament_bundle import GameMember, TournamentBundle, parse_tournament_bundle
from domain.rulesets.released import Rebuilder
from services.audits.audit import BROKEN, CHUNK_FILES, HOLDS, UNCHECKED, UNREADABLE, Terms

SUFFIX = ".tournament.zip"


class TournamentAudit(Struct, frozen=True, kw_only=True):
    """One file; `refusal` says why it is no bundle of a tournament, and then there is nothing else."""

    path: str
    report: TournamentReport | None
    refusal: str | None

    @property
    def exit_code(self) -> int:
        """Return what scripts rely on, as for the bundle of a game."""
        if self.report is None:
            return UNREADABLE
        if self.report.broken:
            return BROKEN
        return UNCHECKED if self.report.unchecked else HOLDS


def is_tournament_file(path: Path) -> bool:
    """Say whether a file is named as a tournament's bundle is."""
    return path.name.endswith(SUFFIX)


def audit_tournament_file(path: Path, terms: Terms, *, processes: int) -> TournamentAudit:
    try:
        return audit_tournament(path.read_bytes(), terms, name=str(path), processes=processes)
    except OSError as error:
        return TournamentAudit(path=str(path), report=None, refusal=str(error))


def audit_tournament(raw: bytes, terms: Terms, *, name: str, processes: int) -> TournamentAudit:
    """Audit what may be a tournament's bundle, wherever it came from."""
    try:
        bundle = parse_tournament_bundle(raw)
    except BadArchive as error:
        return TournamentAudit(path=name, report=None, refusal=str(error))
    games = {place.game: played for place, played in _verify_games(bundle, terms, processes=processes)}
    # In the order of the tables, whichever was done first.
    ordered = {member.game: games[member.game] for member in bundle.games}
    report = verify_tournament(bundle, ordered, rebuilder=Rebuilder(terms.builders), trust=terms.trust)
    return TournamentAudit(path=name, report=report, refusal=None)


def _verify_games(bundle: TournamentBundle, terms: Terms, *, processes: int) -> Iterator[tuple[GameMember, PlayedGame]]:
    members = bundle.games
    if processes == 1 or len(members) <= CHUNK_FILES:
        yield from zip(members, _verify_chunk(members, terms), strict=True)
        return
    chunks = [members[start : start + CHUNK_FILES] for start in range(0, len(members), CHUNK_FILES)]
    # Whoever calls may have threads; a process that starts afresh inherits none of their locks.
    with ProcessPoolExecutor(max_workers=min(processes, len(chunks)), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_verify_chunk, chunk, terms): chunk for chunk in chunks}
        for done in as_completed(waiting):
            yield from zip(waiting[done], done.result(), strict=True)


def _verify_chunk(members: Sequence[GameMember], terms: Terms) -> list[PlayedGame]:
    rebuilder = Rebuilder(terms.builders)
    return [verify_member(member, rebuilder=rebuilder, trust=terms.trust) for member in members]
