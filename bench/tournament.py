"""The cost of tournaments: pairing the largest field, verifying one with all its games, and showing the standings."""

import asyncio
import os
import time
from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations
from random import Random

import msgspec

from bench.figures import Asked, Figures, Row, time_side_by_side
from bench.load import ReadOrders, measure_load
from bench.served import new_servers, running_server
from bench.whole_tournament import SIZES, TOURNAMENT, TournamentSize, WholeTournament, play_tournament
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
from infra.ruleset_files import load_ruleset
from services.audits.audit import BROKEN, Terms
from services.audits.tournament_audit import audit_tournament

# Entrants, rounds and sizes of tables.
Field = tuple[int, int, TableSizes]
# As many as a tournament may have, in more rounds than most ever play; then a season in which nearly all meet.
LARGE, SEASON = (2_000, 7, SIZES), (240, 33, TableSizes(min=6, max=6, preferred=6))
# Lines of one append of a log that is put there whole.
LINES_TOGETHER = 200
ROUNDS = 2


async def measure(asked: Asked) -> list[Figures]:
    size = asked.size(TournamentSize(entrants=400, rounds=5), TournamentSize(entrants=16, rounds=2))
    async with new_servers() as urls:
        return await measure_tournaments(load_ruleset(asked.kits[0]), size, urls)


async def measure_tournaments(
    ruleset: AnyRuleset, size: TournamentSize, urls: ServerUrls, *, fields: Sequence[Field] = (LARGE, SEASON)
) -> list[Figures]:
    """Measure all of it on these servers, with their migrations applied."""
    played = await asyncio.to_thread(play_tournament, ruleset, size)
    bundle = played.bundle()
    events = len(played.raws) + sum(game.raw.count(b'\n{"at"') + 1 for game in bundle.games)
    megabytes = len(format_tournament_bundle(bundle)) / 1_000_000
    games = f"{len(bundle.games)} games of {ruleset.name}@{ruleset.version}"
    return [
        Figures(
            title="pairing tournaments",
            rows={f"{shape[0]:,} for {shape[1]} rounds": measure_pairing(*shape) for shape in fields},
        ),
        Figures(
            title=f"verifying {games}, {events:,} events, {megabytes:.0f} MB",
            rows=await asyncio.to_thread(_time_verifying, played),
        ),
        await _measure_pages(played, size, urls),
    ]


def measure_pairing(entrants: int, rounds: int, sizes: TableSizes) -> Row:
    """Pair a field round after round, with results by chance: seconds, and the meetings repeated in all rounds."""
    chance = Random(7)  # noqa: S311  the same field for the same figures
    field = [Contender(entrant=index, points=0, lot=chance.randrange(LOT_SIDES)) for index in range(entrants)]
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
            msgspec.structs.replace(
                contender, points=contender.points + earned[contender.entrant], lot=chance.randrange(LOT_SIDES)
            )
            for contender in field
        ]
    return {"all rounds s": sum(taken_s), "the slowest s": max(taken_s), "meetings repeated": repeats}


def _time_verifying(played: WholeTournament) -> dict[str, Row]:
    """Let one process and all of them take turns."""
    raw, terms = format_tournament_bundle(played.bundle()), Terms(trust=NO_TRUST, builders=RELEASED)

    def verify(processes: int) -> None:
        audit = audit_tournament(raw, terms, name="measured", processes=processes)
        assert audit.exit_code != BROKEN, "the measured tournament did not hold"

    cores = os.cpu_count() or 1
    ways = {"on one core": lambda: verify(1), f"on {cores} cores": lambda: verify(cores)}
    return time_side_by_side(ways, rounds=ROUNDS)


async def _measure_pages(played: WholeTournament, size: TournamentSize, urls: ServerUrls) -> Figures:
    """Read the standings as many people do when a round is over: each again as soon as the page is there."""
    await _store(played, urls)
    rows, path = {}, f"/v1/tournaments/{TOURNAMENT}/standings"
    async with running_server(urls) as port:
        for name, knows_tag in (("standings", False), ("standings, not modified", True)):
            loaded = await measure_load(
                ReadOrders(port=port, path=path, readers=size.readers, requests=size.reads, knows_tag=knows_tag)
            )
            rows[name] = loaded.rate()
    return Figures(title=f"{size.readers} readers of a page of {loaded.answer_size:,} bytes", rows=rows)


async def _store(played: WholeTournament, urls: ServerUrls) -> None:
    async with open_event_store(urls.database_url) as store:
        named = played.tournament.opened.ruleset
        components = played.bundle().components
        assert sha256(components).hexdigest() == named.components
        await store.save_components(named.components, ruleset=named.name, version=named.version, body=components)
        for start in range(0, len(played.raws), LINES_TOGETHER):
            lines = tuple(played.raws[start : start + LINES_TOGETHER])
            await store.append(
                Append(
                    stream=TOURNAMENT,
                    expected_version=StreamVersion(start),
                    expected_head=line_hash(played.raws[start - 1]) if start else GENESIS,
                    lines=lines,
                    types=tuple(parse_line(line).type for line in lines),
                    hashes=tuple(line_hash(line) for line in lines),
                )
            )
