"""One process that serves the API with the smallest ruleset, for the measurement of commands.

Run as `python -m bench.command_server`; orders on standard input, whose end is the end of the process.
"""

import asyncio
import sys

import msgspec
import uvloop
from msgspec import Struct

from bench.served import served_api
from bench.tally import TALLY
from infra.logging import configure_logging
from services.node.building import Sources


class ServerOrders(Struct, frozen=True, kw_only=True):
    database_url: str
    redis_url: str
    master_key: bytes

    def __repr__(self) -> str:
        return "ServerOrders(…)"


class Serving(Struct, frozen=True, kw_only=True):
    port: int


async def serve(orders: ServerOrders) -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    sources = Sources(kits=(TALLY,))
    async with served_api(orders.database_url, orders.redis_url, orders.master_key, sources) as (_, port):
        sys.stdout.buffer.write(msgspec.json.encode(Serving(port=port)) + b"\n")
        sys.stdout.buffer.flush()
        await loop.run_in_executor(None, sys.stdin.buffer.readline)


if __name__ == "__main__":
    configure_logging("error")
    uvloop.run(serve(msgspec.json.decode(sys.stdin.buffer.readline(), type=ServerOrders)))
