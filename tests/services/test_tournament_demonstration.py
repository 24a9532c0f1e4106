"""Whole tournaments over HTTP: bots enter, check in, play, stay away and withdraw; the log bears out every number."""

import asyncio
from contextlib import AsyncExitStack
from random import Random

import asyncpg
from msgspec.structs import replace

from domain.audit.case import NO_TRUST
from domain.audit.tournament_bundle import format_tournament_bundle
from domain.chance import Secret
from domain.ids import OrganiserId, StreamVersion
from domain.record import line_hash, parse_line
from domain.rulesets.released import RELEASED
from domain.tournament.replay import redecide
from domain.tournament.scores import list_standings
from domain.tournament.state import Tournament, WalkedOver
from infra.postgres.accounts import Account as StoredAccount
from infra.postgres.accounts import create_account
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.kept_proofs import KeptProofs
from services.audits.audit import BROKEN, UNCHECKED, Terms
from services.audits.bundles import Bundles
from services.audits.tournament_audit import audit_tournament
from services.audits.tournament_bundles import TournamentBundles
from services.bots.entrant import Habits, Withdrawal
from services.bots.roster import find_roster
from services.catalogue import REGISTERED, build_catalogue
from services.client.connection import connected
from services.client.seen import Account
from services.tournament_demonstration import CupPlan, CupShown, demonstrate_tournament
from services.tournaments.commanding import stream_of
from services.tournaments.shown import TournamentShown
from tests.database import Database
from tests.services.listening import listening

ORGA = OrganiserId("0199c0de-0000-7000-8000-0000000000f0")


async def build_organiser(database: Database) -> Account:
    owner = await asyncpg.connect(database.owner_url)
    try:
        token = await create_account(owner, StoredAccount(id=ORGA, name="Orga", scope="organiser"))
    finally:
        await owner.close()
    return Account(id=ORGA, name="Orga", token=token)  # type: ignore[arg-type]  # an organiser's id is one as well


async def decide_again(database: Database, shown: CupShown) -> Tournament:
    """Decide the whole log of a tournament that is over again, and compare each result with its game's last line."""
    async with open_event_store(database.app_url) as store:
        raws = (await store.read_game(stream_of(shown.tournament.id))).lines
        secret = Secret(bytes.fromhex(str(parse_line(raws[-1]).data["secret"])))
        tournament = redecide(raws, await build_catalogue(store, REGISTERED), secret)
        for round_ in tournament.rounds:
            for table in round_.tables:
                if table.result is not None:
                    (last,) = await store.read_stream(
                        table.game, after=StreamVersion(table.result.version - 1), limit=2
                    )
                    assert (parse_line(last).type, table.result.hash) == ("secret_disclosed", line_hash(last))
    return tournament


async def play_over_a_restart(database: Database, plan: CupPlan) -> CupShown:
    """Play with two servers, one after the other at one address: the second begins with the second round."""
    has_played = asyncio.Event()

    def on_moved(seen: TournamentShown) -> None:
        if seen.round == 2:
            has_played.set()

    async with AsyncExitStack() as stack:
        async with listening(database) as url:
            connection = await stack.enter_async_context(connected(url))
            organiser = await build_organiser(database)
            whims = Random(1)  # noqa: S311  the bots', which a seed repeats
            playing = asyncio.create_task(
                demonstrate_tournament(connection, organiser, plan, numbers=whims, on_moved=on_moved)
            )
            await asyncio.wait([playing, asyncio.create_task(has_played.wait())], return_when="FIRST_COMPLETED")
        async with listening(database, port=int(url.rpartition(":")[2])):
            return await playing


async def test_bots_play_a_tournament_to_its_end_over_a_restart_and_its_log_says_the_same(database: Database) -> None:
    roster = find_roster("chariot-race@1")
    assert roster is not None
    plan = CupPlan(
        roster=roster,
        players=5,
        rounds=2,
        table_size=3,
        is_signed=True,
        terms={"sit_down_ms": 4_000, "check_in_ms": 30_000},
        habits={1: Habits(stays_away_in=frozenset({1})), 2: Habits(withdraws=Withdrawal(round=2))},
    )

    shown = await play_over_a_restart(database, plan)

    tournament = await decide_again(database, shown)
    assert (shown.tournament.status, shown.standings.is_final, len(shown.standings.items)) == ("finished", True, 5)
    assert [each.points for each in shown.standings.items] == [each.points for each in list_standings(tournament)]
    assert [entry.left for entry in tournament.entries].count("withdrawn") == 1
    # Whoever stays away is drawn out of a table of three; of a table of two the other one walks over.
    assert any(table.attempt > 1 or isinstance(table.status, WalkedOver) for table in tournament.rounds[0].tables)
    assert [len(each.tables) for each in shown.pairings.items] == [2, 2]
    await verify_the_bundle(database, tournament)


async def verify_the_bundle(database: Database, tournament: Tournament) -> None:
    """Hold the whole tournament against its one file: as it is, and with one game's place in it given to another."""
    terms = Terms(trust=NO_TRUST, builders=RELEASED)
    async with build_app_pool(database.app_url) as pool, open_event_store(database.app_url) as store:
        bundles = TournamentBundles(Bundles(store=store, kept=KeptProofs(pool), ledger=None))
        bundle = await bundles.build(tournament.id)
    first, second, *others = bundle.games
    swapped = (replace(first, raw=second.raw), replace(second, raw=first.raw), *others)

    audit = audit_tournament(format_tournament_bundle(bundle), terms, name="cup", processes=1)
    forged = audit_tournament(
        format_tournament_bundle(replace(bundle, games=swapped)), terms, name="forged", processes=1
    )

    assert audit.report is not None
    assert audit.report.broken == ()
    assert audit.report.standings == list_standings(tournament)
    assert (audit.exit_code, forged.exit_code) == (UNCHECKED, BROKEN)
