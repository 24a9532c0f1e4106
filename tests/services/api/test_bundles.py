"""Bundles and audits over HTTP: the same bytes for all and for ever, and never more than the caller may see."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx2 import Response
from msgspec.structs import replace

from domain.audit.bundle import Bundle, format_bundle, parse_bundle
from domain.audit.case import Trust
from domain.audit.findings import Held
from domain.audit.verify import verify
from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.policy import PolicyWitness
from domain.ledger.policy_file import parse_policy
from domain.rulesets.released import KITS, Rebuilder
from infra.networks import Network
from infra.settings import Settings
from services.audits import own_audits
from services.audits.own_audits import TooManyAudits
from services.audits.report import FileReport
from services.workers.archivist import ArchivistSources, look_through
from tests.database import Database
from tests.domain.ledger.signing import WITNESS
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api, running_api
from tests.services.api.test_problems import problem_of
from tests.services.ledger.ledger_harness import Rig, open_rig


@pytest.fixture
async def rig(database: Database, tmp_path: Path) -> AsyncIterator[Rig]:
    async with open_rig(database, tmp_path) as rig:
        yield rig


@pytest.fixture
async def real_api(database: Database) -> AsyncIterator[Api]:
    """A server with the released rules, as the holder of a bundle alone can decide only these again."""
    async with running_api(database, kits=KITS) as api:
        yield api


async def notarise(rig: Rig, api: Api) -> None:
    """Bring the ledger, and the archive of games that are over, up to date."""
    await rig.notarise(rig.notary_parts(origin=Settings().origin))
    bundles = api.audits.bundles
    assert bundles.ledger is not None
    archive = ArchivistSources(
        kept=bundles.kept,
        ledger=bundles.ledger,
        command=api.parts.games.arena.handle,
        command_tournament=api.parts.tournaments.write_path.handle,
        now_ms=api.parts.now_ms,
    )
    while await look_through(archive):
        pass


async def finish(api: Api, ruleset: str = "torches@1") -> Player:
    ada, _bob = await seat_two(api, ruleset=ruleset)
    await expect(ada.resign(), 200)
    return ada


async def read(player: Player, **params: object) -> Bundle:
    answer = await player.get("/bundle", **params)
    assert answer.status_code == 200, answer.text
    return parse_bundle(answer.content)


async def read_trust(api: Api) -> Trust:
    policy = (await api.client.get("/v1/ledger/policy")).content
    seen = (await api.client.get("/v1/ledger/checkpoint")).content
    return Trust(policy=parse_policy(policy), seen=parse_signed_checkpoint(seen))


async def test_a_finished_game_is_proven_by_its_bundle_and_the_key_alone(real_api: Api, rig: Rig) -> None:
    ada = await finish(real_api, "charioteer@1")
    await notarise(rig, real_api)

    bundle = await read(ada)
    trust = Trust(policy=(await read_trust(real_api)).policy)
    report = verify(bundle, rebuilder=Rebuilder(), trust=trust).report

    assert (report.broken, report.unchecked) == ((), ())


async def test_a_finished_game_is_the_same_bytes_for_everybody_and_for_ever(api: Api, rig: Rig) -> None:
    ada = await finish(api)
    await notarise(rig, api)
    first = await ada.get("/bundle")
    await rig.play()
    await notarise(rig, api)

    others = [await ada.get("/bundle"), await Player(api, None).get("/bundle")]

    assert [rival.content for rival in others] == [first.content] * 2
    assert first.headers["content-type"] == "application/zip"
    assert first.headers["content-disposition"] == f'attachment; filename="{GAME}.spina.zip"'
    again = await ada.get("/bundle", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_a_running_game_is_bundled_as_far_as_it_has_come_with_the_proofs_of_then(api: Api, rig: Rig) -> None:
    ada, _bob = await seat_two(api)
    before = await read(ada)
    await notarise(rig, api)

    bundle = await read(ada)

    assert before.last_proof is None
    assert bundle.last_proof == (await ada.api.client.get(f"/v1/ledger/proofs/{GAME}/{lines_of(bundle)}")).content
    assert bundle.first_seat_proof is not None
    assert bundle.log == (await ada.get("/events", headers={"accept": "application/x-ndjson"})).content


async def test_a_node_with_other_witnesses_or_without_a_key_gives_the_same_bytes(api: Api, rig: Rig) -> None:
    ada = await finish(api)
    await notarise(rig, api)
    first = (await ada.get("/bundle")).content
    bundles = api.audits.bundles
    assert bundles.ledger is not None
    club = PolicyWitness(name="club", key=WITNESS.key)
    elsewhere = replace(bundles.ledger, policy=replace(bundles.ledger.policy, witnesses=(club,), quorum="club"))

    others = [await replace(bundles, ledger=ledger).build(GAME) for ledger in (elsewhere, None)]

    assert [format_bundle(rival) for rival in others] == [first, first]


def lines_of(bundle: Bundle) -> int:
    return bundle.log.count(b"\n")


async def test_a_game_that_ended_and_waits_for_its_proof_is_bundled_without(api: Api, rig: Rig) -> None:
    ada = await finish(api)
    await rig.notarise(rig.notary_parts(origin=Settings().origin))

    bundle = await read(ada)

    assert (bundle.last_proof, bundle.policy) == (None, None)


async def test_whoever_may_not_see_a_game_gets_neither_bundle_nor_audit(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(visibility="private"), 201)
    strangers = [await register(api, "Cem", number=3), Player(api, None)]

    refused = [await stranger.get(path) for stranger in strangers for path in ("/bundle", "/audit")]
    given = await ada.get("/bundle")

    assert [problem_of(response) for response in refused] == [(404, "no-such-game")] * 4
    assert given.headers["cache-control"].startswith("private")


async def test_a_spectator_of_a_delayed_game_gets_what_the_delay_has_let_through(api: Api, rig: Rig) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(delay_s=60), 201)
    api.clock.now_ms += 30_000
    await expect(ada.take(0), 200)
    await notarise(rig, api)
    api.clock.now_ms += 31_000

    delayed = await read(Player(api, None))

    assert lines_of(delayed) == 1
    assert delayed.first_seat_proof is None
    assert lines_of(await read(ada)) == 2


@pytest.mark.parametrize("seen_first", [True, False])
async def test_a_bundle_proves_that_an_older_or_newer_checkpoint_is_of_the_same_ledger(
    api: Api, rig: Rig, *, seen_first: bool
) -> None:
    await rig.play()
    await notarise(rig, api)
    older = await read_trust(api)
    ada = await finish(api)
    await notarise(rig, api)
    await rig.play()
    await notarise(rig, api)
    trust = older if seen_first else await read_trust(api)
    assert trust.seen is not None

    bundle = await read(ada, since=trust.seen.checkpoint.tree_size)

    report = verify(bundle, rebuilder=Rebuilder(), trust=trust).report
    assert isinstance({finding.check: finding.result for finding in report.findings}["growth"], Held)
    assert bundle.last_proof == (await read(ada)).last_proof


async def test_a_size_that_was_never_published_adds_nothing(api: Api, rig: Rig) -> None:
    ada = await finish(api)
    await notarise(rig, api)
    size = lines_of(await read(ada))
    await rig.play()
    await notarise(rig, api)

    bundles = [await read(ada, since=since) for since in (size + 1, size + 9_999)]

    assert [bundle.since for bundle in bundles] == [None, None]


async def test_a_since_that_is_no_size_is_refused(api: Api) -> None:
    ada = await finish(api)

    assert problem_of(await ada.get("/bundle", since=0)) == (400, "invalid-input")


async def test_the_servers_own_audit_says_what_verify_says(real_api: Api, rig: Rig) -> None:
    ada = await finish(real_api, "charioteer@1")
    await notarise(rig, real_api)

    told = (await ada.get("/audit")).json()

    assert told["exit_code"] == 0
    assert told["verdict"].endswith("its own ledger has signed for it, but no witness has.")
    assert told["report"]["lines"] == lines_of(await read(ada))
    assert {finding["result"]["verdict"] for finding in told["report"]["findings"]} == {"held"}


async def test_an_audit_of_a_running_game_tells_what_cannot_be_checked_yet(real_api: Api) -> None:
    ada, _bob = await seat_two(real_api, ruleset="charioteer@1")

    told = (await ada.get("/audit")).json()

    verdicts = {finding["check"]: finding["result"]["verdict"] for finding in told["report"]["findings"]}
    assert told["exit_code"] == 3
    assert (verdicts["chain"], verdicts["redecision"]) == ("held", "not_checkable_yet")


async def test_one_audit_serves_all_who_ask_for_it_at_once(real_api: Api) -> None:
    ada = await finish(real_api, "charioteer@1")

    answers = await asyncio.gather(*(ada.get("/audit") for _ in range(5)))

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


async def test_too_many_audits_of_one_network_are_told_to_come_again(real_api: Api) -> None:
    ada = await finish(real_api, "charioteer@1")
    waiting = own_audits.NETWORK_WAITING_MAX

    answers: list[Response] = await asyncio.gather(*(ada.get("/audit") for _ in range(waiting + 3)))

    refused = [answer for answer in answers if answer.status_code == 503]
    assert [problem_of(response) for response in refused] == [(503, "too-many-audits")] * 3
    assert all(json.loads(response.content)["may_send_again"] for response in refused)


async def test_an_audit_is_made_beside_those_of_another_network(real_api: Api) -> None:
    ada = await finish(real_api, "charioteer@1")
    version = (await ada.get()).json()["version"]

    crowd = [real_api.audits.read(GAME, version, network=Network("crowd")) for _ in range(2 * own_audits.WAITING_MAX)]
    *answers, told = await asyncio.gather(
        *crowd, real_api.audits.read(GAME, version, network=Network("one")), return_exceptions=True
    )

    assert sum(isinstance(answer, TooManyAudits) for answer in answers) == len(crowd) - own_audits.NETWORK_WAITING_MAX
    assert isinstance(told, FileReport)


async def test_an_audit_goes_on_after_one_that_was_given_up(real_api: Api) -> None:
    ada = await finish(real_api, "charioteer@1")
    audits = real_api.audits
    version = (await ada.get()).json()["version"]
    given_up = asyncio.ensure_future(audits.read(GAME, version))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)

    told = await audits.read(GAME, version)

    assert told.report is not None
