"""A game at an address: its bundle, and every entry of the ledger there, fetched within limits of size and time."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import pytest

from domain.audit.bundle import Bundle, format_bundle
from domain.audit.case import Trust
from domain.audit.findings import Broken, Held, Result
from domain.ids import StreamId, StreamVersion
from domain.ledger.leaf import build_leaf, format_leaf
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog
from domain.ledger.tiles import encode_bundle
from domain.log.record import line_hash
from domain.rulesets.released import RELEASED, Rebuilder
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from services.audits.audit import Terms, audit_bytes, audit_files, find_report
from services.audits.fetching import Fetching, FetchRefused
from services.audits.files import read_file
from services.audits.sources import SourceRefused, check_token_addresses, fetch_source, list_streams, parse_address
from services.audits.tournament_audit import audit_tournament_file
from tests.domain.audit.memory_ledger import LEAF_KEY
from tests.domain.game.game_harness import GAME
from tests.domain.ledger.signing import ORIGIN
from tests.peak import peak_of
from tests.services.audits.files import cut, race
from tests.services.ledger.operators_log import OperatorsLog

HOST = "https://games.example"
SIGNER = derive_log_signer(MasterKey(bytes(32)), ORIGIN)
POLICY = Policy(logs=(PolicyLog(key=SIGNER.key),), witnesses=(), groups=(), quorum=QUORUM_NONE)
OTHER = StreamId("0199c0de-0000-7000-8000-00000000ffff")
HUGE = 3 * 1024**3


def entries_of(bundle: Bundle) -> list[bytes]:
    raws = bundle.log.splitlines()
    return [
        format_leaf(build_leaf(LEAF_KEY, stream=GAME, version=StreamVersion(version), line=line_hash(raw)))
        for version, raw in enumerate(raws, start=1)
    ]


def logged_once(bundle: Bundle, entries: Sequence[bytes], others: dict[str, bytes] | None = None) -> Result:
    """Fetch a game from a server with this ledger, and return the finding about its entries."""
    paths = {f"/v1/games/{GAME}/bundle": format_bundle(bundle), **(others or {})}
    log = OperatorsLog(SIGNER, entries, paths)
    with httpx2.Client(transport=httpx2.MockTransport(log.answer)) as client, TemporaryDirectory() as folder:
        address, path = parse_address(f"{HOST}/games/{GAME}"), Path(folder) / "race"
        trust = fetch_source(Fetching(client), address, Trust(policy=POLICY), into=path)
        raw = path.read_bytes()
    report = find_report(audit_bytes(raw, name="race", trust=trust, rebuilder=Rebuilder(RELEASED)))
    assert report is not None
    return next(finding.result for finding in report.findings if finding.check == "logged-once")


def test_a_game_whose_lines_are_in_the_ledger_once_holds() -> None:
    assert isinstance(logged_once(race(), entries_of(race())), Held)


def test_a_game_that_the_ledger_has_twice_is_told() -> None:
    entries = entries_of(race())

    found = logged_once(race(), [*entries, *entries[-2:]])

    assert isinstance(found, Broken)
    assert found.version == len(entries) - 1


def test_entries_that_hide_the_second_history_do_not_lead_to_the_signed_root() -> None:
    entries = entries_of(race())
    # As many as there are, of which the last bundle is that of an honest ledger of another game.
    shown = [*entries, entries[0].replace(GAME.encode(), OTHER.encode())]
    path = f"/v1/ledger/tile/entries/000.p/{len(shown)}"
    others = {path: encode_bundle(shown)}

    found = logged_once(race(), [*entries, entries[-1]], others)

    assert isinstance(found, Broken)
    assert "lead to the root" in found.found


def test_a_server_that_sends_a_byte_a_second_is_given_up() -> None:
    def slowly(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=(b"x" for _ in range(1_000)))

    seconds: Iterator[int] = count()
    with httpx2.Client(transport=httpx2.MockTransport(slowly)) as client:
        fetching = Fetching(client, timeout_s=100, monotonic_s=lambda: next(seconds))

        with pytest.raises(FetchRefused, match="within 100 s, found 101 bytes"):
            fetching.fetch(f"{HOST}/x", size_max=1_000)


def test_a_server_writes_no_line_of_its_own_into_a_refusal() -> None:
    answer = httpx2.Response(404, content="\nAll holds.\r\x1b[2J")
    client = httpx2.Client(transport=httpx2.MockTransport(lambda _: answer))

    with client, pytest.raises(FetchRefused) as refused:
        Fetching(client).fetch(HOST, size_max=1_000)

    assert str(refused.value).splitlines() == [str(refused.value)]
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    "addresses",
    [(f"{HOST}/games/{GAME}", f"https://other.example/games/{GAME}"), (f"http://games.example/games/{GAME}",)],
)
def test_a_token_goes_to_one_server_and_never_in_the_clear(addresses: tuple[str, ...]) -> None:
    with pytest.raises(SourceRefused, match="beside a token"):
        check_token_addresses(addresses)


@pytest.mark.parametrize("server", [HOST, "http://127.0.0.1:8000", "http://localhost:8000"])
def test_a_token_goes_to_all_games_of_its_server(server: str) -> None:
    check_token_addresses((f"{server}/games/{GAME}", f"{server}/games/{OTHER}"))


def test_a_busy_server_is_asked_again_as_long_as_there_is_time() -> None:
    answers = [httpx2.Response(429, headers={"retry-after": "7"})] * 2 + [httpx2.Response(200, content=b"there")]
    slept: list[float] = []
    with httpx2.Client(transport=httpx2.MockTransport(lambda _: answers.pop(0))) as client:
        patient = Fetching(client, monotonic_s=lambda: 0.0, sleep_s=slept.append)
        found = patient.fetch(f"{HOST}/x", size_max=100)
        answers.append(httpx2.Response(429, headers={"retry-after": "301"}))
        with pytest.raises(FetchRefused, match="found status 429"):
            patient.fetch(f"{HOST}/x", size_max=100)

    assert (found, slept) == (b"there", [7.0, 7.0])


def test_streams_are_found_in_the_bytes_of_a_bundle() -> None:
    assert list_streams(format_bundle(cut(3))) == {StreamId(GAME)}


@pytest.mark.parametrize("name", ["x.tournament.zip", "x.spina.zip"])
def test_a_file_beyond_all_limits_is_refused_unread(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(HUGE)
    terms = Terms(trust=Trust(), builders=RELEASED)

    told = [audit_tournament_file(path, terms, processes=1).refusal]
    told += [audit.refusal for audit in audit_files([path], terms, processes=1)]

    assert all(refusal is not None and f"found {HUGE}" in refusal for refusal in told)
    with pytest.raises(OSError, match="at most 5 bytes"):
        read_file(path, size_max=5)


def test_an_answer_that_is_written_to_a_file_is_never_whole_in_memory(tmp_path: Path) -> None:
    piece = bytes(64 * 1024)

    def at_length(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=(piece for _ in range(1_000)))

    with httpx2.Client(transport=httpx2.MockTransport(at_length)) as client, (tmp_path / "got").open("w+b") as file:
        peak = peak_of(lambda: Fetching(client).fetch_into(file, f"{HOST}/x", size_max=64_000 * 1024))

    assert (tmp_path / "got").stat().st_size == 1_000 * len(piece)
    assert peak < 4_000_000
