"""Small sentences of the pages that would otherwise state too much: of clocks, and of names that are not read yet."""

import pytest

from tests.services.web.node import run

OFFSET = """
const { readOffset } = await import("./parts/api.js");
console.log(readOffset(new Headers({ date: given.date }), Date.parse(given.now)));
"""
NAMES = """
const { awaitNames, inSeat, seat, setNames } = await import("./parts/names.js");
awaitNames();
const before = [seat(0), inSeat(1)];
const isOther = setNames({ 1: "Ada" });
console.log(JSON.stringify([...before, isOther, seat(0), inSeat(1)]));
"""
DATE = "Fri, 20 Nov 2026 12:00:00 GMT"


@pytest.mark.parametrize(
    ("now", "offset_ms"),
    [
        pytest.param("2026-11-20T12:00:00.000Z", 0, id="the same clock"),
        pytest.param("2026-11-20T12:00:00.999Z", 0, id="the same clock late in its second"),
        pytest.param("2026-11-20T11:59:58.000Z", 2_000, id="behind"),
        pytest.param("2026-11-20T12:00:03.000Z", -2_000, id="ahead"),
    ],
)
def test_a_clock_within_the_told_second_is_right(now: str, offset_ms: int) -> None:
    assert run(OFFSET, {"date": DATE, "now": now}) == offset_ms


def test_a_driver_is_no_number_before_the_names_are_read() -> None:
    assert run(NAMES) == ["…", "…", True, "Seat 0", "Ada"]
