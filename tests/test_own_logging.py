"""What tests log: quick text, whatever an earlier test set up."""

import io
import logging

import pytest
import structlog

from infra.logging import configure_logging
from tests.own_logging import own_logging


def test_a_traceback_is_text_without_the_values_of_its_frames(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        int("no number")
    except ValueError:
        structlog.get_logger().exception("parse_failed")

    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "Traceback (most recent call last):"
    assert lines[-1].startswith("ValueError: ")


def test_logging_that_a_test_sets_up_ends_with_it() -> None:
    root, config = logging.getLogger(), structlog.get_config()
    before = list(root.handlers), root.level

    with own_logging():
        configure_logging("debug", stream=io.StringIO())

    assert (root.handlers, root.level) == before
    assert structlog.get_config() == config
