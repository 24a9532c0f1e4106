"""`spina monitor`: follows a ledger from another machine, mirrors it, and counts its games by opener and end."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from services.terminal.refusal import told_in_a_sentence

MIRROR = Path(".spina-mirror")


def monitor(
    url: Annotated[str, typer.Argument(metavar="URL", help="The server's address, such as https://games.example.org.")],
    policy: Annotated[
        Path | None, typer.Option(help="A policy file: the ledger's key, and the witnesses to compare with.")
    ] = None,
    key: Annotated[str | None, typer.Option(help="The key of the ledger, as NAME+ID+KEY.")] = None,
    mirror: Annotated[Path, typer.Option(help="A folder for the ledger's files and for all that was seen.")] = MIRROR,
    is_once: Annotated[bool, typer.Option("--once", help="Read up to now, tell, and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
    """Follow a ledger until Ctrl-C, and go on from the same folder the next time.

    Every entry is read and kept as a file, at the paths of C2SP tiled logs. Told are a line logged twice,
    another history than before or than a witness has seen, with the evidence in the folder, and a line of a game that
    is not the one in the ledger. Games are counted by the account that opened them and by their ends, as far as the
    server shows them to all.

    Exit code 0 when nothing contradicts, 1 when something does, 3 when the server or a witness did not answer at last.

    Example: spina monitor https://games.example.org --policy club.policy

    Example: spina monitor http://127.0.0.1:8000 --key games.example+0123abcd+AZ… --once --json
    """
    import httpx2

    from infra.logging import configure_logging
    from infra.witness_files import MemoryDamaged
    from services.audits.trust import TrustRefused, read_trust
    from services.cli.monitor_looks import Looks
    from services.ledger.monitoring import build_monitor, follow

    try:
        trusted = read_trust(policy=policy, key=key, since=None).policy
    except TrustRefused as refused:
        raise typer.BadParameter(str(refused)) from None
    if trusted is None:
        raise typer.BadParameter("expected --policy or --key: which ledger you trust is your choice")
    # A contradiction is printed once, in the words of this command.
    configure_logging("critical")
    looks = Looks(as_json=as_json)

    async def run() -> None:
        async with httpx2.AsyncClient() as client:
            address = url.rstrip("/").removesuffix("/v1/ledger")
            looks.monitor = build_monitor(client, address, trusted, mirror, looks.on_read)
            await follow(looks.monitor, looks.on_look, is_once=is_once)

    with told_in_a_sentence(MemoryDamaged, OSError), suppress(KeyboardInterrupt):
        asyncio.run(run())
    looks.tell_games()
    raise typer.Exit(looks.exit_code)
