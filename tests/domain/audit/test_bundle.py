"""Bundles: one spelling, which any zip program opens, and nothing that another zip program would make."""

import io
import zipfile
from collections.abc import Callable
from struct import pack
from typing import Any

import msgspec
import pytest

from domain.audit.archive import BadArchive, Member, format_archive
from domain.audit.bundle import (
    FORMAT_BODY,
    LOG_SIZE_MAX,
    Bundle,
    UnknownFormat,
    bundle_name,
    format_bundle,
    parse_bundle,
)
from domain.audit.record_bundle import parse_record_bundle
from domain.audit.tournament_bundle import parse_tournament_bundle
from tests.domain.audit.audited_game import bundle_of, specimen
from tests.domain.game.game_harness import GAME

BUNDLE = bundle_of(specimen())
RAW = format_bundle(BUNDLE)


def with_proofs() -> Bundle:
    return msgspec.structs.replace(BUNDLE, last_proof=b"a\n", first_seat_proof=b"b\n", policy=b"c\n")


def archived(*members: tuple[str, bytes]) -> bytes:
    return format_archive([Member(name=name, body=body) for name, body in members])


def bundled(*members: tuple[str, bytes]) -> bytes:
    return archived(("format", FORMAT_BODY), *members)


def zipped(**options: Any) -> bytes:
    """Make the archive as another program would."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", **options) as archive:
        for name, body in (("log.ndjson", BUNDLE.log), ("components.json", b"{}"), ("HOWTO.txt", b"")):
            archive.writestr(name, body)
    return raw.getvalue()


def test_a_member_is_spelled_as_in_the_example() -> None:
    raw = archived(("a", b"hi"))

    assert raw.hex() == (
        "504b0304140000000000000021" + "00ac2a93d802000000020000000100000061" + "6869"
        "504b01021400140000000000000021" + "00ac2a93d80200000002000000010000000000000000000000000000000000" + "61"
        "504b05060000000001000100" + "2f00000021000000" + "0000"
    )


@pytest.mark.parametrize("bundle", [BUNDLE, with_proofs()])
def test_what_is_written_is_read_again(bundle: Bundle) -> None:
    raw = format_bundle(bundle)

    assert parse_bundle(raw) == bundle
    assert format_bundle(bundle) == raw


def test_any_zip_program_opens_a_bundle() -> None:
    with zipfile.ZipFile(io.BytesIO(format_bundle(with_proofs()))) as archive:
        names = archive.namelist()
        damaged = archive.testzip()
        log = archive.read("log.ndjson")

    assert damaged is None
    parts = ["log.ndjson", "components.json", "last.tlog-proof", "first-seat.tlog-proof", "policy", "HOWTO.txt"]
    assert names == ["format", *parts]
    assert log == BUNDLE.log


def test_the_howto_names_the_file_and_the_command() -> None:
    text = BUNDLE.howto.decode()

    assert f"spina verify {bundle_name(GAME)}" in text


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "a zip"),
        (RAW[:-1], "at byte"),
        (RAW.replace(b'"delay_s":0', b'"delay_s":9'), "log.ndjson with the checksum"),
        (RAW + b"x", "at byte"),
        (b"x" + RAW, "a zip"),
        (archived(("log.ndjson", b""), ("HOWTO.txt", b"")), "as next member format"),
        (archived(("format", b"spina/bundle/v01\n")), "the format spina/bundle/v1"),
        (archived(("format", b"")), "the format spina/bundle/v1"),
        (bundled(("log.ndjson", b""), ("HOWTO.txt", b"")), "the member components.json"),
        (bundled(("components.json", b""), ("log.ndjson", b"")), "the member log.ndjson"),
        (bundled(("log.ndjson", b""), ("log.ndjson", b"")), "as next member"),
        (bundled(("/log.ndjson", b"")), "as next member"),
        (bundled(("../log.ndjson", b"")), "as next member"),
        (bundled(("log.ndjson", b""), ("components.json", b""), ("notes", b"")), "as next member"),
        (bundled(("log.ndjson", b""), ("components.json", bytes(1_000_001)), ("HOWTO.txt", b"")), "at most"),
        (zipped(), "a plain stored member"),
        (zipped(compression=zipfile.ZIP_DEFLATED), "a plain stored member"),
    ],
)
def test_another_archive_is_refused(raw: bytes, expected: str) -> None:
    with pytest.raises(BadArchive) as refused:
        parse_bundle(raw)

    assert expected in refused.value.expected
    assert refused.value.found


@pytest.mark.parametrize(
    ("offset", "size"),
    [(14, 2**32 - 1), (18, LOG_SIZE_MAX + 1), (22, 2**31), (26, 0xFFFF), (28, 4), (6, 1), (6, 8), (8, 8), (10, 1)],
)
def test_a_header_that_lies_is_refused(offset: int, size: int) -> None:
    width = 4 if offset in {14, 18, 22} else 2
    lying = RAW[:offset] + pack("<I" if width == 4 else "<H", size) + RAW[offset + width :]

    with pytest.raises(BadArchive):
        parse_bundle(lying)


@pytest.mark.parametrize("read", [parse_bundle, parse_record_bundle, parse_tournament_bundle])
def test_a_bundle_of_another_edition_is_told_from_one_that_is_damaged(read: Callable[[bytes], object]) -> None:
    raw = archived(("format", b"spina/bundle/v2\n"), ("parts", b"of which nothing is known"))

    with pytest.raises(UnknownFormat, match="expected the format spina/bundle/v1, found 'spina/bundle/v2'"):
        read(raw)
