"""The figures of a measurement as tables for people."""

from collections.abc import Iterator

from msgspec import structs
from rich.table import Table

from bench.append import AppendFigures, GrowthFigures
from bench.audits import AuditFigures
from bench.commands import CommandFigures
from bench.fold import FoldFigures
from bench.ledger import LedgerFigures
from bench.live import LiveFigures
from bench.page import PageFigures
from bench.rate import Rate
from bench.recorded_games import RecordedFigures
from bench.ruleset import RulesetFigures
from bench.suite import Report
from bench.tailing import TailingFigures
from bench.tournaments import TournamentFigures


def build_tables(report: Report) -> Iterator[Table]:
    if report.fold is not None:
        yield fold_table(report.fold)
    for ruleset in report.rulesets:
        yield ruleset_table(ruleset)
        yield recorded_table(ruleset.recorded)
    for audited in report.audits:
        yield audit_table(audited)
    if report.append is not None:
        yield append_table(report.append)
    if report.growth is not None:
        yield growth_table(report.growth)
    if report.tailing is not None:
        yield tailing_table(report.tailing)
    if report.commands is not None:
        yield commands_table(report.commands)
    if report.live is not None:
        yield live_table(report.live)
    if report.page is not None:
        yield page_table(report.page)
    if report.page_missing is not None:
        yield Table(title="the page of a game: not measured", caption=report.page_missing)
    if report.tournaments is not None:
        yield tournament_table(report.tournaments)
    if report.ledger:
        yield ledger_table(report.ledger)


def fold_table(figures: FoldFigures) -> Table:
    table = Table("way", "best ms", "ratio", title=f"reading {figures.lines} lines of {figures.bytes_per_line} bytes")
    for way, timed in figures.timings.items():
        table.add_row(way, f"{timed.best_ms:.2f}", f"{timed.ratio:.2f}")
    return table


def ruleset_table(figures: RulesetFigures) -> Table:
    table = _rates(f"{figures.ruleset}, four seats, time of one processor", figures.rates, unit="a second")
    folds = ", ".join(f"{name} {timed.best_ms:.1f} ms" for name, timed in figures.fold.items())
    shares = ", ".join(f"{folder} {share:.0%}" for folder, share in figures.shares.items())
    table.caption = (
        f"{figures.outcomes} outcomes: {folds}; a folded game keeps {figures.folded_bytes:,} bytes; "
        f"the rules alone are {shares}"
    )
    return table


def recorded_table(figures: RecordedFigures) -> Table:
    title = f"{figures.ruleset} with record and hashes: {figures.games.events_per_s:.1f} games a second"
    table = Table("reading its log", "best ms", "ratio", title=title)
    for way, timed in figures.reading.items():
        table.add_row(way, f"{timed.best_ms:.2f}", f"{timed.ratio:.2f}")
    table.caption = f"{figures.events} events; {figures.decided_again_per_s:,.0f} decided again a second"
    return table


def audit_table(figures: AuditFigures) -> Table:
    table = Table("way", "best ms", "ratio", title=f"verifying {figures.ruleset}, {figures.events} events")
    for title, timings in (("", figures.reading), (f", {figures.signatures} signatures", figures.signed)):
        for way, timed in timings.items():
            table.add_row(f"{way}{title}", f"{timed.best_ms:.2f}", f"{timed.ratio:.2f}")
    table.caption = (
        f"{figures.verified_per_s:,.0f} events a second on one core; "
        f"{figures.folder_per_s:,.0f} from {figures.files} files by {figures.processes} processes"
    )
    return table


def append_table(figures: AppendFigures) -> Table:
    table = _rates("appending", (*figures.appends, figures.asyncpg_insert, *figures.pgbench))
    table.caption = (
        f"fastest of {figures.rounds} rounds in turn; "
        f"200 games x 1 line is {figures.throughput_ratio:.2f} times pgbench's best; "
        f"one game's median is {figures.latency_ratio:.2f} times a plain insert's"
    )
    return table


def growth_table(figures: GrowthFigures) -> Table:
    small, large = f"{figures.small_events:,} events", f"{figures.large_events:,} events"
    rates = (
        structs.replace(figures.small, name=f"{small}, 1 game"),
        structs.replace(figures.large, name=f"{large}, 1 game"),
        structs.replace(figures.small_many, name=f"{small}, 200 games"),
        structs.replace(figures.large_many, name=f"{large}, 200 games"),
    )
    table = _rates("appending to a log of", rates)
    table.caption = (
        f"one game's median in the large log is {figures.latency_ratio:.2f} times that in the small one; "
        f"200 games make {figures.throughput_ratio:.2f} times the events"
    )
    return table


def tailing_table(figures: TailingFigures) -> Table:
    title = f"one reader beside {figures.writers} writing processes"
    table = Table("events", "seen", "missed", "out of order", "events/s", title=title)
    counts = (figures.events, figures.seen, figures.missed, figures.out_of_order)
    table.add_row(*(f"{count:,}" for count in counts), f"{figures.events_per_s:,.0f}")
    return table


