"""The files of a ledger: which witnesses are asked, and how often."""

from pathlib import Path

import pytest

from domain.ledger.log_list import ListedLog, format_log_list
from infra.settings import Settings
from services.node.ledger import LIST_FILE_NAME, LedgerFileRefused, read_ask_every_s
from tests.domain.ledger.signing import LOG, STRANGER


def keep_list(folder: Path, requests_per_day: int) -> Settings:
    settings = Settings(data=folder)
    listed = ListedLog(key=LOG.key, origin=LOG.key.name, requests_per_day=requests_per_day, contact="ops@games.example")
    settings.ledger_folder.mkdir()
    (settings.ledger_folder / LIST_FILE_NAME).write_bytes(format_log_list((listed,)))
    return settings


@pytest.mark.parametrize(("requests_per_day", "every_s"), [(24, 3_600.0), (8_640, 10.0), (10_000_000, 1.0)])
def test_witnesses_are_asked_no_more_often_than_the_list_of_the_log_says(
    tmp_path: Path, requests_per_day: int, every_s: float
) -> None:
    settings = keep_list(tmp_path, requests_per_day)

    assert read_ask_every_s(settings, LOG.key) == every_s


def test_without_a_list_they_are_asked_each_second(tmp_path: Path) -> None:
    assert read_ask_every_s(Settings(data=tmp_path), LOG.key) == 1.0


def test_a_list_of_other_logs_is_refused(tmp_path: Path) -> None:
    settings = keep_list(tmp_path, 24)

    with pytest.raises(LedgerFileRefused, match=r"expected a list of logs at .*, found: none with the key stranger"):
        read_ask_every_s(settings, STRANGER.key)
