"""Everything that must hold after the kills, from the answers, the streams, the logs and the ledger alone."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.bundle import Bundle, parse_bundle
from domain.audit.case import Trust
from domain.ledger.policy_file import parse_policy
from domain.log.record import parse_line
from domain.rulesets.released import RELEASED, Rebuilder
from services.audits.audit import HOLDS, audit_bytes, exit_code_of
from simulate.attack.company import Noticed
from simulate.kills.load import Acknowledged, KeepingConnection, Reader
from spina_client.connection import Connection, Request
from spina_client.ids import CommandId, GameId
from spina_client.problems import Refused, ServerUnreachable
from spina_client.seen import Accepted

# A checkpoint comes about once a second; under load some seconds late.
PROOF_LOOKS_MAX, PROOF_PAUSE_S = 60, 0.5
# A violation a kind says it; a broken server would fill the screen.
SHOWN_MAX = 20

Logs = Mapping[GameId, Sequence[bytes]]


class Command(Struct, frozen=True):
    """The body of a command, as far as it is looked at."""

    command: CommandId


class Checked(Struct, frozen=True, kw_only=True):
    """The size of what was checked, and a sentence for each violation."""

    lines: int
    finished: int
    expired: int
    violations: tuple[str, ...]


async def check(connection: KeepingConnection, tables: Sequence[Noticed], readers: Sequence[Reader]) -> Checked:
    """Check every acknowledged command, every game and every stream."""
    acknowledged = list(connection.acknowledged)
    raw_policy = await connection.send(_get("/v1/ledger/policy"))
    trust, rebuilder = Trust(policy=parse_policy(raw_policy)), Rebuilder(RELEASED)
    logs: dict[GameId, Sequence[bytes]] = {}
    violations: list[str] = []
    finished = 0
    for game in [game for table in tables for game in table.games]:
        raw, bundle = await _fetch_proven(connection, game)
        logs[game] = bundle.log.splitlines()
        if _is_over(bundle):
            finished += 1
            audited = await asyncio.to_thread(audit_bytes, raw, name=game, trust=trust, rebuilder=rebuilder)
            if (code := exit_code_of(audited)) != HOLDS:
                violations.append(f"{game}: expected a bundle that holds, found exit code {code}")
    for reader in readers:
        violations += check_seen(reader.seen, logs)
    violations += check_stored(acknowledged, logs)
    for each in acknowledged:
        other = await _find_other_answer(connection, each)
        violations += [] if other is None else [other]
    expired = sum(b'"type":"clock_expired"' in line for log in logs.values() for line in log)
    if expired:
        violations.append(f"expected no clock to run out, found {expired}")
    return Checked(
        lines=sum(map(len, logs.values())),
        finished=finished,
        expired=expired,
        violations=tuple(violations[:SHOWN_MAX]),
    )


def check_stored(acknowledged: Sequence[Acknowledged], logs: Logs) -> Iterator[str]:
    """Find acknowledged commands that are not in the log where their answer says, and commands that are there twice."""
    stood: Counter[str | None] = Counter()
    places: dict[tuple[GameId, int], str | None] = {}
    for game, log in logs.items():
        for line in map(parse_line, log):
            places[game, line.version] = line.command
            stood[line.command] += line.command is not None
    yield from (f"{command}: expected one line, found {count}" for command, count in stood.items() if count > 1)
    for each in acknowledged:
        accepted = msgspec.json.decode(each.answer, type=Accepted)
        command = msgspec.json.decode(each.request.content, type=Command).command
        if places.get((accepted.game, accepted.first_version)) != command:
            yield f"{accepted.game}: expected command {command} at version {accepted.first_version}, found it lost"


def check_seen(seen: Mapping[GameId, Sequence[str]], logs: Logs) -> Iterator[str]:
    """Find games of which a stream showed a line that the log has not, or has otherwise."""
    for game, hashes in seen.items():
        if list(hashes) != [sha256(line).hexdigest() for line in logs[game][: len(hashes)]]:
            yield f"{game}: expected the {len(hashes)} lines that a stream showed, found others in the log"


async def _find_other_answer(connection: Connection, each: Acknowledged) -> str | None:
    """Send a command once more; its answer must be the first one, but for the time of its receipt."""
    first = replace(msgspec.json.decode(each.answer, type=Accepted), receipt=None)
    try:
        again = replace(msgspec.json.decode(await connection.send(each.request), type=Accepted), receipt=None)
    except (Refused, ServerUnreachable) as refused:
        return f"{each.request}: expected the first answer again, found {refused}"
    return None if again == first else f"{each.request}: expected {first} again, found {again}"


async def _fetch_proven(connection: Connection, game: GameId) -> tuple[bytes, Bundle]:
    """Fetch the bundle of a game; that of a finished one with its proofs."""
    for _ in range(PROOF_LOOKS_MAX):
        raw = await connection.send(_get(f"/v1/games/{game}/bundle"))
        bundle = parse_bundle(raw)
        if bundle.last_proof is not None or not _is_over(bundle):
            break
        await asyncio.sleep(PROOF_PAUSE_S)
    return raw, bundle


def _is_over(bundle: Bundle) -> bool:
    return b'"type":"secret_disclosed"' in bundle.log.rpartition(b"\n")[0].rpartition(b"\n")[2]


def _get(path: str) -> Request:
    return Request(method="GET", path=path, token=None)