def commands_table(figures: CommandFigures) -> Table:
    table = Table("way", "commands/s", "lowest..highest", "p50 ms", "p99 ms", title="commands")
    for median in (*figures.rates, *figures.appender, *figures.peer):
        rate, apart = median.rate, f"{median.lowest_per_s:,.0f}..{median.highest_per_s:,.0f}"
        table.add_row(rate.name, f"{rate.events_per_s:,.0f}", apart, f"{rate.p50_ms:.2f}", f"{rate.p99_ms:.2f}")
    ratios = ", ".join(f"{name} {ratio:.1f}" for name, ratio in figures.ratios.items())
    beside = figures.peer_missing or f"times boardgame.io: {ratios}"
    table.caption = (
        f"median of {figures.rounds} rounds in turn; {beside}; a game's median at event 3,000 is "
        f"{figures.long_game.ratio:.2f} times that at event 50"
    )
    return table


def live_table(figures: LiveFigures) -> Table:
    title = f"{figures.spectators:,} spectators of one game, {figures.frame_bytes_mean:,} bytes a frame"
    table = Table("way", "last one p50 ms", "p99 ms", "CPU µs a delivery", title=title)
    for way, spread in (("live", figures.live), ("bare broadcast", figures.bare)):
        row = (spread.to_last_p50_ms, spread.to_last_p99_ms, spread.cpu_us_per_delivery)
        table.add_row(way, *(f"{each:.2f}" for each in row))
    table.caption = (
        f"time to the last {figures.to_last_ratio:.2f} times, CPU {figures.cpu_ratio:.2f} times the bare one's; "
        f"{figures.bytes_per_spectator:,} bytes a spectator"
    )
    return table


def page_table(figures: PageFigures) -> Table:
    title = f"the page of a game of {figures.events} events, in a browser"
    table = Table("replay, an event a frame", "frames/s", "drawn", "longest frame ms", "work p50 ms", title=title)
    for way, scrubbed in zip(("first way through", "second"), figures.scrubbed, strict=True):
        drawn = f"{scrubbed.drawn} of {scrubbed.frames}"
        table.add_row(
            way, f"{scrubbed.frames_per_s:.1f}", drawn, f"{scrubbed.longest_ms:.0f}", f"{scrubbed.work_p50_ms:.1f}"
        )
    opened = figures.opened
    table.caption = (
        f"a replay shows its board after {opened.board_ms:.0f} ms, can be used after {opened.interactive_ms:.0f} ms; "
        f"{figures.page_bytes:,} bytes to open a game, {figures.followed_bytes:,} to follow it to its end; "
        f"a tab's heap is {figures.heap_bytes_first:,} bytes after one game and "
        f"{figures.heap_bytes_last:,} after {figures.games}"
    )
    return table


def ledger_table(figures: tuple[LedgerFigures, ...]) -> Table:
    table = Table("leaves", "leaves/s", "proof p50 ms", "p99 ms", "without a cache", "peak MB", title="the ledger")
    for each in figures:
        proofs = (each.proof_p50_ms, each.proof_p99_ms, each.proof_cold_p50_ms)
        row = (f"{each.leaves:,}", f"{each.leaves_per_s:,.0f}", *(f"{ms:.2f}" for ms in proofs))
        table.add_row(*row, f"{each.peak_memory_mb:.0f}")
    return table


def tournament_table(figures: TournamentFigures) -> Table:
    cup = figures.cup
    size = f"{cup.bundle_size / 1_000_000:.0f} MB"
    table = Table("", "", title=f"a tournament of {cup.games} games of {cup.ruleset}, {cup.events:,} events, {size}")
    for pairing in figures.pairings:
        told = f"{pairing.all_s:.2f} s, the slowest {pairing.slowest_s:.2f} s, {pairing.repeats} meetings repeated"
        table.add_row(f"pairing {pairing.entrants:,} for {pairing.rounds} rounds", told)
    table.add_row("verifying on one core", f"{cup.one_core_s:.1f} s")
    times = cup.one_core_s / cup.all_cores_s
    table.add_row(f"verifying on {cup.cores} cores", f"{cup.all_cores_s:.1f} s, {times:.2f} times as fast")
    for rate in cup.pages:
        told = f"{rate.events_per_s:,.0f} a second, p50 {rate.p50_ms:.1f} ms, p99 {rate.p99_ms:.1f} ms"
        table.add_row(f"{rate.name}, {cup.page_size:,} bytes", told)
    return table


def _rates(title: str, rates: tuple[Rate, ...], *, unit: str = "events/s") -> Table:
    table = Table("way", unit, "p50 ms", "p99 ms", title=title)
    for rate in rates:
        table.add_row(rate.name, f"{rate.events_per_s:,.0f}", f"{rate.p50_ms:.2f}", f"{rate.p99_ms:.2f}")
    return table
