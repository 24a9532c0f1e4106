"""`spina rules check`: a report of a project or of a ruleset, an exit code for scripts, and refusals in a sentence."""

import json
from pathlib import Path

import pytest

from tests.architecture.kept_files import ROOT
from tests.services.cli.program import one_sentence, run

PROJECT = str(ROOT / "examples" / "spina_crowd")


def test_a_sound_project_is_reported_and_compared_with_its_report_before(tmp_path: Path) -> None:
    report = tmp_path / "crowd.json"
    arguments = ("rules", "check", PROJECT, "--games", "6", "--elsewhere", "2")

    first = run(*arguments, "--to", str(report))
    again = run(*arguments, "--before", str(report))

    assert (first.returncode, again.returncode) == (0, 0), first.stderr + again.stderr
    components = json.loads(report.read_text())["components"]
    assert f"for a policy: ruleset crowd@1 {components}" in first.stdout
    assert "default, 2 seats: 2" in first.stdout
    assert "hash seed 4242, the report of crowd@1 before" in again.stdout


def test_faults_end_the_program_with_1(tmp_path: Path) -> None:
    report = tmp_path / "crowd.json"
    run("rules", "check", PROJECT, "--games", "2", "--elsewhere", "0", "--to", str(report))
    report.write_text(report.read_text().replace('"0": "', '"0": "00'))

    ended = run("rules", "check", PROJECT, "--games", "2", "--elsewhere", "0", "--before", str(report))

    assert one_sentence(ended) == "expected no faults of crowd@1, found 1"
    assert "other games than here: 1 of 2, from 0 on" in ended.stdout


@pytest.mark.parametrize("named", ["ludus", "/", "examples"])
def test_anything_else_is_refused(named: str) -> None:
    ended = run("rules", "check", named)

    assert "expected a ruleset, or a folder whose pyproject.toml has one entry point" in one_sentence(ended)
