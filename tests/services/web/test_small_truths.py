"""Small sentences of the pages that would otherwise state too much: of clocks, and of names that are not read yet."""

import pytest

from tests.services.web.node import run

OFFSET = """
const { readOffset } = await import("./parts/caller.js");
const [asked, now] = [given.asked, given.now].map(Date.parse);
console.log(readOffset(new Headers({ date: given.date }), asked, now));
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
    ("asked", "now", "offset_ms"),
    [
        pytest.param("12:00:00.000", "12:00:00.000", 0, id="the same clock"),
        pytest.param("12:00:00.999", "12:00:00.999", 0, id="the same clock late in its second"),
        pytest.param("11:59:58.000", "11:59:58.000", 2_000, id="behind"),
        pytest.param("12:00:03.000", "12:00:03.000", -2_000, id="ahead"),
        pytest.param("11:59:57.500", "12:00:04.000", 0, id="the same clock and a slow answer"),
        pytest.param("12:00:03.000", "12:00:09.000", -2_000, id="ahead and a slow answer"),
    ],
)
def test_a_clock_within_the_second_of_an_answer_is_right(asked: str, now: str, offset_ms: int) -> None:
    given = {"date": DATE, "asked": f"2026-11-20T{asked}Z", "now": f"2026-11-20T{now}Z"}

    assert run(OFFSET, given) == offset_ms


def test_a_driver_is_no_number_before_the_names_are_read() -> None:
    assert run(NAMES) == ["…", "…", True, "Seat 0", "Ada"]
