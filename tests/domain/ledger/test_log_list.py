"""Log lists: the spellings of public lists, our own spelling, and the refusals."""

import pytest

from domain.ledger.log_list import ListedLog, format_log_list, parse_log_list
from domain.ledger.note_key import format_note_key
from domain.ledger.spelling import Misspelt
from tests.domain.ledger.signing import LOG, STRANGER, WITNESS

LOG_KEY, OTHER_KEY = format_note_key(LOG.key), format_note_key(STRANGER.key)
WRITTEN = f"""\
logs/v0

vkey {LOG_KEY}
qpd 86400
contact ops@games.example

vkey {OTHER_KEY}
origin another name
qpd 24
contact sysadmin (at) old.example
"""
READ = (
    ListedLog(key=LOG.key, origin=LOG.key.name, requests_per_day=86_400, contact="ops@games.example"),
    ListedLog(key=STRANGER.key, origin="another name", requests_per_day=24, contact="sysadmin (at) old.example"),
)
BY_HAND = WRITTEN.replace("logs/v0", "# experimental\n#\n\nlogs/v0").replace("qpd 24\n", "  qpd\t24 \r\n")


@pytest.mark.parametrize("text", [WRITTEN, BY_HAND, WRITTEN.removesuffix("\n")])
def test_a_list_is_read_as_its_maintainers_write_it(text: str) -> None:
    found = parse_log_list(text.encode())

    assert found == READ
    assert format_log_list(found) == WRITTEN.encode()


@pytest.mark.parametrize(
    ("instead_of", "found"),
    [
        ("logs/v0", "logs/v1"),
        ("logs/v0\n", ""),
        (LOG_KEY, format_note_key(WITNESS.key)),
        (LOG_KEY, LOG_KEY[:-1]),
        ("qpd 86400\n", ""),
        ("qpd 86400", "qpd 0"),
        ("qpd 86400", "qpd -1"),
        ("qpd 24", "qpd 024"),
        ("contact ops@games.example", "contact"),
        ("contact sysadmin (at) old.example\n", ""),
        ("origin another name", "bastion none"),
    ],
)
def test_another_list_is_refused(instead_of: str, found: str) -> None:
    assert instead_of in WRITTEN

    with pytest.raises(Misspelt):
        parse_log_list(WRITTEN.replace(instead_of, found, 1).encode())
