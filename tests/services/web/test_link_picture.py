"""The picture of a moment in the cards of links: a PNG of the board, with each chariot in its place and its colour."""

import struct
import zlib
from itertools import pairwise
from typing import Any

import pytest

from services.web.link_picture.canvas import SIGNATURE, Canvas
from services.web.link_picture.circus import FACTIONS, HEIGHT, PALETTE, ROW_HEIGHT, WIDTH, paint
from services.web.link_picture.scenes import build_scene
from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.test_retelling import RACES, retell

RACE_NAMES = {CHARIOTEER: "charioteer", CHARIOT_RACE: "chariot-race", CHARIOTMASTER: "chariotmaster"}
# Of the disc of a driver on the board.
DISC_PIXELS_MIN = 300
LINES = ["..##..", ".#..#.", ".#..#.", "..##.."]


def read_chunks(raw: bytes) -> dict[bytes, bytes]:
    """Return the chunks of a PNG, each with its checksum compared."""
    assert raw.startswith(SIGNATURE)
    chunks: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at < len(raw):
        (size,) = struct.unpack(">I", raw[at : at + 4])
        kind, body = raw[at + 4 : at + 8], raw[at + 8 : at + 8 + size]
        assert struct.unpack(">I", raw[at + 8 + size : at + 12 + size]) == (zlib.crc32(kind + body),)
        chunks[kind] = body
        at += 12 + size
    return chunks


def read_rows(raw: bytes) -> list[bytes]:
    """Return the colours of a picture as indexes, row by row; none of its rows is filtered."""
    chunks = read_chunks(raw)
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    pixels = zlib.decompress(chunks[b"IDAT"])
    rows = [pixels[start + 1 : end] for start, end in pairwise(range(0, len(pixels) + 1, width + 1))]
    assert len(rows) == height
    assert {pixels[start] for start in range(0, len(pixels), width + 1)} == {0}
    return rows


def test_outlines_are_filled_where_a_point_is_inside_of_one_alone() -> None:
    canvas = Canvas(6, 4, ["ffffff", "000000"])

    canvas.fill("000000", [(1, 0), (5, 0), (5, 4), (1, 4)], [(2, 1), (4, 1), (4, 3), (2, 3)])
    canvas.fill("ffffff", [(1, 0), (2, 0), (2, 1), (1, 1)], [(4, 0), (5, 0), (5, 1), (4, 1)])
    canvas.fill("ffffff", [(-9, 3), (2, 3), (2, 9), (-9, 9)], [(4, 3), (99, 3), (99, 9), (4, 9)])

    assert ["".join(".#"[pixel] for pixel in row) for row in read_rows(canvas.encode())] == LINES


@pytest.mark.parametrize("name", RACES)
def test_every_chariot_is_in_its_colour_on_the_board_and_in_the_row_below(name: str) -> None:
    _, moments, _ = retell(name)
    shown = moments[len(moments) // 2]

    scene = build_scene(RACE_NAMES[name], shown["board"], shown["ranking"])
    assert scene is not None
    rows = read_rows(paint(scene))

    assert (len(rows[0]), len(rows)) == (WIDTH, HEIGHT)
    seen: dict[str, Any] = {
        faction: sum(row.count(PALETTE.index(colour)) for row in rows[: HEIGHT - ROW_HEIGHT])
        for faction, colour in FACTIONS.items()
    }
    assert {faction for faction, pixels in seen.items() if pixels > DISC_PIXELS_MIN} >= {
        chariot.faction for chariot in scene.chariots
    }
    left, top, width, height = scene.box
    assert all(left < x < left + width and top < y < top + height for x, y in (each.at for each in scene.chariots))
    assert [place for place, _ in scene.order] == sorted(place["place"] for place in shown["ranking"])


def test_a_ruleset_without_a_picture_has_no_scene() -> None:
    assert build_scene("torches", {}, []) is None


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("stage", list(RACES), indirect=True)
async def test_the_card_of_a_moment_has_its_picture_and_keeps_the_end_to_itself(stage: Stage) -> None:
    path = f"/games/{stage.golden.id}"
    middle = stage.version // 2

    page = await stage.node.client.get(f"{path}?at={middle}")
    last = await stage.node.client.get(path)
    picture = await stage.node.client.get(f"{path}/picture.png?at={middle}")
    missing = await stage.node.client.get(f"{path}/picture.png?at={stage.version + 1}")

    assert f'{path}/picture.png?at={middle}">' in page.text
    assert "Final order" not in page.text
    assert "Final order" in last.text
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert len(read_rows(picture.content)) == HEIGHT
    assert missing.status_code == 404
