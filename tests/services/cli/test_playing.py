"""`spina links`, `spina seal` and `spina demo`: what a player types, and what is printed."""

import json
import re
import shlex
import time
from pathlib import Path

from domain.links import link_follows
from domain.rulesets.released import KITS
from services.cli.secrets import seal
from services.terminal.link_file import read_links
from tests.services.cli.program import one_sentence, run, serving

GAME = "0199c0de-0000-7000-8000-000000000001"
# The example of domain/seal.py.
ACTION = '{"cards":[0,4],"kind":"move","symbol":"red-5"}'
SEAL = "97e93b5ab20928d575fe262d82fe4803ea01a5a43354bd93a05400453bbaf141"


def test_links_are_made_once_in_a_closed_file_and_disclosed_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "ada.links"

    anchor = run("links", str(path), "--links", "64").stdout.strip()
    first = run("links", str(path), "--next").stdout.strip()
    second = run("links", str(path), "--next").stdout.strip()

    assert path.stat().st_mode & 0o777 == 0o600
    assert link_follows(previous=anchor, nonce=first)
    assert link_follows(previous=first, nonce=second)
    assert "never overwritten" in one_sentence(run("links", str(path)))


def test_a_link_is_found_after_the_one_that_the_game_shows(tmp_path: Path) -> None:
    path = tmp_path / "ada.links"
    anchor = run("links", str(path)).stdout.strip()
    run("links", str(path), "--next")
    run("links", str(path), "--next")

    again = run("links", str(path), "--after", anchor).stdout.strip()
    following = run("links", str(path), "--next").stdout.strip()

    assert link_follows(previous=anchor, nonce=again)
    assert link_follows(previous=again, nonce=following)
    assert "found another one" in one_sentence(run("links", str(path), "--after", "00" * 32))


def test_links_that_are_all_disclosed_are_told_to_be(tmp_path: Path) -> None:
    path = tmp_path / "ada.links"
    run("links", str(path), "--links", "64")
    run("links", str(path), "--after", read_links(path).links[63])

    refused = one_sentence(run("links", str(path), "--next"))

    assert "found all 64 disclosed" in refused


def test_links_that_others_may_read_or_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ada.links"
    missing = one_sentence(run("links", str(path), "--next"))
    path.write_text('{"count":1}')
    path.chmod(0o644)
    readable = one_sentence(run("links", str(path), "--next"))
    path.chmod(0o600)
    damaged = one_sentence(run("links", str(path), "--next"))

    assert "there are no links" in missing
    assert "can be read by others (mode 644)" in readable
    assert "holds no links" in damaged


def test_a_seal_is_printed_as_a_shell_reads_it() -> None:
    ended = run("seal", "--game", GAME, "--seat", "2", "--decision", "t1/move/2", "--salt", "33" * 32, ACTION)

    assert ended.stdout == f"seal={SEAL}\nsalt={'33' * 32}\n"


def test_a_seal_without_a_salt_gets_a_fresh_one() -> None:
    made = [
        json.loads(run("seal", "--json", "--game", GAME, "--seat", "2", "--decision", "t1/move/2", ACTION).stdout)
        for _ in range(2)
    ]

    assert made[0]["salt"] != made[1]["salt"]
    assert made[0]["seal"] != made[1]["seal"]


def test_a_seal_that_could_never_be_revealed_is_refused_with_what_was_typed() -> None:
    ended = run("seal", "--game", GAME, "--seat", "2", "--decision", "t1/move/2", '{"b":1,"a":2}')

    assert """expected '"a":2,"b":1}', found '"b":1,"a":2}' at byte 2""" in one_sentence(ended)


def test_the_example_of_a_seal_works_as_it_is_printed() -> None:
    _program, *arguments = shlex.split(str(seal.__doc__).partition("Example: ")[2])

    ended = run(*arguments)

    assert ended.stdout.startswith("seal="), ended.stderr


def test_a_demonstration_is_a_whole_game_and_says_where_it_is(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        url = server.until_ready().removesuffix("/v1/health")

        ended = run(
            *("demo", "--ruleset", "charioteer", "--seats", "2", "--own-custody", "--signed", "--json"),
            SPINA_PORT=url.rpartition(":")[2],
        )

        shown = json.loads(ended.stdout)
        assert shown["status"] == "finished"
        assert shown["url"].startswith(f"{url}/v1/games/")
        assert shown["page"] == shown["url"].replace("/v1", "")
        assert sorted(placing["seat"] for placing in shown["ranking"]) == [0, 1]
        assert shown["bots"] == ["strategic", "longest"]


def test_a_demonstration_without_a_server_says_at_once_how_to_start_one() -> None:
    began = time.monotonic()
    refused = one_sentence(run("demo", SPINA_PORT="9"))

    assert refused.startswith("expected a server at http://127.0.0.1:9, found none; start it with `make run`")
    # What waits for a server that restarts takes twenty seconds.
    assert time.monotonic() - began < 15


def test_the_help_of_a_demonstration_names_every_ruleset_and_every_bot() -> None:
    told = run("demo", "--help").stdout

    expected = {name for kit in KITS for name in (kit.reference.partition("@")[0], *kit.bots)}
    assert expected <= set(re.findall(r"[a-z][a-z-]*", told))


def test_a_demonstration_needs_a_server_and_bots_that_there_are() -> None:
    refused = one_sentence(run("demo", "--url", "spina.example"))
    unknown = run("demo", "--bots", "deep-blue")
    missing = run("demo", "--ruleset", "chess")

    assert "expected the URL of a server" in refused
    assert "expected bots out of" in unknown.stderr
    assert "expected one of charioteer@1" in missing.stderr
