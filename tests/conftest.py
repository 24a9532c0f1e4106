"""Real servers for the tests that ask for them: started once a session, at the first request, for all its workers."""

import gc
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import pytest
import structlog
from hypothesis import settings

from infra.embedded.servers import ServerUrls
from infra.settings import Settings
from services.commands.records import use_record_of
from tests.absence import tell_absence
from tests.database import Database, NewDatabase
from tests.replication import Primary, primary_server
from tests.servers import Servers, ServersForTests, request_servers, serve, temporary_place
from tests.shuffle import draw_seed, shuffled
from tests.stock import open_stock

ADDRESS_KEY = pytest.StashKey[Path]()
CLOSING_KEY = pytest.StashKey[ExitStack]()
# How much of what is drawn or repeated is looked at, with the option that asks for more; `make simulate` does.
AMOUNTS = (
    # Enough to meet every variant at some table, few enough for every change.
    ("--games", 100, "how many games the tests of random play look at, of each ruleset; of Chariotmaster a fifth"),
    # Each takes a second or two, where it is fit.
    ("--courses", 4, "how many random courses of Chariotmaster are raced on by bots"),
    # Fractions take three milliseconds a pose.
    ("--poses", 300, "how many random poses the slow geometry of Chariotmaster judges; of walls and of moves fewer"),
    # Some hundreds for each operation that takes a body, a quarter as many over connections.
    ("--bodies", 4_800, "how many damaged bodies are sent to the API; of requests and of frames a quarter as many"),
    # Both verifiers judge each: some milliseconds.
    ("--damaged", 150, "how many damaged games both verifiers judge"),
    # Prime, so that it falls on each member of a line in turn.
    ("--stride", 13, "which bytes are damaged where each damage is audited: every so manyeth"),
    # The first of each operation are its boundaries.
    ("--examples", 2, "how many requests of each kind are made from the description of the API"),
    # A thousand for each id that an expiry might have.
    ("--guesses", 2_000, "how many lines are guessed against a leaf of the ledger"),
    ("--kills", 4, "how many notifiers are killed"),
    # Longer than the pages' longest pause.
    ("--away", 5, "how many seconds a server or its database is away while a browser and bots play"),
    # One is enough to see a bot give up.
    ("--beside", 1, "how many games of bots are played beside the page of an outage"),
    # Each has a browser page, which is most of one core while it draws.
    ("--tables", 3, "how many games are played in browsers at once, one of each ruleset in turn"),
)
# Properties of whole tournaments look at a quarter as many; `make simulate` takes this instead of hypothesis's hundred.
settings.register_profile("long", max_examples=4_000, deadline=None)
# A deadline by the clock would fail on a busy machine, and states nothing about the code.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
# The certificate of an authority that has signed nothing.
NO_AUTHORITIES = Path(__file__).with_name("no_authorities.pem")
# Where pytest makes the folders of tests.
TEMPORARY_ROOT = "PYTEST_DEBUG_TEMPROOT"
# How pytest-xdist hands a value to its workers.
WORKER_INPUT = "servers_address"
SEED_INPUT = "seed"


class Worker(Protocol):
    """The arguments that pytest-xdist passes before it starts a worker."""

    config: pytest.Config
    workerinput: dict[str, Any]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--services",
        choices=[choice.value for choice in Servers],
        default=Servers.EMBEDDED.value,
        help="where Postgres and Valkey come from, unless SPINA_DATABASE_URL and SPINA_REDIS_URL name them",
    )
    parser.addoption(
        "--seed",
        type=int,
        default=None,
        help="the order of the tests, drawn and printed where none is given",
    )
    for option, amount, meaning in AMOUNTS:
        parser.addoption(option, type=int, default=amount, help=meaning)
    parser.addoption(
        "--rulesets",
        choices=["some", "all"],
        default="some",
        help="whether every ruleset meets every outage, or each of them some",
    )
    parser.addoption("--every-table", action="store_true", help="play at every table that a page can lay, not at some")
    parser.addoption("--hostile", action="store_true", help="verify hostile files of full size, and print the cost")
    parser.addoption(
        "--tournament",
        type=Path,
        default=None,
        help="a bundle that `spina simulate tournament` wrote, to be counted again and forged",
    )


