"""The cost of tournaments: pairing the largest field, verifying one with all its games, and showing the standings."""

import asyncio
import os
import secrets
import time
from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations
from random import Random

import msgspec
from msgspec import Struct

from bench.boardgame_io import LOAD_PROCESSOR, SERVER_PROCESSOR
from bench.child import running_child
from bench.command_server import ServerOrders, Serving
from bench.cups import CUP, SIZES, Cup, CupSize, play_cup
from bench.page_load import PageLoaded, PageOrders
from bench.rate import Rate, build_rate
from bench.served import HOST
from bench.timing import time_side_by_side
from domain.audit.case import NO_TRUST
from domain.audit.tournament_bundle import format_tournament_bundle
from domain.ids import StreamVersion
from domain.log.record import GENESIS, line_hash, parse_line
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import RELEASED
from domain.tournament.contender import LOT_SIDES, Contender, pair_of
from domain.tournament.pairing import pair_round
from domain.tournament.scoring import default_points
from domain.tournament.sizes import TableSizes
from infra.embedded.servers import ServerUrls
from infra.event_store import Append
from infra.postgres.event_store import open_event_store
from services.audits.audit import BROKEN, Terms
from services.audits.tournament_audit import audit_tournament

# As many as a tournament may have, in more rounds than most ever play; then a season in which nearly all meet.
LARGE, SEASON = (2_000, 7, SIZES), (240, 33, TableSizes(min=6, max=6, preferred=6))
# Lines of one append of a log that is put there whole.
LINES_TOGETHER = 200
TIMED_ROUNDS = 2
READERS = 50
READS = 40


class PairingFigures(Struct, frozen=True, kw_only=True):
    """`slowest_s` is the slowest round, `all_s` all rounds; `repeats` are the meetings repeated in all of them."""

    entrants: int
    rounds: int
    slowest_s: float
    all_s: float
    repeats: int


class CupFigures(Struct, frozen=True, kw_only=True):
    """One tournament, verified by one process, then by one for each core; `pages` are reads of its standings."""

    ruleset: str
    games: int
    events: int
    bundle_size: int
    one_core_s: float
    all_cores_s: float
    cores: int
    pages: tuple[Rate, ...]
    page_size: int


class TournamentFigures(Struct, frozen=True, kw_only=True):
    pairings: tuple[PairingFigures, ...]
    cup: CupFigures


async def measure_tournaments(ruleset: AnyRuleset, size: CupSize, urls: ServerUrls) -> TournamentFigures:
    """Measure all of it on these servers, with their migrations applied."""
    cup = await asyncio.to_thread(play_cup, ruleset, size)
    pages = await _measure_pages(cup, urls)
    one_core_s, all_cores_s = await asyncio.to_thread(_time_verifying, cup)
    bundle = cup.bundle()
    figures = CupFigures(
        ruleset=f"{ruleset.name}@{ruleset.version}",
        games=len(bundle.games),
        events=len(cup.raws) + sum(each.raw.count(b'\n{"at"') + 1 for each in bundle.games),
        bundle_size=len(format_tournament_bundle(bundle)),
        one_core_s=one_core_s,
        all_cores_s=all_cores_s,
        cores=os.cpu_count() or 1,
        pages=tuple(_rate(each) for each in pages),
        page_size=pages[0].answer_size,
    )
    return TournamentFigures(pairings=tuple(measure_pairing(*each) for each in (LARGE, SEASON)), cup=figures)


def measure_pairing(entrants: int, rounds: int, sizes: TableSizes) -> PairingFigures:
    """Pair a field round after round, with results by chance."""
    chance = Random(7)  # noqa: S311  the same field for the same figures
    field = [Contender(entrant=each, points=0, lot=chance.randrange(LOT_SIDES)) for each in range(entrants)]
    meetings: dict[tuple[int, int], int] = {}
    taken_s, repeats = [], 0
    for _ in range(rounds):
        started = time.perf_counter()
        paired = pair_round(field, meetings, sizes)
        taken_s.append(time.perf_counter() - started)
        repeats += sum(repeat.times for table in paired.tables for repeat in table.repeats)
        earned = dict.fromkeys(range(entrants), 0)
        for table in paired.tables:
            for pair in combinations(table.entrants, 2):
                meetings[pair_of(*pair)] = meetings.get(pair_of(*pair), 0) + 1
            order = chance.sample(table.entrants, len(table.entrants))
            earned |= dict(zip(order, default_points(len(order)), strict=True))
        field = [
            msgspec.structs.replace(each, points=each.points + earned[each.entrant], lot=chance.randrange(LOT_SIDES))
            for each in field
        ]
    return PairingFigures(entrants=entrants, rounds=rounds, slowest_s=max(taken_s), all_s=sum(taken_s), repeats=repeats)


def _time_verifying(cup: Cup) -> tuple[float, float]:
    """Let one process and all of them take turns, so that a noisy machine is noisy for both."""
    raw, terms = format_tournament_bundle(cup.bundle()), Terms(trust=NO_TRUST, builders=RELEASED)

    def verify(processes: int) -> None:
        audit = audit_tournament(raw, terms, name="measured", processes=processes)
        assert audit.exit_code != BROKEN, "what was measured did not hold"

    ways = {"one": lambda: verify(1), "all": lambda: verify(os.cpu_count() or 1)}
    timed = time_side_by_side(ways, rounds=TIMED_ROUNDS)
    return timed["one"].best_ms / 1000, timed["all"].best_ms / 1000


async def _measure_pages(cup: Cup, urls: ServerUrls) -> Sequence[PageLoaded]:
    """Read the standings as many people do when a round is over: each again as soon as the page is there."""
    await _store(cup, urls)
    server = ServerOrders(database_url=urls.database_url, redis_url=urls.redis_url, master_key=secrets.token_bytes(32))
    loaded = []
    async with running_child("bench.command_server", server, processor=SERVER_PROCESSOR) as serving:
        port = (await serving.read(Serving)).port
        for knows_tag in (False, True):
            path = f"/v1/tournaments/{CUP}/standings"
            orders = PageOrders(host=HOST, port=port, path=path, readers=READERS, reads=READS, knows_tag=knows_tag)
            async with running_child("bench.page_load", orders, processor=LOAD_PROCESSOR) as load:
                loaded.append(await load.read(PageLoaded))
    return loaded


async def _store(cup: Cup, urls: ServerUrls) -> None:
    async with open_event_store(urls.database_url) as store:
        named = cup.tournament.opened.ruleset
        components = cup.bundle().components
        assert sha256(components).hexdigest() == named.components
        await store.save_components(named.components, ruleset=named.name, version=named.version, body=components)
        for start in range(0, len(cup.raws), LINES_TOGETHER):
            lines = tuple(cup.raws[start : start + LINES_TOGETHER])
            await store.append(
                Append(
                    stream=CUP,
                    expected_version=StreamVersion(start),
                    expected_head=line_hash(cup.raws[start - 1]) if start else GENESIS,
                    lines=lines,
                    types=tuple(parse_line(line).type for line in lines),
                    hashes=tuple(line_hash(line) for line in lines),
                )
            )


def _rate(loaded: PageLoaded) -> Rate:
    name = "standings, not modified" if loaded.knows_tag else "standings"
    latencies = loaded.latencies_s
    return build_rate(name, latencies_s=latencies, events=len(latencies), elapsed_s=loaded.elapsed_s)
