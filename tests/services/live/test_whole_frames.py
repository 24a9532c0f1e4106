"""Texts framed before they are sent: as the library would frame them, and only for sockets that take them."""

from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from services.live.framed_text import frame_text
from services.live.whole_frames import EXTENSION, find_taker


@pytest.mark.parametrize("size", [0, 1, 125, 126, 2**16 - 1, 2**16])
def test_a_text_is_framed_as_the_library_does_it(size: int) -> None:
    text = b"x" * size

    assert frame_text(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_a_server_that_knows_no_whole_frames_is_sent_none() -> None:
    taker = object()

    scopes: list[Any] = [{"extensions": {"other": {}}}, {"extensions": None}, {"extensions": {EXTENSION: taker}}]

    assert [find_taker(scope) for scope in scopes] == [None, None, taker]
