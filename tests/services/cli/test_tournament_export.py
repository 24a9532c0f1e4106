"""`spina tournament export`: a server and a bundle give the same bytes, and what does not hold is not printed."""

from itertools import product
from pathlib import Path

import msgspec
import pytest

from domain.audit.tournament_bundle import format_tournament_bundle, parse_tournament_bundle
from services.reading.tournaments.export_kinds import ExportFormat, ExportPart
from tests.services.cli.tournament_session import Cup
from tests.services.cli.tournament_terminal import Hall, invoke


@pytest.mark.parametrize(("format_", "part", "at"), list(product(ExportFormat, ExportPart, (None, 20))))
def test_a_bundle_gives_the_bytes_of_the_server_at_every_version(
    hall: Hall, cup: Cup, tmp_path: Path, format_: str, part: str, at: int | None
) -> None:
    asked = ["--format", format_, "--part", part, *([] if at is None else ["--at", str(at)])]
    served, made = tmp_path / "served", tmp_path / "made"

    at_server = hall.spina("export", cup.id, *asked, "--to", str(served))
    offline = invoke("tournament", "export", "--bundle", str(cup.bundle), *asked, "--to", str(made))

    assert (at_server.out, offline.out) == (f"{served}\n", f"{made}\n")
    assert served.read_bytes() == made.read_bytes()
    moment = {} if at is None else {"at": at}
    assert served.read_bytes() == hall.fetch(f"/v1/tournaments/{cup.id}/export", format=format_, part=part, **moment)


def test_without_a_file_it_is_printed(cup: Cup) -> None:
    ended = invoke("tournament", "export", "--bundle", str(cup.bundle), "--format", "csv")

    assert ended.out.startswith('"place","entrant","player","name","points","wins",')
    assert ',"\'=Bob",' in ended.out


@pytest.mark.parametrize("given", [(), ("0199c0de-0000-7000-8000-00000000c0b0", "--bundle", "cup.tournament.zip")])
def test_it_is_either_a_server_or_a_bundle(given: tuple[str, ...]) -> None:
    ended = invoke("tournament", "export", *given)

    assert ended.code == 2
    assert "expected a tournament or a --bundle" in ended.err


def test_a_version_that_there_is_not_is_told_alike(hall: Hall, cup: Cup) -> None:
    at_server = hall.spina("export", cup.id, "--at", "9999")
    offline = invoke("tournament", "export", "--bundle", str(cup.bundle), "--at", "9999")

    assert (at_server.code, offline.code) == (1, 1)
    assert at_server.sentence.startswith("no-such-version (404): expected a version from 1 to ")
    assert offline.sentence.startswith("expected a version from 1 to ")


def test_a_log_that_was_changed_is_not_printed(cup: Cup, tmp_path: Path) -> None:
    forged = tmp_path / "forged.tournament.zip"
    bundle = parse_tournament_bundle(cup.bundle.read_bytes())
    forged.write_bytes(
        format_tournament_bundle(msgspec.structs.replace(bundle, log=bundle.log.replace(b'"points":7', b'"points":9')))
    )

    ended = invoke("tournament", "export", "--bundle", str(forged))

    assert (ended.code, ended.out) == (1, "")
    assert ended.sentence.startswith("expected a log that holds, found line ")


@pytest.mark.parametrize("content", [b"", b"PK", b"place,name\r\n"])
def test_what_is_no_bundle_is_told(tmp_path: Path, content: bytes) -> None:
    other = tmp_path / "other.zip"
    other.write_bytes(content)

    ended = invoke("tournament", "export", "--bundle", str(other))

    assert (ended.code, ended.out) == (1, "")
