"""Bundles of tournaments from the store: written part by part, and nothing in them before its time."""

from domain.audit.bundle import parse_bundle
from domain.audit.tournament_bundle import TournamentBundle, parse_tournament_bundle
from domain.ruleset.catalogue import hash_components
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.queries import Queries
from services.audits.bundles import Bundles
from services.audits.tournament_bundles import TournamentBundles
from tests.database import Database
from tests.domain.tournament.tournament_harness import CUP, PAIRS, RULES
from tests.services.workers.steward_harness import Estate


async def bundle_after_one_game(database: Database, *, delay_s: int) -> tuple[TournamentBundle, int]:
    """Play one of two tables to its end, begin the other; return in how many parts the bundle came as well."""
    async with open_event_store(database.app_url) as store, build_app_pool(database.app_url) as pool:
        await store.save_components(hash_components(RULES), ruleset="torches", version=1, body=RULES.components)
        estate = Estate(store)
        await estate.open(4, tables=PAIRS, delay_s=delay_s)
        await estate.draw()
        other = (await estate.round()).tables[1]
        await estate.sit(other, *other.entrants)
        await estate.finish(1)
        await estate.steward.step()
        bundles = TournamentBundles(Bundles(store=store, kept=KeptProofs(Queries(pool)), ledger=None))
        parts = [part async for part in bundles.write(await bundles.begin(CUP))]
    return parse_tournament_bundle(b"".join(parts)), len(parts)


async def test_a_bundle_has_the_log_and_every_game_as_far_as_it_is(database: Database) -> None:
    bundle, parts = await bundle_after_one_game(database, delay_s=0)

    logs = [parse_bundle(game.raw).log for game in bundle.games]
    assert [b"game_finished" in log for log in logs] == [True, False]
    assert [b"game_started" in log for log in logs] == [True, True]
    # The format, the log, the components, a page to read, two games, and the archive's end.
    assert parts == 7
    assert bundle.log.count(b"result_taken") == 1


async def test_a_game_with_a_delay_is_not_in_it_before_it_is_over(database: Database) -> None:
    bundle, _ = await bundle_after_one_game(database, delay_s=60)

    (member,) = bundle.games
    assert b"game_finished" in parse_bundle(member.raw).log
