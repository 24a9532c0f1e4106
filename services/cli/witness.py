"""`spina witness`: watches a ledger from another machine, and cosigns checkpoints that extend the last one."""

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import say
from services.terminal.refusal import told_in_a_sentence

STATE = Path(".spina-witness")


def witness(
    log: Annotated[str, typer.Option(help="The log's address, such as https://games.example.org/v1/ledger.")],
    policy: Annotated[Path, typer.Option(help="A policy file with the log's key: whom you watch is your choice.")],
    name: Annotated[str, typer.Option(help="The witness's own name, for ever, such as witness.example.org/w1.")],
    state: Annotated[Path, typer.Option(help="A folder for the key and for what was seen. Never restore it.")] = STATE,
    host: Annotated[str, typer.Option(help="Where to answer a log that asks.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes any free one.")] = 8090,
) -> None:
    """Watch a ledger until Ctrl-C. A log that takes back a signed checkpoint is refused for ever.

    Example: spina witness --log http://127.0.0.1:8000/v1/ledger --policy club.policy --name witness.club/w1
    """
    import uvloop

    from domain.ledger.note_key import format_note_key
    from domain.ledger.policy_file import parse_policy
    from domain.ledger.spelling import Misspelt
    from domain.ledger.witness import WatchedLog
    from infra.keys import KeyRefused
    from infra.logging import configure_logging
    from infra.witness_files import MemoryDamaged, WitnessFiles
    from services.ledger.witness import Witness
    from services.node.http_server import PortRefused
    from services.node.witness import serve_witness

    with told_in_a_sentence(Misspelt, KeyRefused, MemoryDamaged, PortRefused, OSError):
        configure_logging("info")
        files = WitnessFiles(state)
        watched = [WatchedLog(origin=log.key.name, keys=(log.key,)) for log in parse_policy(policy.read_bytes()).logs]
        built = Witness(
            logs=tuple(watched), signer=files.read_signer(name), files=files, now_s=lambda: int(time.time())
        )
        say(f"Witness key, for policies: {format_note_key(built.signer.key)}")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve_witness(built, url=log, host=host, port=port, on_ready=_tell))


def _tell(url: str) -> None:
    say(f"Spina's witness is running: {url}")
