"""Ports are free, outside the range lent to outgoing connections, and kept with the passwords in one file."""

import socket
from pathlib import Path

import msgspec
import pytest

from infra.embedded.credentials import (
    HOST,
    PORTS,
    build_credentials,
    choose_port,
    find_credentials,
    is_free,
    with_free_ports,
    write_credentials,
)

EPHEMERAL_PORTS = Path("/proc/sys/net/ipv4/ip_local_port_range")


def test_what_is_written_is_found_again(tmp_path: Path) -> None:
    credentials = build_credentials()

    write_credentials(tmp_path / "credentials.json", credentials)

    assert find_credentials(tmp_path / "credentials.json") == credentials
    assert find_credentials(tmp_path / "none.json") is None


def test_a_file_cut_short_is_refused_and_not_guessed(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    write_credentials(file, build_credentials())
    whole = file.read_bytes()

    for size in range(len(whole)):
        file.write_bytes(whole[:size])
        with pytest.raises(msgspec.DecodeError):
            find_credentials(file)


def test_a_listening_port_is_not_free() -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]

        assert not is_free(port)
    assert is_free(port)


def test_only_a_taken_port_is_replaced() -> None:
    known = build_credentials()

    with socket.create_server((HOST, known.valkey_port)):
        found = with_free_ports(known)

    assert found.postgres_port == known.postgres_port
    assert found.valkey_port not in (known.valkey_port, known.postgres_port)
    assert with_free_ports(known) == known


def test_a_chosen_port_is_never_one_that_is_lent_to_outgoing_connections() -> None:
    first_lent = 32768 if not EPHEMERAL_PORTS.exists() else int(EPHEMERAL_PORTS.read_text().split()[0])

    chosen = {choose_port(()) for _ in range(50)}

    assert all(port in PORTS and port < first_lent for port in chosen)