def pytest_configure(config: pytest.Config) -> None:
    quicken_tracebacks()
    worker_input: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker_input is not None:
        config.stash[ADDRESS_KEY] = Path(worker_input[WORKER_INPUT])
        config.option.seed = worker_input[SEED_INPUT]
        return
    if config.option.seed is None:
        config.option.seed = draw_seed()
    # A client reads the authorities of its machine, twenty milliseconds each time; tests speak TLS with none of them.
    os.environ["SSL_CERT_FILE"] = str(NO_AUTHORITIES)
    # Folders of tests are in memory as well: a server made in one waits for a disk a thousand times.
    os.environ.setdefault(TEMPORARY_ROOT, str(temporary_place()))
    closing = config.stash[CLOSING_KEY] = ExitStack()
    config.stash[ADDRESS_KEY] = closing.enter_context(serve(Servers(config.getoption("--services"))))


def quicken_tracebacks() -> None:
    """Log a traceback as text: one that is drawn, with the values of its frames, takes as long as a whole case."""
    *before, _last = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*before, plain])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Worker) -> None:
    node.workerinput[WORKER_INPUT] = str(node.config.stash[ADDRESS_KEY])
    node.workerinput[SEED_INPUT] = node.config.option.seed


# Before pytest brings together the cases of one parameter of a fixture.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:] = shuffled(items, attrgetter("path"), seed=config.getoption("--seed"))


def pytest_collection() -> None:
    # A million objects of modules and cases live to the end; every full collection would look at each of them.
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    closing = config.stash.get(CLOSING_KEY, None)
    if closing is not None:
        closing.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tell_absence(terminalreporter)
    terminalreporter.line(f"order of the tests: --seed {terminalreporter.config.getoption('--seed')}")


@pytest.fixture(scope="session")
def games(pytestconfig: pytest.Config) -> int:
    """How many games a test of random play looks at."""
    return int(pytestconfig.getoption("--games"))


@pytest.fixture(scope="session")
def courses(pytestconfig: pytest.Config) -> int:
    """Return how many random courses bots race on."""
    return int(pytestconfig.getoption("--courses"))


@pytest.fixture(scope="session")
def poses(pytestconfig: pytest.Config) -> int:
    """Return how many random poses the slow geometry judges."""
    return int(pytestconfig.getoption("--poses"))


@pytest.fixture(scope="session")
def bodies(pytestconfig: pytest.Config) -> int:
    """How many damaged bodies are sent to the API in all."""
    return int(pytestconfig.getoption("--bodies"))


@pytest.fixture(scope="session")
def damaged(pytestconfig: pytest.Config) -> int:
    """How many damaged games both verifiers judge."""
    return int(pytestconfig.getoption("--damaged"))


@pytest.fixture(scope="session")
def stride(pytestconfig: pytest.Config) -> int:
    """How far one damaged byte is from the next."""
    return int(pytestconfig.getoption("--stride"))


@pytest.fixture(scope="session")
def guesses(pytestconfig: pytest.Config) -> int:
    """How many lines are guessed against a leaf of the ledger."""
    return int(pytestconfig.getoption("--guesses"))


@pytest.fixture(scope="session")
def servers_for_tests(pytestconfig: pytest.Config) -> ServersForTests:
    return request_servers(pytestconfig.stash[ADDRESS_KEY])


@pytest.fixture(scope="session")
def server_urls(servers_for_tests: ServersForTests) -> ServerUrls:
    """Both servers, shared by everyone: a test that writes takes `database` or `redis_prefix` instead."""
    return servers_for_tests.urls


@pytest.fixture(scope="session")
def new_database(servers_for_tests: ServersForTests) -> Iterator[NewDatabase]:
    with open_stock(servers_for_tests) as stock:
        yield stock.lend


@pytest.fixture
async def database(new_database: NewDatabase) -> AsyncIterator[Database]:
    """The test's own database with every migration applied."""
    async with new_database() as own:
        yield own


@pytest.fixture
async def record(database: Database) -> None:
    """Open the operators' record in the test's database, as the first start of a server does."""
    async with database.owned() as owner:
        await use_record_of(owner, Settings().origin, operator="Grace")


@pytest.fixture(scope="session")
def primary() -> Iterator[Primary]:
    """A server of which tests make replicas."""
    with primary_server() as found:
        yield found


@pytest.fixture(scope="session")
def redis_url(server_urls: ServerUrls) -> str:
    return server_urls.redis_url


@pytest.fixture
def redis_prefix() -> str:
    """The prefix of the test's own keys and channels."""
    return f"test:{uuid4().hex}:"
