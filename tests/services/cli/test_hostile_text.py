"""Texts of strangers at the command line: names of files, answers of servers. No control byte reaches the terminal."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import typer

from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog
from domain.ledger.policy_file import format_policy
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from services.cli.main import app
from tests.forked import run_forked
from tests.services.cli.in_turn import MARK
from tests.services.cli.program import PATIENCE_S, environment

# Clears the screen, colours, names the window, turns the text about, and is invisible.
HOSTILE = "\x1b[2J\x1b[31mAll holds.\x1b[0m\x1b]0;PWNED\x07\r\x9b1m\u202e\u200b\u2066\U000e0041"
ID = "0199c0de-0000-7000-8000-000000000001"
KEY = derive_log_signer(MasterKey(bytes(32)), "ledger.test/log").key
PROBLEM = {"type": f"urn:{HOSTILE}", "title": HOSTILE, "status": 409, "detail": HOSTILE}
ANSWERS = {
    "text refused": (404, "text/plain", HOSTILE.encode()),
    "problem": (409, "application/problem+json", json.dumps(PROBLEM, ensure_ascii=False).encode()),
    "list": (200, "application/json", json.dumps({"items": [PROBLEM], "next": None, "name": HOSTILE}).encode()),
}
BY_ID = ("--url", "URL", "--token-file", "FOLDER/token")
# Every command that asks a server, or reads files and texts of others, by its name.
COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "verify": (
        ("URL/games/ID",),
        ("--json", "URL/tournaments/ID"),
        ("FOLDER/game", "--policy", "FOLDER/any"),
        (HOSTILE,),
    ),
    "replay": (("FOLDER/game",), ("FOLDER/any",)),
    "dump": (("FOLDER/game", "--to", "FOLDER/dump"), ("FOLDER/any", "--to", "FOLDER/other")),
    "box check": (("FOLDER/any",), (HOSTILE,)),
    "box add": (("FOLDER/any", "--name", "Printed"), ("FOLDER/any", "--name", HOSTILE)),
    "box remove": ((HOSTILE,),),
    "losses": (("FOLDER/any",), ("FOLDER/any", "--at", "1"), (HOSTILE,)),
    "practice": (("FOLDER/any:choose",), (HOSTILE,)),
    "rules check": (("FOLDER/any",), (HOSTILE,)),
    "links": (("FOLDER/any",),),
    "seal": (("--game", "ID", "--seat", "0", "--decision", HOSTILE, HOSTILE),),
    "demo": (("--ruleset", "chariot-race", "--url", "URL"), ("--ruleset", HOSTILE, "--url", "URL")),
    "monitor": (
        ("URL", "--once", "--mirror", "FOLDER/mirror", "--policy", "FOLDER/policy"),
        ("URL", "--once", "--mirror", "FOLDER/mirror", "--policy", "FOLDER/any"),
        ("URL", "--key", HOSTILE),
    ),
    "witness": (("--log", "URL", "--policy", "FOLDER/any", "--name", HOSTILE, "--state", "FOLDER/state"),),
    "tournament open": (("--name", "Cup", *BY_ID), ("--name", HOSTILE, "--terms", "FOLDER/any", *BY_ID)),
    "tournament key": (("FOLDER/any",),),
    "tournament list": (("--url", "URL"),),
    "tournament show": (("--url", "URL", "ID"), ("--json", "--url", "URL", "ID"), ("--url", "URL", HOSTILE)),
    "tournament entrants": (("--url", "URL", "ID"),),
    "tournament due": (("--url", "URL", "ID"),),
    "tournament close-entries": (("ID", *BY_ID), ("ID", "--key-file", "FOLDER/any", *BY_ID)),
    "tournament round": (("ID", *BY_ID),),
    "tournament rule": (("ID", "--ruling", "entrant_removed", "--entrant", "1", "--reason", HOSTILE, "--yes", *BY_ID),),
    "tournament close": (("ID", *BY_ID),),
    "tournament abort": (("ID", "--reason", HOSTILE, *BY_ID),),
    "tournament helper": (("ID", "--link", HOSTILE, *BY_ID), ("ID", "--link", "5e" * 32, *BY_ID)),
    "tournament follow": (("ID", "--round", "1", "--table", "1", *BY_ID),),
    "tournament bundle": (("--url", "URL", "ID", "--to", "FOLDER/cup.tournament.zip"),),
    "tournament export": (("--url", "URL", "ID", "--to", "FOLDER/cup.csv"),),
    "tournament demo": (("--url", "URL", "--token-file", "FOLDER/token"),),
}
_OWN = "asks the operator's own database and machine"
_BOTS = "plays bots on a server of its own"
# The others, each with the reason.
NOTHING_OF_OTHERS = {
    **dict.fromkeys(("box start", "box list"), "prints files of the release and of the operator's own folder"),
    **dict.fromkeys(("serve", "doctor", "rebuild", "export", "audit", "version"), _OWN),
    **dict.fromkeys(("keys create", "keys show", "keys turn", "record show", "record export"), _OWN),
    **{f"account {each}": _OWN for each in ("create", "list", "renew", "revoke", "rename", "mute", "unmute", "close")},
    **{
        f"bench {each}": _BOTS
        for each in (
            "fold",
            "ruleset",
            "audit",
            "append",
            "commands",
            "live",
            "page",
            "routes",
            "tournament",
            "ledger",
            "visits",
            "all",
        )
    },
    **{
        f"simulate {each}": _BOTS
        for each in ("tournament", "attack", "ruleset", "variants", "world", "kills", "cluster")
    },
}
# Beside the packages of a command itself, some tens of megabytes.
PEAK_BYTES_MAX = 200_000_000


def find_unseen(printed: str) -> str:
    return "".join(sorted({character for character in printed if not character.isprintable() and character != "\n"}))


@contextmanager
def answering(status: int, kind: str, body: bytes) -> Iterator[str]:
    """Answer every request alike."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815  the same

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def run_in_turn(commands: list[list[str]]) -> tuple[list[str], dict[str, Any]]:
    """Run commands in one process; return the texts of each, and the report."""
    ended = run_forked(
        "tests.services.cli.in_turn", json.dumps(commands), environment=environment({}), timeout_s=PATIENCE_S
    )
    assert ended.returncode == 0, ended.stderr
    *said, report = ended.stdout.split(MARK)
    return [out + err for out, err in zip(said, ended.stderr.split(MARK), strict=False)], json.loads(report)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_of_a_hostile_server_is_written_out_in_bounded_memory(tmp_path: Path, name: str) -> None:
    for group in ("any", "game"):
        (tmp_path / group).write_text(HOSTILE)
    policy = Policy(logs=(PolicyLog(key=KEY),), witnesses=(), groups=(), quorum=QUORUM_NONE)
    (tmp_path / "policy").write_bytes(format_policy(policy))
    (tmp_path / "token").write_text("spina_1_x")
    with answering(*ANSWERS[name]) as url:
        given = {"URL": url, "ID": ID, "FOLDER": str(tmp_path)}
        asked = [[*of.split(), *text] for of, given_to in COMMANDS.items() for text in given_to]
        commands = [[_fill(text, given) for text in command] for command in asked]

        told, report = run_in_turn(commands)

    assert [
        (command, find_unseen(text)) for command, text in zip(commands, told, strict=True) if find_unseen(text)
    ] == []
    assert set(report["codes"]) <= {0, 1, 2, 3}, list(zip(commands, report["codes"], told, strict=True))
    assert report["peak_bytes"] < PEAK_BYTES_MAX


