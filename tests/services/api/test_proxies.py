"""The caller's address behind a proxy: a named proxy's word counts, and no other's."""

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from infra.keys import MasterKey, format_master_key
from tests.database import Database
from tests.services.cli.program import PATIENCE_S, serving

KEY = format_master_key(MasterKey(bytes(range(32))))


def register(url: str, *, forwarded_for: str) -> int:
    """Make an account, which at this rate uses up an address's limit for four seconds."""
    headers = {"x-forwarded-for": forwarded_for, "content-type": "application/json"}
    asked = Request(url, data=b'{"name":"Ada"}', headers=headers)  # noqa: S310  the server under test, on the loopback
    try:
        with urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310  the same
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize(("proxies", "others"), [("127.0.0.1", 201), ("", 429), ("10.1.2.3", 429)])
def test_an_address_is_believed_from_a_named_proxy_alone(
    tmp_path: Path, database: Database, proxies: str, others: int
) -> None:
    given = {
        "SPINA_DATABASE_URL": database.owner_url,
        "SPINA_MASTER_KEY": KEY,
        "SPINA_RATE_PER_S": "1",
        "SPINA_PROXIES": proxies,
    }

    with serving(tmp_path, **given) as server:
        url = server.until_ready().replace("/v1/health", "/v1/players")
        answers = [register(url, forwarded_for=f"192.0.2.{number}") for number in (1, 1, 2)]

    assert answers == [201, 429, others]
