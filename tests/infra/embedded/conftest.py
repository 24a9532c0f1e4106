"""A data folder in which the first start has been, for tests of later ones: initdb takes half of a test."""

from pathlib import Path

import pytest

from tests.services.cli.made_data import copy_made_data


@pytest.fixture
def made_data(tmp_path: Path) -> None:
    copy_made_data(tmp_path / "data")
