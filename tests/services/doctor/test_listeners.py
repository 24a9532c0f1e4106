"""The process that has a port, found in tables that change while they are read."""

from pathlib import Path

from services.doctor.machine import find_listener

HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
LISTENING = "   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 77 1\n"
PORT = 0x1F40


def test_a_listener_that_closes_another_file_meanwhile_is_found(tmp_path: Path) -> None:
    files = make_proc(tmp_path)
    for name in ("3", "5", "7"):
        # No link: read as one of a file closed since the folder was.
        (files / name).touch()
    (files / "6").symlink_to("socket:[77]")

    assert find_listener(PORT, tmp_path) == 42


def test_a_listener_that_shows_no_files_is_not_named(tmp_path: Path) -> None:
    make_proc(tmp_path).rmdir()

    assert find_listener(PORT, tmp_path) is None


def make_proc(folder: Path) -> Path:
    """Make the tables of a machine where process 42 listens; return the folder of its files."""
    (folder / "net").mkdir()
    (folder / "net" / "tcp").write_text(HEADER + LISTENING)
    files = folder / "42" / "fd"
    files.mkdir(parents=True)
    return files
