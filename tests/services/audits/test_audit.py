"""Audits of files: which are found, how many processes read them, and the one exit code that comes of it."""

from pathlib import Path

import pytest

from domain.audit.bundle import Bundle
from domain.audit.case import Trust
from domain.rulesets.released import RELEASED
from services.audits.audit import BROKEN, HOLDS, UNCHECKED, UNREADABLE, Terms, audit_files, sum_up
from services.audits.files import find_files
from tests.domain.audit.memory_ledger import TRUSTED
from tests.services.audits.files import cut, race, with_another_die, write

TERMS = Terms(trust=Trust(policy=TRUSTED), builders=RELEASED)


def test_folders_are_searched_to_the_bottom_and_no_file_is_read_twice(tmp_path: Path) -> None:
    (tmp_path / "round").mkdir()
    inner, outer = write(tmp_path / "round", "b", race()), write(tmp_path, "a", race())
    (tmp_path / "notes.txt").write_text("none")

    found = find_files([tmp_path, outer])

    assert found == [outer, inner]


@pytest.mark.parametrize(
    ("bundles", "code"),
    [
        ([race()], HOLDS),
        ([race(), race()], HOLDS),
        ([race(), cut(50)], UNCHECKED),
        ([cut(50), None], UNREADABLE),
        ([with_another_die()], BROKEN),
        ([race(), None, cut(50), with_another_die()], BROKEN),
    ],
)
def test_the_worst_file_decides_the_exit_code(tmp_path: Path, bundles: list[Bundle | None], code: int) -> None:
    for number, bundle in enumerate(bundles):
        if bundle is None:
            (tmp_path / f"{number}.zip").write_bytes(b"none")
        else:
            write(tmp_path, str(number), bundle)

    audit = sum_up(tuple(audit_files(find_files([tmp_path]), TERMS, processes=1)))

    assert audit.exit_code == code


def test_a_file_that_is_no_bundle_is_told_with_what_was_expected(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"none")

    (audited,) = audit_files([path], TERMS, processes=1)

    assert audited.verified is None
    assert audited.refusal is not None
    assert "expected" in audited.refusal


def test_many_processes_find_what_one_does(tmp_path: Path) -> None:
    for number in range(9):
        write(tmp_path, str(number), race() if number % 2 else cut(20 + number))
    files = find_files([tmp_path])

    many = sum_up(tuple(audit_files(files, TERMS, processes=2)))

    assert many == sum_up(tuple(audit_files(files, TERMS, processes=1)))
    assert len(many.files) == 9