def test_every_command_is_run_against_strangers_or_reads_nothing_of_theirs() -> None:
    assert COMMANDS.keys().isdisjoint(NOTHING_OF_OTHERS)
    assert list_commands(app) == COMMANDS.keys() | NOTHING_OF_OTHERS


def list_commands(group: typer.Typer, name: str = "") -> set[str]:
    own = {
        f"{name}{command.name or command.callback.__name__}"
        for command in group.registered_commands
        if command.callback
    }
    groups = [info.typer_instance for info in group.registered_groups if info.typer_instance]
    return own.union(*(list_commands(typer_group, f"{name}{typer_group.info.name} ") for typer_group in groups))


def test_the_name_of_a_file_is_written_out(tmp_path: Path) -> None:
    hostile = tmp_path / f"{HOSTILE}.tournament.zip"
    hostile.write_bytes(b"no bundle")
    (tmp_path / f"{HOSTILE}.spina.zip").write_bytes(b"none either")

    commands = [["verify", str(tmp_path)], ["replay", str(hostile)], [HOSTILE], ["verify", HOSTILE]]
    told, report = run_in_turn(commands)

    assert [find_unseen(sentence) for sentence in told] == [""] * 4
    assert 0 not in report["codes"]


def _fill(text: str, given: dict[str, str]) -> str:
    for name, value in given.items():
        text = text.replace(name, value)
    return text
