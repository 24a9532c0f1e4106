"""Every shell block and every program of the documents is run by a test, on a port of its own."""

import re

from tests.architecture.kept_files import ROOT
from tests.document_blocks import COMMAND, LEFT_OUT, RUN_BY, list_blocks, list_unlabelled, read_pages


def test_every_block_is_run_by_a_test_or_left_out_for_a_reason() -> None:
    blocks = list_blocks()

    assert {block.page for block in blocks} == RUN_BY.keys()


def test_a_test_that_runs_a_page_names_it() -> None:
    for page, tests in RUN_BY.items():
        for test in tests:
            assert page in (ROOT / test).read_text() or page.rpartition("/")[2] in (ROOT / test).read_text(), test


def test_every_block_that_is_left_out_is_there() -> None:
    there = {block.name for block in list_blocks(with_left_out=True)}

    assert LEFT_OUT.keys() <= there


def test_no_block_of_commands_hides_without_its_language() -> None:
    assert COMMAND.search("export A=1\nspina doctor\n")
    assert list_unlabelled() == []


def test_every_block_reads_the_port_from_the_environment() -> None:
    for block in list_blocks():
        assert not re.search(r"127\.0\.0\.1:\d", block.text), block.name


def test_the_pages_of_newcomers_are_looked_at() -> None:
    assert {"README.md", "docs/bot.md", "clients/python/README.md", "clients/go/README.md"} <= read_pages().keys()
