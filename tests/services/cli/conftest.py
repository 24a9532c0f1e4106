"""One server for all the tests of `spina tournament`, as none of them changes another one's objects."""

from collections.abc import Iterator

import pytest

from tests.services.cli.tournament_session import Cup, play_cup
from tests.services.cli.tournament_terminal import Hall, hall_of_its_own


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall_of_its_own(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


@pytest.fixture(scope="session")
def cup(hall: Hall) -> Cup:
    """A tournament of three organised from a terminal to its end, with two rulings."""
    return play_cup(hall)
