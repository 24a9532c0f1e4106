"""The operators' record: each act makes its line in its own transaction, and no other login adds one."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.bundle import Bundle
from domain.audit.case import Trust
from domain.audit.findings import Held
from domain.audit.reading import LINES_MAX
from domain.audit.record import verify_record
from domain.derived_ids import derive_record
from domain.ids import CommandId, PlayerId, StreamId, StreamVersion
from domain.ledger.leaf import LEAF_KEY_SIZE
from domain.ledger.policy_file import parse_policy
from domain.log.actors import ByOperator
from domain.log.entry import Entry
from domain.log.record import Line, parse_at, parse_line
from domain.log.replay import read_entry, replay
from domain.operators.commands import OpenRecord, RecordCommand
from domain.operators.decide import decide, decide_opening
from domain.operators.events import AccountMuted
from domain.operators.kind import RECORDS
from infra.event_store import Append
from infra.keys import create_key_file
from infra.ledger_keys import derive_log_signer
from infra.postgres.accounts import Accounts
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.master_key_check import check_master_key
from infra.postgres.records import lock_records, read_clock, read_record
from infra.settings import Settings, read_settings
from infra.store_faults import AppendRefused, VersionConflict
from services.commands.records import NoRecord, use_record_of
from services.node.accounts import (
    AccountRefused,
    listed_by_owner,
    made_by_owner,
    moderated_by_owner,
    renewed_by_owner,
    revoked_by_owner,
)
from services.node.export import Asked, ExportRefused, export_game, export_record
from services.node.key_turning import turn_key
from services.node.records import ActRefused, read_all_records, record_dump
from tests.database import IS_WAITING, Database, NewDatabase, until_a_session_waits
from tests.domain.audit.forgery_tools import chained
from tests.domain.game.game_harness import GAME, NOON
from tests.services.audits.files import cut
from tests.services.audits.test_bundles import store_race
from tests.services.ledger.ledger_harness import open_rig

ADA = PlayerId("0199c0de-0000-7000-8000-0000000000a1")
BOB = PlayerId("0199c0de-0000-7000-8000-0000000000a2")
WORDS = {"operator": "Grace", "reason": "said so"}
COMING = "games.test/2"
RECORD = derive_record(Settings().origin)
# Lines of one text: none but the last is read.
FILL_RECORD = """
insert into spina.event (position, stream, version, type, hash, body)
select nextval('spina.event_position'), $1, version, 'account_muted', $2, $3 from generate_series(2, $4) version
"""

pytestmark = pytest.mark.usefixtures("record")


def settings_of(url: str, **more: str) -> Settings:
    return read_settings({"SPINA_DATABASE_URL": url} | more)


def told(lines: Sequence[Line]) -> list[tuple[str, dict[str, Any]]]:
    return [(line.type, line.data) for line in lines]


async def read_acts(settings: Settings) -> Sequence[Line]:
    _, *lines = await read_all_records(settings)
    return lines


def muted(record: StreamId, lines: Sequence[bytes], *, version: int | None = None) -> Entry:
    """Make the line of an act beside the write path, to follow these lines, or one of that version."""
    state = replay(RECORDS, lines)
    decided = decide(
        state if version is None else replace(state, version=StreamVersion(version - 1)),
        RecordCommand(
            id=CommandId(ADA),
            stream=record,
            at_ms=NOON,
            actor=ByOperator(),
            event=AccountMuted(operator="Grace", reason="forged", account=ADA),
        ),
    )
    return decided.entries[0]


def private(bundle: Bundle) -> Bundle:
    first, *others = (msgspec.json.decode(raw) for raw in bundle.log.splitlines())
    first["data"]["visibility"] = "private"
    return replace(bundle, log=b"".join(raw + b"\n" for raw in chained([first, *others])))


async def test_each_act_on_an_account_makes_one_line_without_a_name(database: Database) -> None:
    settings = settings_of(database.owner_url)
    async with build_app_pool(database.app_url) as pool:
        await Accounts(pool).create_player(ADA, "Rude Name")

    made = await made_by_owner(settings, name="Bob", role="organiser", by="Grace")
    await renewed_by_owner(settings, made.id, by="Grace")
    await revoked_by_owner(settings, made.id, by="Grace")
    await moderated_by_owner(settings, ADA, "renamed", name="Ada", by="Grace", reason="said so")
    for kind in ("muted", "unmuted", "closed"):
        await moderated_by_owner(settings, ADA, kind, by="Grace", reason="said so")

    opening, *lines = await read_all_records(settings)
    assert (opening.type, opening.data["ledger"], opening.stream) == ("record_opened", settings.origin, RECORD)
    of_bob, of_ada = {"account": made.id, "operator": "Grace", "reason": None}, WORDS | {"account": ADA}
    assert told(lines) == [
        ("account_made", of_bob | {"role": "organiser"}),
        ("tokens_renewed", of_bob),
        ("tokens_revoked", of_bob),
        *((f"account_{kind}", of_ada) for kind in ("renamed", "muted", "unmuted", "closed")),
    ]


async def test_an_act_that_is_refused_makes_no_line_and_one_without_a_line_is_not_done(database: Database) -> None:
    settings = settings_of(database.owner_url)
    async with build_app_pool(database.app_url) as pool:
        accounts = Accounts(pool)
        await accounts.create_player(ADA, "Ada")

        with pytest.raises(AccountRefused):
            await moderated_by_owner(settings, GAME, "muted", by="Grace", reason="no such player")
        with pytest.raises(ActRefused):
            await moderated_by_owner(settings, ADA, "muted", by="Grace", reason="a\nb")
        async with database.owned() as owner:
            await owner.execute("alter function spina.append_record rename to append_record_elsewhere")
        with pytest.raises(asyncpg.UndefinedFunctionError):
            await moderated_by_owner(settings, ADA, "muted", by="Grace", reason="said so")
        names = await accounts.find_names([ADA])

    assert names == {ADA: "Ada"}
    assert await read_acts(settings) == []


async def test_the_export_of_a_game_that_not_all_may_read_makes_a_line(database: Database) -> None:
    settings = settings_of(database.owner_url)
    async with open_event_store(database.app_url) as store:
        await store_race(store, private(cut(40)))

    await export_game(settings, Asked(game=GAME, by="Grace", reason="said so"))

    (line,) = await read_acts(settings)
    assert told([line]) == [("game_exported", WORDS | {"game": GAME, "lines": 40})]


async def test_a_dump_on_record_is_a_line_with_the_hash_of_its_list(database: Database) -> None:
    settings = settings_of(database.owner_url)

    await record_dump(settings, sums="ab" * 32, games=12, by="Grace")
    with pytest.raises(ActRefused):
        await record_dump(settings, sums="ab" * 32, games=12, by="a\nb")

    (line,) = await read_acts(settings)
    assert told([line]) == [("dump_made", {"operator": "Grace", "reason": None, "games": 12, "sums": "ab" * 32})]


async def test_the_export_of_a_game_that_all_may_read_makes_none(database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store)

    await export_game(settings_of(database.app_url), Asked(game=GAME, by="Grace"))

    assert await read_acts(settings_of(database.owner_url)) == []


async def test_a_turned_key_is_on_record(tmp_path: Path, database: Database) -> None:
    former = create_key_file(tmp_path / "master.key")
    async with database.owned() as owner:
        await check_master_key(owner, former)
    settings = settings_of(database.owner_url, SPINA_MASTER_KEY_FILE=str(tmp_path / "master.key"))

    turned = await turn_key(settings, by="Grace", reason="said so")

    (line,) = await read_acts(settings)
    assert told([line]) == [("key_turned", WORDS | {"former": former.key_id, "new": turned.new})]


async def test_a_ledger_under_a_new_name_has_a_record_of_its_own_that_tells_the_former(database: Database) -> None:
    settings, own, other = settings_of(database.owner_url), Settings().origin, "b.test/log"
    async with database.owned() as owner:
        for origin in (own, other, other, own):
            await use_record_of(owner, origin, operator="Grace")

    lines = await read_all_records(settings)
    exported = [await export_record(settings, stream) for stream in (derive_record(other), None)]

    a, b = RECORD, derive_record(other)
    assert [(line.stream, line.type, line.data.get("former")) for line in lines] == [
        (a, "record_opened", None),
        (a, "ledger_begun", other),
        (b, "record_opened", None),
        (b, "ledger_begun", own),
    ]
    assert [(record, verify_record(bundle).lines) for record, bundle in exported] == [(b, 2), (a, 2)]
    with pytest.raises(ExportRefused, match=b):
        await export_record(settings, ADA)


async def test_an_act_before_the_first_start_of_a_server_is_refused_and_not_done(
    new_database: NewDatabase,
) -> None:
    async with new_database() as fresh:
        settings = settings_of(fresh.owner_url)

        with pytest.raises(NoRecord, match="first start of a server"):
            await made_by_owner(settings, name="Bob", role="organiser", by="Grace")
        with pytest.raises(NoRecord):
            await export_record(settings)

        assert await listed_by_owner(settings) == []


async def test_a_game_is_not_shown_where_its_line_goes_into_another_database(
    database: Database, new_database: NewDatabase
) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store, private(cut(40)))
    async with new_database() as other:
        async with other.owned() as owner:
            await use_record_of(owner, Settings().origin, operator="Grace")
        settings = settings_of(database.app_url, SPINA_OWNER_DATABASE_URL=other.owner_url)

        with pytest.raises(ActRefused, match="SPINA_OWNER_DATABASE_URL"):
            await export_game(settings, Asked(game=GAME, by="Eve"))


async def test_an_act_that_waits_for_another_one_keeps_no_player_waiting(database: Database) -> None:
    settings = settings_of(database.owner_url)
    async with build_app_pool(database.app_url) as pool, database.owned() as stopped, database.owned() as looking:
        accounts = Accounts(pool)
        await accounts.create_player(ADA, "Ada")
        transaction = stopped.transaction()
        await transaction.start()
        await lock_records(stopped)
        closing = asyncio.create_task(moderated_by_owner(settings, ADA, "closed", by="Grace", reason="said so"))
        await until_a_session_waits(looking)

        await accounts.create_player(BOB, "Bob")
        waiting = await looking.fetchval(IS_WAITING)
        await transaction.rollback()
        await closing

    (line,) = await read_acts(settings)
    assert (waiting, line.type) == (True, "account_closed")


async def test_the_servers_role_holds_no_act_up(database: Database) -> None:
    app = await asyncpg.connect(database.app_url)
    for mode in ("share update exclusive", "share", "share row exclusive"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with app.transaction():
                await app.execute(f"lock table spina.record in {mode} mode")
    await app.close()


async def test_the_time_of_an_act_is_that_of_the_database(database: Database) -> None:
    settings = settings_of(database.owner_url)

    async with database.owned() as owner:
        before_ms = await read_clock(owner)
        await made_by_owner(settings, name="Bob", role="organiser", by="Grace")
        after_ms = await read_clock(owner)

    (line,) = await read_acts(settings)
    assert before_ms <= parse_at(line.at) <= after_ms


async def test_a_record_of_any_length_takes_an_act_and_tells_each_alone(database: Database) -> None:
    settings = settings_of(database.owner_url)
    async with database.owned() as owner:
        last = muted(RECORD, await read_record(owner, RECORD), version=LINES_MAX)
        await owner.execute(FILL_RECORD, RECORD, bytes.fromhex(last.hash), last.raw, LINES_MAX)

    made = await made_by_owner(settings, name="Bob", role="organiser", by="Grace")

    with pytest.raises(ExportRefused, match=f"at most {LINES_MAX} lines"):
        await export_record(settings)
    _, bundle = await export_record(settings, version=LINES_MAX + 1)
    line = parse_line(bundle.log.splitlines()[-1])
    assert (line.version, line.data["account"]) == (LINES_MAX + 1, made.id)


async def test_the_ledger_has_a_leaf_of_each_line_and_the_file_is_proven_by_it(
    tmp_path: Path, database: Database
) -> None:
    key = create_key_file(tmp_path / "master.key")
    async with database.owned() as owner:
        await check_master_key(owner, key)
    settings = settings_of(database.owner_url, SPINA_MASTER_KEY_FILE=str(tmp_path / "master.key"))
    async with open_rig(database, tmp_path) as rig:
        await rig.play(games=1)
        for name in ("Bob", "Eve"):
            await made_by_owner(settings, name=name, role="organiser", by="Grace")
        await rig.play()
        await rig.notarise(replace(rig.notary_parts(), signer=derive_log_signer(key, settings.origin)))

        record, bundle = await export_record(settings)
        _, excerpt = await export_record(settings, version=3)
        # A restored backup goes on under another name.
        async with database.owned() as owner:
            await use_record_of(owner, COMING, operator="Grace")
        signer = derive_log_signer(key, COMING)
        await rig.notarise(replace(rig.notary_parts(), signer=signer, is_new_origin=True))
        _, former = await export_record(replace(settings, origin=COMING), record)

    assert former == bundle
    disclosed = verify_record(excerpt, trust=Trust(policy=parse_policy(excerpt.policy or b"")))
    assert (disclosed.lines, {type(finding.result) for finding in disclosed.findings}) == (2, {Held})
    assert bundle.policy is not None
    report = verify_record(bundle, trust=Trust(policy=parse_policy(bundle.policy)))
    assert {type(finding.result) for finding in report.findings if finding.check != "logged-once"} == {Held}
    async with database.owned() as owner:
        leaves = await owner.fetch("select version from spina.ledger_entry where stream = $1 order by index", record)
    assert [leaf["version"] for leaf in leaves] == [1, 2, 3]


async def test_lines_of_two_operators_at_once_follow_each_other(database: Database) -> None:
    settings = settings_of(database.owner_url)

    await asyncio.gather(
        *(made_by_owner(settings, name=name, role="organiser", by=name) for name in ("Ada", "Bob", "Eve"))
    )

    _, bundle = await export_record(settings)
    report = verify_record(bundle)
    assert (report.lines, report.broken) == (4, ())


async def test_the_servers_role_appends_to_no_record_and_opens_none(database: Database) -> None:
    settings, coming = settings_of(database.owner_url), "b.test/log"
    record = derive_record(coming)
    await made_by_owner(settings, name="Bob", role="organiser", by="Grace")
    async with database.owned() as owner:
        lines = await read_record(owner, RECORD)
    opening = decide_opening(
        OpenRecord(
            id=CommandId(record),
            stream=record,
            at_ms=NOON,
            actor=ByOperator(),
            ledger=coming,
            leaf_key="00" * LEAF_KEY_SIZE,
        )
    ).entries[0]

    async with open_event_store(database.app_url) as store:
        with pytest.raises(VersionConflict):
            await store.append(append_of(muted(RECORD, lines)))
        for forged in (read_entry(RECORDS, lines[0]), opening):
            with pytest.raises(AppendRefused, match="the id of an operators' record"):
                await store.append(append_of(forged))
    app = await asyncpg.connect(database.app_url, server_settings={"search_path": "spina"})
    for call in ("select append_record($1, 0, '', '{}', '{}', '{}')", "insert into record (id) values ($1)"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await app.execute(call, RECORD)
    await app.close()
    async with database.owned() as owner:
        await use_record_of(owner, coming, operator="Grace")
        assert await read_record(owner, RECORD) == lines
        for change in ("update spina.record set id = id", "delete from spina.record", "truncate spina.record"):
            with pytest.raises(asyncpg.RestrictViolationError):
                await owner.execute(change)


def append_of(entry: Entry) -> Append:
    line = entry.line
    return Append(
        stream=line.stream,
        expected_version=StreamVersion(line.version - 1),
        expected_head=line.prev,
        lines=(entry.raw,),
        types=(line.type,),
        hashes=(entry.hash,),
    )
