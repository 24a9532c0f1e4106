"""Receipts whose time is out of bounds: the client states so once, and keeps by how much."""

import logging

import httpx2
import pytest

from spina_client.client import Client
from spina_client.connection import Connection
from spina_client.formats import build_uuid7
from spina_client.ids import CommandId, LineHash, PlayerId, StreamVersion
from spina_client.seen import Account, Receipt

NOON_MS = 1_795_003_200_000
LINE = "2026-11-18T12:00:{:06.3f}Z"
ADA = Account(id=PlayerId("0199c0de-0000-7000-8000-00000000001a"), name="Ada", token="")


def receipt(second: float) -> Receipt:
    return Receipt(
        at=LINE.format(second), hash=LineHash(""), ledger="club/log", sig="", stream="", version=StreamVersion(1)
    )


def client_at(now_ms: int) -> Client:
    return Client(Connection(httpx2.AsyncClient()), ADA, now_ms=lambda: now_ms)


def made(ms: int) -> CommandId:
    return CommandId(build_uuid7(ms))


@pytest.mark.parametrize(
    ("made_s", "line_s", "now_s", "apart_ms"),
    [
        (10, 10, 10, 0),
        (10, 14.9, 10, 0),
        (10, 15.1, 10, 5_100),
        (10, 5.1, 10, 0),
        (10, 4.9, 10, -5_100),
        # An answer that got lost is given again minutes later, with the time of its line.
        (10, 11, 59, 0),
    ],
)
def test_a_time_beyond_five_seconds_is_told(
    made_s: int, line_s: float, now_s: int, apart_ms: int, caplog: pytest.LogCaptureFixture
) -> None:
    client = client_at(NOON_MS + now_s * 1_000)

    with caplog.at_level(logging.WARNING, "spina_client"):
        for _ in range(2):
            client.keep(receipt(line_s), made(NOON_MS + made_s * 1_000))

    assert client.clock_apart_ms == apart_ms
    assert len(client.receipts) == 2
    assert len(caplog.records) == (apart_ms != 0)


def test_the_log_names_ledger_and_side(caplog: pytest.LogCaptureFixture) -> None:
    client_at(NOON_MS).keep(receipt(12), CommandId("0199c0de-0000-4000-8000-0000000000c7"))

    (told,) = caplog.messages
    assert told == "the times of club/log are 12.0 s ahead of this machine's clock: one of the two is wrong"
