"""The caller's address behind a proxy: a named proxy's word counts, and no other's."""

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from infra.keys import MasterKey, format_master_key
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, serving

KEY = format_master_key(MasterKey(bytes(range(32))))


# Costs more than a network has at once at this rate: its limit is used up for four seconds.
COSTLY = "/v1/games/none/audit"


def ask(url: str, *, forwarded_for: str) -> int:
    asked = Request(url, headers={"x-forwarded-for": forwarded_for})  # noqa: S310  the server under test
    try:
        with urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310  the same
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize(("proxies", "others"), [("127.0.0.1", 404), ("", 429), ("10.1.2.3", 429)])
def test_an_address_is_believed_from_a_named_proxy_alone(
    tmp_path: Path, database: Database, proxies: str, others: int
) -> None:
    given = {
        "SPINA_DATABASE_URL": database.owner_url,
        "SPINA_MASTER_KEY": KEY,
        "SPINA_RATE_PER_S": "1",
        "SPINA_PROXIES": proxies,
    }
    addresses = ("192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::ffff:2")

    with serving(tmp_path, **given) as server:
        url = server.until_ready().replace("/v1/health", COSTLY)
        answers = [ask(url, forwarded_for=address) for address in addresses]

    # All addresses of one /64 are one caller's.
    assert answers == [404, 429, others, others, 429]
