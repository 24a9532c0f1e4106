"""`spina verify` of tournaments: what holds, every kind of forgery, files of all sorts together, and an address."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.audit.archive import Member, format_archive
from domain.audit.bundle import FORMAT_BODY, format_bundle, parse_bundle
from domain.audit.tournament_bundle import (
    GameMember,
    TournamentBundle,
    format_tournament_bundle,
    parse_tournament_bundle,
)
from domain.canonical import encode
from domain.log.record import GENESIS, line_hash
from tests.services.cli.tournament_session import Cup
from tests.services.cli.tournament_terminal import Ended, Hall, invoke

replace = msgspec.structs.replace
Lines = list[dict[str, Any]]


@pytest.fixture(scope="session")
def policy(hall: Hall) -> str:
    """The keys of the ledger, as somebody trusts them."""
    path = hall.folder / "trusted.policy"
    path.write_bytes(hall.fetch("/v1/ledger/policy"))
    return str(path)


@pytest.fixture(scope="session")
def whole(cup: Cup) -> TournamentBundle:
    return parse_tournament_bundle(cup.bundle.read_bytes())


def chained_anew(log: bytes, change: Callable[[Lines], None]) -> bytes:
    """Change lines and chain all of them again, as whoever has the database could."""
    lines: Lines = [json.loads(raw) for raw in log.splitlines()]
    change(lines)
    prev, raws = GENESIS, []
    for version, line in enumerate(lines, start=1):
        raws.append(encode({**line, "prev": prev, "version": version}))
        prev = line_hash(raws[-1])
    return b"".join(raw + b"\n" for raw in raws)


def of_type(lines: Lines, type_: str) -> dict[str, Any]:
    data: dict[str, Any] = next(line for line in lines if line["type"] == type_)["data"]
    return data


def verify(path: Path, *options: str) -> Ended:
    return invoke("verify", str(path), *options)


def broken(ended: Ended) -> set[str]:
    (file,) = ended.json["files"]
    return {
        finding["check"] for finding in file["report"]["findings"] if finding["result"]["verdict"] == "did_not_hold"
    }


def test_a_tournament_that_holds_ends_with_zero_and_every_ruling_is_told(cup: Cup, policy: str) -> None:
    ended = verify(cup.bundle, "--policy", policy)

    assert ended.code == 0, ended.out
    assert "2 of 2 games are proven by themselves." in ended.out
    assert "points_ruled" not in ended.out
    assert "(Orga) gave entrant 1 (=Bob) 7 points in round 1. Reason: Swept the track" in ended.out
    assert "Points changed: entrant " in ended.out
    assert "Names are not proven" in ended.out
    assert "its own ledger has signed for it, but no witness has." in ended.out.splitlines()[0]


def test_without_a_key_that_is_trusted_it_ends_with_three(cup: Cup) -> None:
    ended = verify(cup.bundle)

    assert ended.code == 3
    assert "you gave no key" in ended.out.splitlines()[0]


def turn_result(lines: Lines) -> None:
    for place in of_type(lines, "result_taken")["ranking"]:
        place["place"] = 3 - place["place"]


def swap_pairing(lines: Lines) -> None:
    of_type(lines, "table_drawn")["seats"].reverse()


def raise_standing(lines: Lines) -> None:
    of_type(lines, "standings_told")["standings"][0]["points"] += 60


def take_ruling_out(lines: Lines) -> None:
    lines[:] = [line for line in lines if line["type"] != "points_ruled"]


def raise_ruling(lines: Lines) -> None:
    of_type(lines, "points_ruled")["points"] = 60


@pytest.mark.parametrize(
    ("change", "checks"),
    [
        (turn_result, {"results", "redecision"}),
        (swap_pairing, {"redecision", "terms"}),
        (raise_standing, {"redecision"}),
        (take_ruling_out, {"redecision", "inclusion"}),
        (raise_ruling, {"redecision", "inclusion"}),
    ],
)
def test_a_log_that_was_rewritten_is_found_out(
    whole: TournamentBundle, policy: str, tmp_path: Path, change: Callable[[Lines], None], checks: set[str]
) -> None:
    forged = tmp_path / "forged.tournament.zip"
    forged.write_bytes(format_tournament_bundle(replace(whole, log=chained_anew(whole.log, change))))

    ended = verify(forged, "--policy", policy, "--json")

    assert ended.code == 1
    assert checks <= broken(ended)


def test_a_line_of_a_game_that_was_rewritten_is_found_out(whole: TournamentBundle, policy: str, tmp_path: Path) -> None:
    forged = tmp_path / "forged.tournament.zip"
    first, *others = whole.games
    game = parse_bundle(first.raw)
    turned = replace(
        game, log=chained_anew(game.log, lambda lines: of_type(lines, "game_finished")["ranking"].reverse())
    )
    games = (GameMember(game=first.game, raw=format_bundle(turned)), *others)
    forged.write_bytes(format_tournament_bundle(replace(whole, games=games)))

    told, ended = verify(forged, "--policy", policy), verify(forged, "--policy", policy, "--json")

    assert told.code == ended.code == 1
    assert {"games", "results"} <= broken(ended)
    assert f"✗ {first.game}: line " in told.out


def test_a_result_whose_game_is_missing_cannot_be_checked(whole: TournamentBundle, policy: str, tmp_path: Path) -> None:
    forged = tmp_path / "forged.tournament.zip"
    forged.write_bytes(format_tournament_bundle(replace(whole, games=whole.games[1:])))

    ended = verify(forged, "--policy", policy, "--json")

    findings = {finding["check"]: finding["result"] for finding in ended.json["files"][0]["report"]["findings"]}
    assert ended.code == 3
    assert findings["results"]["verdict"] == "not_checkable_yet"
    assert findings["results"]["reason"].startswith("the bundle has no game for the result of line ")


def with_a_surplus_game(_raw: bytes, whole: TournamentBundle) -> bytes:
    parts = [
        ("format", FORMAT_BODY),
        ("log.ndjson", whole.log),
        ("components.json", whole.components),
        ("HOWTO.txt", whole.howto),
    ]
    parts.append(("games/0199c0de-0000-7000-8000-000000000001.spina.zip", whole.games[0].raw))
    return format_archive([Member(name=name, body=body) for name, body in parts])


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda _raw, _whole: b"", "expected a zip, found an empty file"),
        (lambda _raw, _whole: b"none", "expected a zip, found a file that begins with 6e6f6e65"),
        (lambda raw, _whole: raw[: len(raw) // 2], "expected at most "),
        (lambda raw, _whole: raw[:-1], "expected "),
        (lambda raw, _whole: raw.replace(b"Swept", b"Slept", 1), "expected log.ndjson with the checksum "),
        (with_a_surplus_game, "found 'games/0199c0de-0000-7000-8000-000000000001.spina.zip'"),
    ],
)
def test_what_is_no_whole_bundle_ends_with_two_and_a_cross(
    cup: Cup, whole: TournamentBundle, tmp_path: Path, spoil: Callable[[bytes, TournamentBundle], bytes], told: str
) -> None:
    spoilt = tmp_path / "spoilt.tournament.zip"
    spoilt.write_bytes(spoil(cup.bundle.read_bytes(), whole))

    ended = verify(spoilt)

    assert ended.code == 2
    assert ended.out.startswith("No verdict: ")
    assert told in ended.out


def test_a_tournament_a_game_and_a_folder_are_verified_together(
    cup: Cup, whole: TournamentBundle, policy: str, tmp_path: Path
) -> None:
    folder = tmp_path / "season"
    folder.mkdir()
    # Whatever a file is called, its first line states what it is.
    (folder / "autumn.zip").write_bytes(cup.bundle.read_bytes())
    (folder / "game.spina.zip").write_bytes(whole.games[0].raw)

    held = invoke("verify", str(folder), str(cup.bundle), "--policy", policy)
    (folder / "empty.zip").write_bytes(b"")
    spoilt = invoke("verify", str(folder), str(cup.bundle), "--policy", policy, "--json")

    assert held.code == 0, held.out
    assert "3 of 3 bundles hold in everything." in held.out
    assert spoilt.code == spoilt.json["exit_code"] == 2
    codes = {Path(file["path"]).name: file["exit_code"] for file in spoilt.json["files"]}
    assert codes == {"autumn.zip": 0, "game.spina.zip": 0, "empty.zip": 2, "cup.tournament.zip": 0}


def test_a_tournament_is_verified_at_its_address(hall: Hall, cup: Cup, policy: str) -> None:
    page = invoke("verify", f"{hall.url}/tournaments/{cup.id}", "--policy", policy)
    api = invoke("verify", f"{hall.url}/v1/tournaments/{cup.id}", "--policy", policy, "--json")
    nobodys = invoke("verify", f"{hall.url}/tournaments/01a1f052-e131-7442-97b2-21e17c05f850")

    assert (page.code, api.code, nobodys.code) == (0, 0, 2)
    assert api.json["files"][0]["report"]["tournament"] == cup.id
    assert "no-such-tournament" in nobodys.out


def test_a_page_tells_all_of_a_tournament(cup: Cup, whole: TournamentBundle, policy: str, tmp_path: Path) -> None:
    page = tmp_path / "cup.html"

    ended = verify(cup.bundle, "--policy", policy, "--html", str(page))

    told = page.read_text()
    assert ended.code == 0
    assert "no outsider vouches for it" in told
    assert all(member.game in told for member in whole.games)
    assert "Reason: Swept the track, &quot;unasked&quot;. Points changed: entrant 1" in told
    assert f"The last line has the SHA-256 {line_hash(whole.log.splitlines()[-1])}" in told
    assert "<script" not in told


def test_a_page_that_cannot_be_written_is_told(cup: Cup, tmp_path: Path) -> None:
    ended = verify(cup.bundle, "--html", str(tmp_path / "no" / "cup.html"))

    assert ended.code == 1
    assert "No such file or directory" in ended.sentence
