"""A data folder as the first start of a server makes it, made once a process and copied: initdb takes half a second."""

import asyncio
import atexit
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from infra.embedded.credentials import choose_port, find_credentials, write_credentials
from infra.embedded.folder import DataFolder, hold
from infra.embedded.servers import embedded_servers
from infra.postgres.migrations import migrate
from tests.servers import DATA, FOLDER_PREFIX, temporary_place


def copy_made_data(data: Path) -> None:
    """Make a folder in which a start finds its servers made, and every migration applied."""
    made, copied = made_data(), DataFolder(path=data)
    data.mkdir(mode=0o700, parents=True)
    shutil.copytree(made.postgres, copied.postgres)
    credentials = find_credentials(made.credentials)
    assert credentials is not None, "the made folder was started"
    # Two copies that start at once would find the same ports free.
    port = choose_port(())
    write_credentials(copied.credentials, replace(credentials, postgres_port=port, valkey_port=choose_port((port,))))


@cache
def made_data() -> DataFolder:
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=temporary_place()))
    stack = ExitStack()
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    # The folder of a process that was killed goes with the next session.
    stack.enter_context(hold(folder))
    atexit.register(stack.close)
    with ThreadPoolExecutor(1) as beside:
        # A caller may have a loop that runs.
        beside.submit(asyncio.run, _make(folder / DATA)).result()
    return DataFolder(path=folder / DATA)


async def _make(data: Path) -> None:
    async with embedded_servers(data) as urls:
        await migrate(urls.owner_url)
