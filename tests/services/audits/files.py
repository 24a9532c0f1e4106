"""Bundles of golden games as files, so that the released rules can be used from outside."""

from functools import cache
from pathlib import Path

import msgspec

from domain.audit.bundle import Bundle, format_bundle
from tests.domain.audit.memory_ledger import proven
from tests.domain.rulesets.chariot_race import golden
from tests.domain.rulesets.chariot_race.golden import COMPONENTS

RACE = golden.FOLDER / "draft_of_two_and_nobody_wins.ndjson"


@cache
def race() -> Bundle:
    """A whole race with the proof of its last line."""
    bundle = proven(RACE.read_bytes().splitlines())
    return msgspec.structs.replace(bundle, components=COMPONENTS.read_bytes())


def cut(count: int) -> Bundle:
    """The race up to a line, as it was exported while it went on."""
    log = b"".join(line + b"\n" for line in race().log.splitlines()[:count])
    return msgspec.structs.replace(race(), log=log, last_proof=None)


def with_another_die() -> Bundle:
    """The race with one digit of its log changed: the faces of the first roll."""
    before, faces, after = race().log.partition(b'"faces":[')
    return msgspec.structs.replace(race(), log=before + faces + (b"2" if after[:1] != b"2" else b"3") + after[1:])


def write(folder: Path, name: str, bundle: Bundle) -> Path:
    path = folder / f"{name}.spina.zip"
    path.write_bytes(format_bundle(bundle))
    return path
