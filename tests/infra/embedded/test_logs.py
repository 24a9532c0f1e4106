"""Logs are kept for a few starts and never grow without bound."""

from pathlib import Path

from infra.embedded.logs import LOG_SIZE_MAX, LOGS_KEPT, cut_when_large, rotate, tail


def test_each_start_begins_a_new_file_and_keeps_the_last_ones(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    for start in range(6):
        rotate(log)
        log.write_text(f"start {start}")

    found = {path.name: path.read_text() for path in tmp_path.iterdir()}

    assert found == {
        "postgres.log": "start 5",
        "postgres.log.1": "start 4",
        "postgres.log.2": "start 3",
        "postgres.log.3": "start 2",
    }
    assert len(found) == 1 + LOGS_KEPT


def test_a_running_servers_log_is_cut_and_goes_on_from_the_start(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    with log.open("ab", buffering=0) as server:
        server.write(b"x" * LOG_SIZE_MAX)

        cut_when_large(log)
        server.write(b"after")

    assert log.read_bytes() == b"after"
    assert (tmp_path / "postgres.log.1").stat().st_size == LOG_SIZE_MAX


def test_a_small_log_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    log.write_bytes(b"x" * (LOG_SIZE_MAX - 1))

    cut_when_large(log)

    assert [path.name for path in tmp_path.iterdir()] == ["postgres.log"]


def test_an_error_quotes_the_last_lines(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    log.write_text("\n".join(f"line {number}" for number in range(1000)))

    assert tail(log).splitlines() == [f"line {number}" for number in range(994, 1000)]
    assert tail(tmp_path / "none") == ""
