"""Checkpoints: the published one is read and written, and every damage is refused or another checkpoint."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.checkpoint import (
    CHECKPOINT_SIZE_MAX,
    Checkpoint,
    format_checkpoint,
    format_signed_checkpoint,
    parse_checkpoint,
    parse_signed_checkpoint,
)
from domain.ledger.merkle import EMPTY_ROOT
from domain.ledger.spelling import NUMBER_MAX, Misspelt
from tests.domain.ledger.published import CHECKPOINT, ROOTS

TEXT = "example.com/board-log\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n"
ROOT = "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg="
EMPTY = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_the_published_checkpoint_is_read_and_written_again() -> None:
    signed = parse_signed_checkpoint(CHECKPOINT)

    assert signed.checkpoint == Checkpoint(origin="example.com/board-log", tree_size=8, root=ROOTS[8])
    assert format_checkpoint(signed.checkpoint) == signed.note.text == TEXT
    assert format_signed_checkpoint(signed) == CHECKPOINT


def test_extension_lines_are_kept() -> None:
    text = TEXT + "Timestamp: 1\n— looks like a signature\n"

    assert parse_checkpoint(text).extensions == ("Timestamp: 1", "— looks like a signature")
    assert format_checkpoint(parse_checkpoint(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        TEXT[:-1],
        TEXT + "\n",
        "\n" + TEXT,
        TEXT + "\nextension\n",
        TEXT + "extension",
        f"\n8\n{ROOT}\n",
        f"origin\n\n8\n{ROOT}\n",
        f"origin\n{ROOT}\n8\n",
        "origin\n8\n",
        f"origin\n08\n{ROOT}\n",
        f"origin\n 8\n{ROOT}\n",
        f"origin\n-8\n{ROOT}\n",
        f"origin\n{NUMBER_MAX + 1}\n{ROOT}\n",
        f"origin\n8\n{ROOT} \n",
        f"origin\n8\n{ROOT[:-1]}\n",
        f"origin\n8\n{ROOT[:40]}\n",
        f"origin\n0\n{ROOT}\n",
        f"ori\tgin\n8\n{ROOT}\n",
        f"origin\r\n8\n{ROOT}\n",
        "o" * CHECKPOINT_SIZE_MAX + f"\n8\n{ROOT}\n",
    ],
)
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(Misspelt):
        parse_checkpoint(text)


def test_the_empty_tree_has_its_own_root_alone() -> None:
    assert parse_checkpoint(f"origin\n0\n{EMPTY}\n") == Checkpoint(origin="origin", tree_size=0, root=EMPTY_ROOT)


def test_every_changed_or_cut_byte_is_refused_or_another_checkpoint() -> None:
    checkpoint = parse_checkpoint(TEXT)

    for place in range(len(TEXT)):
        changes = [TEXT[:place], TEXT[place + 1 :], TEXT[:place] + TEXT[place + 1 :]]
        changes += [TEXT[:place] + chr(other) + TEXT[place + 1 :] for other in range(256) if chr(other) != TEXT[place]]
        for changed in changes:
            try:
                found = parse_checkpoint(changed)
            except Misspelt:
                continue
            assert format_checkpoint(found) == changed
            assert found != checkpoint


LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)


@given(LINE, st.integers(1, NUMBER_MAX), st.binary(min_size=32, max_size=32), st.lists(LINE, max_size=3))
def test_every_checkpoint_is_read_back(origin: str, tree_size: int, root: bytes, extensions: list[str]) -> None:
    checkpoint = Checkpoint(origin=origin, tree_size=tree_size, root=root, extensions=tuple(extensions))

    assert parse_checkpoint(format_checkpoint(checkpoint)) == checkpoint
