"""The archivist: follows the ledger, and sees to those lines of games and tournaments that wait for their proof.

What ended gets the proofs that its bundle will have for ever; an opening that must be witnessed gets its proof into
the log, before which nobody can sit down or enter. Whatever stops it, it begins again at the first leaf not seen to.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog
from msgspec import Struct

from domain.audit.reading import read_opening
from domain.derived_ids import derive_command
from domain.game.commands import GameCommand
from domain.ids import CommandId, GameId, StreamId, StreamVersion, TournamentId
from domain.ledger.policy_file import format_policy
from domain.ledger.proof import format_proof
from domain.log.actors import ByServer
from domain.log.events import OpeningWitnessed
from domain.rejection import Rejection
from domain.tournament.commands import TournamentCommand
from domain.tournament.events import TournamentOpened
from domain.tournament.lines import read_line
from infra.postgres.kept_proofs import DueEvent, KeptProof, KeptProofs
from infra.store_faults import StoreUnavailable
from services.commands.tournaments import is_tournament
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from services.ledger.public_ledger import PublicLedger

log = structlog.get_logger()

DEMAND = "witnessed_opening"
FIRST_LINE = StreamVersion(1)
# Some ten milliseconds of the database, however long it was away.
LEAVES_MAX = 5_000
# A checkpoint comes about once a second; whoever opened a game waits for this and sits down after it.
LOOK_EVERY_S = 0.3
# After a fault or a bug of ours.
FAILED_PAUSE_S = 10.0


class Archive(Struct, frozen=True, kw_only=True):
    """What the archivist works with; `command` and `command_tournament` are the ways in for what the server sends."""

    kept: KeptProofs
    ledger: PublicLedger
    command: Callable[[GameCommand], Awaitable[object]]
    command_tournament: Callable[[TournamentCommand], Awaitable[object]]
    now_ms: Callable[[], int]


async def keep_archive(archive: Archive) -> None:
    """Work for ever. No trouble here is a trouble of the ledger's, so none is raised."""
    while True:
        pause_s = LOOK_EVERY_S
        try:
            if await look_through(archive):
                continue
        except StoreUnavailable as fault:
            log.warning("archive_interrupted", reason=str(fault))
            pause_s = FAILED_PAUSE_S
        except Exception:
            # The outermost loop: a bug of ours is told, and the ledger goes on without its archivist.
            log.exception("archive_failed")
            pause_s = FAILED_PAUSE_S
        await asyncio.sleep(pause_s)


async def look_through(archive: Archive) -> int:
    """See to the next leaves that are under a checkpoint, in their order, and say how many there were."""
    first = await archive.kept.read_passed()
    newest = await archive.ledger.find_checkpoint()
    end = first if newest is None else min(first + LEAVES_MAX, newest.checkpoint.tree_size)
    if end <= first:
        return 0
    for due in await archive.kept.list_due(first, end):
        is_done = await (_keep(archive, due) if due.opening is None else _witness(archive, due.stream, due.opening))
        if not is_done:
            # Too few have seen a checkpoint over it. Those after it wait for the same.
            end = due.index
            break
    await archive.kept.mark_passed(end)
    return end - first


def build_witness_id(game: StreamId) -> CommandId:
    """Name the command that witnesses an opening: however often it is sent, it is done once."""
    return derive_command(game, "opening witnessed")


async def _keep(archive: Archive, due: DueEvent) -> bool:
    last = await archive.ledger.find_trusted_proof(due.stream, due.version)
    if last is None:
        return False
    seat_version = await archive.kept.find_first_seat(due.stream)
    seat = None if seat_version is None else await archive.ledger.find_trusted_proof(due.stream, seat_version)
    assert seat is not None or seat_version is None, "what covers the last line covers the first seat"
    kept = KeptProof(
        version=due.version,
        last_proof=format_proof(last),
        first_seat_proof=None if seat is None else format_proof(seat),
        policy=format_policy(archive.ledger.policy),
    )
    await archive.kept.keep(due.stream, kept)
    return True


async def _witness(archive: Archive, game: StreamId, line: bytes) -> bool:
    if DEMAND not in _find_demands(line):
        return True
    proof = await archive.ledger.find_trusted_proof(game, FIRST_LINE)
    if proof is None:
        return False
    try:
        await _send(archive, game, line, format_proof(proof).decode())
    except Rejection as refused:
        # The game is over, or this was done before the last stop. Nothing is lost: it says so by itself.
        log.info("opening_not_witnessed", game=game, reason=str(refused))
    except (StreamContended, TooManyWaiting):
        return False
    return True


def _find_demands(line: bytes) -> Collection[str]:
    if is_tournament(line):
        opened = read_line(line).event
        assert isinstance(opened, TournamentOpened), "the type of its line says so"
        return opened.demands
    game = read_opening(line)
    return () if game is None else game.demands


async def _send(archive: Archive, stream: StreamId, line: bytes, proof: str) -> None:
    event = OpeningWitnessed(proof=proof)
    id_, at_ms, actor = build_witness_id(stream), archive.now_ms(), ByServer()
    if is_tournament(line):
        await archive.command_tournament(
            TournamentCommand(id=id_, stream=TournamentId(stream), at_ms=at_ms, actor=actor, event=event)
        )
    else:
        await archive.command(GameCommand(id=id_, stream=GameId(stream), at_ms=at_ms, actor=actor, event=event))
