"""Requests to addresses of users reach no address of the operator's network, by name or redirect."""

import asyncio
import socket
from collections.abc import Sequence

import pytest

from services.notices.outbound import Answered, PublicNetwork, Unanswered, is_own, is_public
from services.notices.ways import Webhook, find_fault
from tests.services.notices.receiver import Receiver

REFUSED = Unanswered(reason="no connection to a public address")
OURS = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.1.2.3", "224.0.0.1"),
    *("255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1", "192.88.99.1", "::1", "::", "fe80::1", "fe80::1%eth0"),
    *("fc00::1", "fd12::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "2001:db8::1"),
    *("64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::1", "2001::1", "100::1", "5f00::1"),
    *("192.31.196.1", "192.52.193.1", "192.175.48.1", "192.0.0.9", "192.0.0.10", "2620:4f:8000::1"),
)


class Names:
    """A resolver whose answers change with each question."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def resolve(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0)


@pytest.mark.parametrize("address", OURS)
def test_an_address_that_is_not_of_the_public_internet_is_known(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1"])
def test_an_address_of_the_public_internet_is_known(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(("address", "expected"), [("127.0.0.1", True), ("8.8.8.8", False)])
def test_an_address_of_this_machine_is_known(address: str, expected: bool) -> None:  # noqa: FBT001  a column
    assert is_own(address) == expected


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://bot.example/",
            "https://bot.example:22/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://[fe80::1]/",
        ),
        *("https://[::ffff:10.0.0.1]/", "https:///notices", "https://[::1", "https://bot.example:99999999/"),
    ],
)
def test_a_url_that_can_be_no_public_one_is_refused_as_it_is_added(url: str) -> None:
    fault = find_fault(Webhook(url=url), reaches_private=False)

    assert fault is not None
    assert "expected the URL of a public host" in fault


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1"])
async def test_a_name_of_this_machine_is_refused_before_a_connection(host: str) -> None:
    async with PublicNetwork() as network:
        answer = await network.post(f"https://{host}/", b"{}", {})

    assert answer == REFUSED


@pytest.mark.parametrize("address", OURS)
async def test_a_name_with_one_address_of_ours_beside_public_ones_is_refused(address: str) -> None:
    names = Names(["8.8.8.8", address])

    async with PublicNetwork(resolve=names.resolve) as network:
        answer = await network.post("https://bot.example/", b"{}", {})

    assert answer == REFUSED


async def test_a_name_of_the_operators_network_is_not_told_apart_from_one_that_does_not_exist() -> None:
    def resolve_none(host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror(host)

    async with PublicNetwork(resolve=resolve_none) as network:
        answer = await network.post("https://bot.example/", b"{}", {})

    assert answer == REFUSED


async def test_a_name_that_leads_elsewhere_after_the_check_is_not_asked_again(receiver: Receiver) -> None:
    port = receiver.url.rpartition(":")[2]
    names = Names(["127.0.0.1"], ["192.0.2.1"])

    async with PublicNetwork(resolve=names.resolve, reaches_private=True) as network:
        first = await network.post(f"http://bot.example:{port}/", b"{}", {})

    assert (first, names.asked) == (Answered(status=204), ["bot.example"])
    assert receiver.received[0].headers["host"] == f"bot.example:{port}"


async def test_each_request_asks_for_the_name_anew_and_is_checked_anew() -> None:
    names = Names(["10.0.0.1"], ["10.0.0.1"])

    async with PublicNetwork(resolve=names.resolve) as network:
        answers = [await network.post("https://bot.example/", b"{}", {}) for _ in range(2)]

    assert (answers, len(names.asked)) == ([REFUSED, REFUSED], 2)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
async def test_a_redirect_is_not_followed(receiver: Receiver, status: str) -> None:
    receiver.answer = lambda _: f"{status}\r\nlocation: {receiver.url}/inside"

    async with PublicNetwork(reaches_private=True) as network:
        answer = await network.post(f"{receiver.url}/outside", b"{}", {})

    assert answer == Answered(status=int(status[:3]))
    assert [notice.path for notice in receiver.received] == ["/outside"]


async def test_an_answer_that_does_not_come_or_does_not_end_takes_a_bounded_time() -> None:
    silent = asyncio.Event()

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        await silent.wait()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with PublicNetwork(reaches_private=True, timeout_s=0.05) as network:
            answer = await network.post(f"http://127.0.0.1:{port}/", b"{}", {})
        silent.set()

    assert answer == Unanswered(reason="no answer in time")
