"""The archivist: follows the ledger, and sees to those lines of games and tournaments that wait for their proof.

An ended stream gets the proofs that its bundle will have for ever; an opening to be witnessed gets its proof into the
log, before which no seat can be taken and no entrant can enter. After any stop it goes on at its bookmark.
"""

from collections.abc import Awaitable, Callable
from functools import partial

import structlog
from msgspec import Struct

from domain.audit.reading import read_opening
from domain.derived_ids import derive_command
from domain.game.commands import GameCommand
from domain.game.kind import GAMES
from domain.ids import CommandId, GameId, StreamId, StreamVersion, TournamentId
from domain.ledger.broken_proof import BrokenProof
from domain.ledger.leaf import format_leaf
from domain.ledger.policy import evaluate
from domain.ledger.policy_file import format_policy
from domain.ledger.proof import check_proof, format_proof, parse_proof
from domain.ledger.signers import BadSignature
from domain.ledger.spelling import Misspelt
from domain.log.actors import ByServer
from domain.log.events import OpeningWitnessed
from domain.log.replay import is_of
from domain.rejection import Rejection
from domain.tournament.commands import TournamentCommand
from domain.tournament.kind import TOURNAMENTS
from infra.postgres.kept_proofs import DueEvent, KeptProof, KeptProofs
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from services.ledger.public_ledger import PublicLedger
from services.workers.kinds import ARCHIVIST
from services.workers.standby import OpenLock, Worker, locked_step

log = structlog.get_logger()

DEMAND = "witnessed_opening"
FIRST_LINE = StreamVersion(1)
# Some ten milliseconds of the database, however long it was away.
LEAVES_MAX = 5_000


class PlantedProof(Exception):
    """The kept proof of a stream proves nothing: not this server has kept it."""

    def __init__(self, stream: StreamId) -> None:
        super().__init__(f"expected a proof of the last line of {stream}, found another text")


class ArchivistSources(Struct, frozen=True, kw_only=True):
    """`command` and `command_tournament` take the server's own commands."""

    kept: KeptProofs
    ledger: PublicLedger
    command: Callable[[GameCommand], Awaitable[object]]
    command_tournament: Callable[[TournamentCommand], Awaitable[object]]
    now_ms: Callable[[], int]


def build_archivist(sources: ArchivistSources, open_lock: OpenLock) -> Worker:
    return Worker(name=ARCHIVIST.name, open=lambda: locked_step(open_lock, lambda: partial(look_through, sources)))


async def look_through(sources: ArchivistSources) -> int:
    """See to the next leaves that are under a checkpoint, in their order, and state how many there were."""
    first = await sources.kept.read_passed()
    newest = await sources.ledger.find_checkpoint()
    end = first if newest is None else min(first + LEAVES_MAX, newest.checkpoint.tree_size)
    if end <= first:
        return 0
    for due in await sources.kept.list_due(first, end):
        is_done = await (_keep(sources, due) if due.opening is None else _witness(sources, due.stream, due.opening))
        if not is_done:
            # Too few have seen a checkpoint over it. Those after it wait for the same.
            end = due.index
            break
    await sources.kept.mark_passed(end)
    return end - first


def build_witness_id(game: StreamId) -> CommandId:
    """Name the command that witnesses an opening: however often it is sent, it is done once."""
    return derive_command(game, "opening witnessed")


async def _keep(sources: ArchivistSources, due: DueEvent) -> bool:
    last = await sources.ledger.find_trusted_proof(due.stream, due.version)
    if last is None:
        return False
    seat_version = await sources.kept.find_first_seat(due.stream)
    seat = None if seat_version is None else await sources.ledger.find_trusted_proof(due.stream, seat_version)
    assert seat is not None or seat_version is None, "what covers the last line covers the first seat"
    kept = KeptProof(
        version=due.version,
        last_proof=format_proof(last),
        first_seat_proof=None if seat is None else format_proof(seat),
        policy=format_policy(sources.ledger.policy),
    )
    await sources.kept.keep(due.stream, kept)
    await _check_kept(sources, due)
    return True


async def _check_kept(sources: ArchivistSources, due: DueEvent) -> None:
    """Raise PlantedProof where another proof was kept before, and is none: a later look states so again."""
    found = await sources.kept.find(due.stream)
    assert found is not None, "it was kept just now"
    (entry,) = await sources.ledger.ledger.read_entries(due.index, due.index + 1)
    try:
        proof = parse_proof(found.last_proof)
        check_proof(proof, format_leaf(entry.leaf))
        # One of a former name of the ledger is for its own policy, which is kept with it.
        is_former = proof.signed.checkpoint.origin != sources.ledger.origin
        is_signed = is_former or evaluate(sources.ledger.policy, proof.signed).log is not None
    except (Misspelt, BrokenProof, BadSignature):
        is_signed = False
    if not is_signed:
        raise PlantedProof(due.stream)


async def _witness(sources: ArchivistSources, game: StreamId, line: bytes) -> bool:
    opened = read_opening(TOURNAMENTS if is_of(TOURNAMENTS, line) else GAMES, line)
    if opened is None or DEMAND not in opened.demands:
        return True
    proof = await sources.ledger.find_trusted_proof(game, FIRST_LINE)
    if proof is None:
        return False
    try:
        await _send(sources, game, line, format_proof(proof).decode())
    except Rejection as refused:
        # The game is over, or this was done before the last stop. Nothing is lost: it states so by itself.
        log.info("opening_not_witnessed", game=game, reason=str(refused))
    except (StreamContended, TooManyWaiting):
        return False
    return True


async def _send(sources: ArchivistSources, stream: StreamId, line: bytes, proof: str) -> None:
    event = OpeningWitnessed(proof=proof)
    id_, at_ms, actor = build_witness_id(stream), sources.now_ms(), ByServer()
    if is_of(TOURNAMENTS, line):
        await sources.command_tournament(
            TournamentCommand(id=id_, stream=TournamentId(stream), at_ms=at_ms, actor=actor, event=event)
        )
    else:
        await sources.command(GameCommand(id=id_, stream=GameId(stream), at_ms=at_ms, actor=actor, event=event))
