"""`spina losses`: a lost game as the bot saw it, from a file that `spina practice` wrote."""

from pathlib import Path

import msgspec
import pytest
import typer

from domain.canonical import encode
from services.cli.losses import losses
from services.practice.guest import Sight
from services.practice.losses import list_changes
from services.practice.practice import Practised, write_loss

BOARDS = ({"turn": 1, "chariots": [{"front": 3}, {"front": 4}]}, {"turn": 1, "chariots": [{"front": 3}, {"front": 9}]})
CHOICES = {"kind": "move", "speeds": [5, 6]}


def keep_loss(folder: Path, *, fault: str | None = None) -> Path:
    action = {"kind": "move", "speed": 5}
    sights = tuple(
        Sight(board=msgspec.Raw(encode(board)), choices=msgspec.Raw(encode(CHOICES)), action=action) for board in BOARDS
    )
    places = () if fault else (1, 2)
    return write_loss(folder, Practised(number=12, seat=1, decisions=2, places=places, fault=fault, sights=sights))


def test_a_lost_game_is_shown_decision_by_decision_with_the_changes_between(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    losses(keep_loss(tmp_path))

    assert capsys.readouterr().out.splitlines() == [
        '    1 move: {"kind":"move","speed":5}',
        "      chariots.1.front 9",
        '    2 move: {"kind":"move","speed":5}',
        "seat 1 of the bot: 1. seat 0, 2. seat 1",
    ]


def test_one_decision_is_shown_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    losses(keep_loss(tmp_path, fault="ZeroDivisionError"), at=2)

    printed = capsys.readouterr().out
    assert "decision 2 of 2, as seat 1 saw it" in printed
    assert all(text in printed for text in ('chariots: [{"front":3},{"front":9}]', "speeds: [5,6]", "speed: 5"))


@pytest.mark.parametrize(("text", "at", "expected"), [(None, 3, "from 1 to 2, found 3"), (b"{}", None, "another file")])
def test_another_file_or_decision_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes | None, at: int | None, expected: str
) -> None:
    lost = keep_loss(tmp_path)
    if text is not None:
        lost.write_bytes(text)

    with pytest.raises(typer.Exit) as ended:
        losses(lost, at=at)

    assert ended.value.exit_code == 1
    assert expected in capsys.readouterr().err


def test_a_list_that_grew_is_one_change() -> None:
    assert list_changes({"a": [1], "b": 2}, {"a": [1, 2], "b": 2, "c": None}) == [("a", [1, 2])]
