"""Audits of stored games and tournaments, in processes beside this one: a page of streams at a time, in order of id."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from tempfile import TemporaryDirectory
from uuid import UUID

from msgspec import Struct

from domain.audit.bundle import format_bundle
from domain.audit.case import Trust
from domain.ids import GameId, StreamId, TournamentId
from domain.ledger.policy_file import parse_policy
from domain.log.record import BadLine
from domain.operators.events import StreamsAudited
from domain.rulesets.released import RELEASED
from infra.settings import Settings
from infra.store_faults import UnknownComponents, UnknownStream
from services.audits.audit import BROKEN, Terms, exit_code_of
from services.audits.auditor import encode_task, run_task
from services.audits.bundles import Bundles, ends_finished
from services.audits.sentences import tell_verdict, tell_why
from services.audits.tournament_audit import audit_tournament_file
from services.audits.tournament_bundles import TournamentBundles
from services.audits.trust import hash_own_components
from services.commands.tournaments import NoSuchTournament
from services.node.export import bundles_of, list_streams
from services.node.records import announce_act, read_words

COUNT_STREAMS = """
select count(*) from stream where id > $1
"""


class Judged(Struct, frozen=True, kw_only=True):
    """One stream: its exit code as of `spina verify`, its verdict, and whether it had ended."""

    stream: StreamId
    exit_code: int
    is_over: bool
    told: str


OnCounted = Callable[[int], None]
OnJudged = Callable[[Judged], None]


class Asked(Struct, frozen=True, kw_only=True):
    """After which id is audited, by how many processes at once, by whom and why."""

    after: UUID
    processes: int
    by: str
    reason: str | None = None


async def audit_stored(settings: Settings, asked: Asked, *, on_counted: OnCounted, on_judged: OnJudged) -> None:
    """Decide every stored stream after an id again, and report each in the order of the ids.

    The operator's own policy of each time is trusted: this finds logs that this release decides otherwise.
    It stands in the operators' record before anything is reported, as private games are among them.
    """
    after = asked.after
    act = StreamsAudited(after=StreamId(str(after)), **read_words(asked.by, asked.reason))
    async with bundles_of(settings) as (queries, bundles):
        await announce_act(settings, act, shown=queries)
        # A process that starts afresh inherits no connection and no lock. A Ctrl-C is for this process alone.
        fresh = ProcessPoolExecutor(
            asked.processes, mp_context=get_context("spawn"), initializer=signal, initargs=(SIGINT, SIG_IGN)
        )
        with fresh as auditors, TemporaryDirectory() as folder:
            on_counted(await queries.fetch_value(COUNT_STREAMS, after))
            async for page in list_streams(queries, after=after):
                for judged in await asyncio.gather(
                    *(_judge(stream, bundles, auditors, Path(folder) / stream) for stream in page)
                ):
                    on_judged(judged)


async def _judge(stream: StreamId, bundles: Bundles, auditors: ProcessPoolExecutor, file: Path) -> Judged:
    try:
        try:
            return await _judge_game(GameId(stream), bundles, auditors)
        except UnknownStream:
            return await _judge_tournament(TournamentId(stream), TournamentBundles(bundles), auditors, file)
    except (NoSuchTournament, UnknownComponents, BadLine) as damaged:
        return Judged(stream=stream, exit_code=BROKEN, is_over=False, told=str(damaged))


async def _judge_game(game: GameId, bundles: Bundles, auditors: ProcessPoolExecutor) -> Judged:
    bundle = await bundles.build(game)
    task = partial(run_task, encode_task(format_bundle(bundle), policy=bundle.policy or b""), name=game)
    report = await asyncio.get_running_loop().run_in_executor(auditors, task)
    told = " ".join(filter(None, (report.verdict, report.why, report.refusal)))
    return Judged(stream=game, exit_code=report.exit_code, is_over=ends_finished(bundle.log), told=told)


async def _judge_tournament(
    tournament: TournamentId, bundles: TournamentBundles, auditors: ProcessPoolExecutor, file: Path
) -> Judged:
    begun = await bundles.begin(tournament)
    with file.open("wb") as written:
        async for part in bundles.write(begun):
            written.write(part)
    task = partial(_audit_tournament, file, begun.bundle.policy)
    exit_code, told = await asyncio.get_running_loop().run_in_executor(auditors, task)
    return Judged(stream=tournament, exit_code=exit_code, is_over=ends_finished(begun.bundle.log), told=told)


def _audit_tournament(file: Path, policy: bytes | None) -> tuple[int, str]:
    trusted = None if policy is None else parse_policy(policy)
    terms = Terms(trust=Trust(policy=trusted, components=hash_own_components()), builders=RELEASED)
    audited = audit_tournament_file(file, terms, processes=1)
    file.unlink()
    return exit_code_of(audited), " ".join(filter(None, (tell_verdict(audited), tell_why(audited), audited.refusal)))
