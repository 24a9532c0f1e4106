"""The record of ends of a machine: lines are added whole, by any process, and a torn one is no end."""

from pathlib import Path

import pytest

from infra.ends_file import End, EndsFile, EndsFileDamaged

ONE = End(kind="token", key="9f" * 32, at_us=1_795_003_200_000_000)
TWO = End(kind="account", key="0199c0de-0000-7000-8000-0000000000a1", at_us=1_795_003_201_000_000)


def test_an_end_is_added_once_by_several_processes(tmp_path: Path) -> None:
    first, second = EndsFile(tmp_path), EndsFile(tmp_path)

    assert first.add([ONE]) == 1
    assert second.add([ONE, TWO]) == 1
    assert first.add([TWO, ONE]) == 0

    assert EndsFile(tmp_path).read() == {ONE, TWO}
    assert (tmp_path / "ends").read_text().count("\n") == len((ONE, TWO))


def test_a_line_that_was_cut_by_a_loss_of_power_is_no_end_and_is_written_again(tmp_path: Path) -> None:
    EndsFile(tmp_path).add([ONE, TWO])
    whole = (tmp_path / "ends").read_bytes()

    for size in range(len(whole)):
        (tmp_path / "ends").write_bytes(whole[:size])
        assert EndsFile(tmp_path).read() <= {ONE, TWO}
        EndsFile(tmp_path).add([ONE, TWO])

        assert EndsFile(tmp_path).read() == {ONE, TWO}


@pytest.mark.parametrize(
    "line", ["", "token", "token zz 1", "token 9f9f 1", f"Token {'9f' * 32} 1", f"{ONE.key} token 1"]
)
def test_a_line_that_is_no_end_is_named(tmp_path: Path, line: str) -> None:
    EndsFile(tmp_path).add([ONE])
    with (tmp_path / "ends").open("a") as file:
        file.write(f"{line}\n")

    with pytest.raises(EndsFileDamaged, match="line 2"):
        EndsFile(tmp_path).read()
