"""The checks that need no rules, by a third implementation: it finds the forgeries that ours find, and no other."""

from pathlib import Path

import msgspec
import pytest

from domain.audit.archive import format_archive
from domain.audit.bundle import FIRST_SEAT_PROOF, Bundle, format_bundle, list_members
from domain.ledger.note_key import format_note_key
from tests.clients.go.program import GoFailed, check_bundles
from tests.domain.audit.audited_game import audit, broken_in, bundle_of, specimen
from tests.domain.audit.forgery_table import FORGERIES, forged_bundle
from tests.domain.audit.memory_ledger import proven
from tests.domain.audit.test_ledger import FORGED_PROOFS
from tests.domain.game.random_play import Chaos
from tests.domain.ledger.signing import LOG

OF_THE_LOG = {"chain", "dice-links", "dice-faces", "contributions", "seals", "signatures", "secret"}
OF_THE_LEDGER = {"inclusion", "checkpoint"}


def check(folder: Path, bundles: dict[str, Bundle]) -> dict[str, set[str]]:
    """Let the program check bundles, and return the names of the checks that do not hold."""
    paths = {name: folder / f"{number}.spina.zip" for number, name in enumerate(bundles)}
    for name, bundle in bundles.items():
        paths[name].write_bytes(format_bundle(bundle))
    verdicts = check_bundles(format_note_key(LOG.key), list(paths.values()))
    return {name: set(verdicts[str(path)]) for name, path in paths.items()}


def test_it_finds_the_same_forgeries_of_the_log(tmp_path: Path) -> None:
    bundles = {forgery.name: forged_bundle(forgery.forge()) for forgery in FORGERIES} | {"none": bundle_of(specimen())}

    found = check(tmp_path, bundles)

    ours = {name: set(broken_in(audit(bundle))) for name, bundle in bundles.items()}
    assert {name: checks & OF_THE_LOG for name, checks in found.items()} == {
        name: checks & OF_THE_LOG for name, checks in ours.items()
    }


@pytest.mark.parametrize("body", [b"spina/bundle/v2\n", b"spina/bundle/v1", b""])
def test_a_bundle_of_another_edition_is_refused_with_its_name(tmp_path: Path, body: bytes) -> None:
    first, *others = list_members(proven(specimen()), first_proof=FIRST_SEAT_PROOF)
    path = tmp_path / "newer.spina.zip"
    path.write_bytes(format_archive([msgspec.structs.replace(first, body=body), *others]))

    with pytest.raises(GoFailed, match="expected the format"):
        check_bundles(format_note_key(LOG.key), [path])


def test_it_objects_to_no_game_with_stand_ins_and_pauses(tmp_path: Path) -> None:
    games = {str(seed): Chaos(seed).play() for seed in range(24)}

    found = check(tmp_path, {name: bundle_of(tuple(table.raws)) for name, table in games.items()})

    assert any(entry.line.by == "house" for table in games.values() for entry in table.entries)
    assert {name: checks & OF_THE_LOG for name, checks in found.items()} == {name: set() for name in games}


def test_it_finds_the_same_forgeries_of_the_ledger(tmp_path: Path) -> None:
    # The program knows the key of the log alone, and passes over every cosignature.
    forged = {name: given for name, given in FORGED_PROOFS.items() if "witnesses" not in given[1]}
    bundles = {name: forge() for name, (forge, _) in forged.items()} | {"none": proven(specimen())}

    found = check(tmp_path, bundles)

    ours = {name: checks for name, (_, checks) in forged.items()} | {"none": set()}
    assert {name: checks & OF_THE_LEDGER for name, checks in found.items()} == {
        name: checks & OF_THE_LEDGER for name, checks in ours.items()
    }


def test_a_file_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.zip").write_bytes(b"none")

    with pytest.raises(GoFailed, match="not a valid zip file"):
        check_bundles(format_note_key(LOG.key), [tmp_path / "none.zip"])
