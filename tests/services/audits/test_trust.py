"""The trust of an audit's reader: a checkpoint is found in every form in which it may have been kept."""

import os
from pathlib import Path

import msgspec
import pytest

from domain.audit.bundle import format_bundle
from domain.audit.tournament_bundle import format_tournament_bundle
from domain.ledger.proof import parse_proof
from services.audits.trust import TrustRefused, read_seen
from tests.domain.audit.audited_game import specimen
from tests.domain.audit.audited_tournament import bundle, cup
from tests.domain.audit.memory_ledger import proven


@pytest.mark.parametrize("kept", ["proof", "game", "tournament"])
def test_a_checkpoint_is_read_from_what_it_was_kept_in(tmp_path: Path, kept: str) -> None:
    game = proven(specimen())
    assert game.last_proof is not None
    raws = {
        "proof": game.last_proof,
        "game": format_bundle(game),
        "tournament": format_tournament_bundle(msgspec.structs.replace(bundle(cup()), last_proof=game.last_proof)),
    }
    path = tmp_path / "kept"
    path.write_bytes(raws[kept])

    assert read_seen(path) == parse_proof(game.last_proof).signed


def test_a_bundle_without_a_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.tournament.zip"
    path.write_bytes(format_tournament_bundle(bundle(cup())))

    with pytest.raises(TrustRefused, match="one without"):
        read_seen(path)


def test_a_checkpoint_is_read_from_a_pipe() -> None:
    kept = proven(specimen()).last_proof
    assert kept is not None
    reader, writer = os.pipe()
    os.write(writer, kept)
    os.close(writer)

    seen = read_seen(Path(f"/dev/fd/{reader}"))

    os.close(reader)
    assert seen == parse_proof(kept).signed
