"""The shell blocks and programs of the documents, with those that no test runs, each for a reason."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from tests.architecture.kept_files import ROOT, kept_files

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = ("sh", "python", "js")
# Blocks without a language show data, those of `text` a synopsis. A line that begins with one of these is a command.
COMMAND = re.compile(r"^(?:make|spina|docker|curl|pip|npm|export|python|git|go) ", re.MULTILINE)

# By page and first line.
LEFT_OUT: Mapping[tuple[str, str], str] = {
    ("README.md", "make run"): "installs the environment of this very tree; tests/services/cli starts what it starts",
    ("README.md", "make check    # format, lint, types and the fast tests"): "runs the tests themselves",
    ("clients/python/README.md", "pip install ./clients/python"): "tests/clients/spina_client installs the same wheel",
    ("clients/js/README.md", "npm install ./dist/spina-client-0.1.0.tgz"): "tests/clients/js installs the same package",
    (
        "clients/go/README.md",
        "go mod init spina-ledger && go get golang.org/x/mod && go build      # in a copy of this folder",
    ): "asks the network for modules; tests/clients/go builds the program from the sources that Go brings along",
    (
        "docs/operating.md",
        "docker build -f infra/deploy/Dockerfile -t spina .",
    ): "needs a container engine; tests/infra/deploy holds its files",
    (
        "docs/simulation.md",
        "spina simulate world --seeds 1000 --first 1",
    ): "takes half an hour; tests/simulate runs the command with fewer seeds",
    (
        "docs/verifying.md",
        "spina monitor https://games.example --policy club.policy --mirror games.mirror",
    ): "follows a public server without end; tests/services/cli runs the command against one of its own",
}

# The tests that run all other blocks of a page.
RUN_BY: Mapping[str, Sequence[str]] = {
    "README.md": ("tests/test_tours.py",),
    "clients/python/README.md": ("tests/clients/spina_client/test_distribution.py",),
    "clients/js/README.md": ("tests/clients/js/test_package.py",),
    "docs/accounts.md": ("tests/test_tours.py",),
    "docs/api-tour.md": ("tests/test_tours.py",),
    "docs/bot.md": ("tests/test_bot_page.py",),
    "docs/data.md": ("tests/services/audits/test_dump.py",),
    "docs/notices.md": ("tests/test_tours.py", "tests/services/notices/test_webhooks.py"),
    "docs/operating.md": ("tests/test_tours.py",),
    "docs/rulesets.md": ("tests/test_tours.py",),
    "docs/tournaments.md": ("tests/test_tours.py",),
}


class Block(Struct, frozen=True, kw_only=True):
    page: str
    language: str
    text: str

    @property
    def name(self) -> tuple[str, str]:
        return self.page, self.text.partition("\n")[0]


@cache
def list_blocks(*, with_left_out: bool = False) -> tuple[Block, ...]:
    """List the blocks of the README, of docs/ and of the clients' pages that are to be run."""
    blocks = [
        Block(page=page, language=language, text=text)
        for page, content in read_pages().items()
        for language, text in BLOCK.findall(content)
        if language in RUN
    ]
    return tuple(block for block in blocks if with_left_out or block.name not in LEFT_OUT)


def read_pages() -> Mapping[str, str]:
    """Read the pages that a newcomer follows, by their paths."""
    paths = {str(path.relative_to(ROOT)): path for path in kept_files() if path.suffix == ".md"}
    return {
        name: path.read_text()
        for name, path in paths.items()
        if name == "README.md" or name.startswith(("docs/", "clients/"))
    }


def list_unlabelled() -> list[str]:
    """List the pages with commands in a block that names no language, which no test would see."""
    return [
        page
        for page, content in read_pages().items()
        for language, text in BLOCK.findall(content)
        if not language and COMMAND.search(text)
    ]


if __name__ == "__main__":
    print(*sorted({test for tests in RUN_BY.values() for test in tests}))  # noqa: T201  for `make documents`
