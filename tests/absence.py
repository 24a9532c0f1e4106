"""The closing words of a run without a browser or without Go: loud, for a green run without them shows less."""

import os
from collections.abc import Mapping
from typing import NoReturn

import pytest

NOT_RUN = "THE BROWSER TESTS WERE NOT RUN"
GO_NOT_RUN = "THE TESTS OF THE GO PROGRAM WERE NOT RUN"


def give_up(reason: str, environment: Mapping[str, str] = os.environ) -> NoReturn:
    """End a test that needs a browser: red where a change is judged, and else skipped and listed at the end."""
    if environment.get("CI"):
        pytest.fail(f"{NOT_RUN}: {reason}", pytrace=False)
    pytest.skip(f"{NOT_RUN}: {reason}")


def tell_absence(reporter: pytest.TerminalReporter) -> None:
    for banner in (NOT_RUN, GO_NOT_RUN):
        reasons = [str(each.longrepr) for each in reporter.stats.get("skipped", []) if banner in str(each.longrepr)]
        if reasons:
            reporter.section(f"{banner} ({len(reasons)} of them)", sep="!", red=True, bold=True)
            reporter.line(reasons[0].partition(f"{banner}: ")[2].rstrip("')"), red=True)
