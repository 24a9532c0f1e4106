"""A program that runs embedded servers in a folder, prints their URLs in one line, and ends with its standard input."""

import asyncio
import sys
from pathlib import Path

import msgspec
import structlog

from infra.embedded.servers import embedded_servers


async def main(folder: Path) -> None:
    async with embedded_servers(folder) as urls:
        sys.stdout.write(f"{msgspec.json.encode(urls).decode()}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    asyncio.run(main(Path(sys.argv[1])))
