"""Damage: bytes flipped, ends cut, logs mutated at random. Nothing raises, and nothing damaged is believed."""

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit.archive import BadArchive
from domain.audit.bundle import format_bundle, parse_bundle
from domain.canonical import encode
from tests.domain.audit.audited_game import audit, broken_in, bundle_of, specimen
from tests.domain.audit.forgery_tools import chained, lines
from tests.domain.game.game_harness import RULES, Table

# Prime, so that it falls on each member of the lines in turn.
STRIDE = 101
TYPES = sorted({line["type"] for line in lines()})


@cache
def short_game() -> tuple[bytes, ...]:
    """Opened, one seat taken and left, aborted: every line that a game can do with."""
    table = Table()
    table.take(0)
    table.leave(0)
    table.abort()
    return tuple(table.raws)


def flipped(log: bytes, place: int, mask: int) -> bytes:
    return log[:place] + bytes([log[place] ^ mask]) + log[place + 1 :]


def audit_log(log: bytes) -> Any:
    return audit(msgspec.structs.replace(bundle_of(()), log=log))


def test_no_flipped_byte_of_a_short_game_is_believed(stride: int) -> None:
    log = bundle_of(short_game()).log

    believed = [place for place in range(0, len(log), stride) if not broken_in(audit_log(flipped(log, place, 1)))]

    assert believed == []


def test_no_flipped_byte_of_a_whole_game_is_believed() -> None:
    log = bundle_of(specimen()).log

    believed = [place for place in range(0, len(log), STRIDE) if not broken_in(audit_log(flipped(log, place, 2)))]

    assert believed == []


def test_no_flipped_byte_of_a_file_is_read_as_a_bundle() -> None:
    raw = format_bundle(bundle_of(specimen()))

    for place in range(len(raw)):
        with pytest.raises(BadArchive):
            parse_bundle(flipped(raw, place, 1 << place % 8))


def test_no_beginning_of_a_file_is_read_as_a_bundle() -> None:
    raw = format_bundle(bundle_of(specimen()))

    for size in range(0, len(raw), 7):
        with pytest.raises(BadArchive):
            parse_bundle(raw[:size])


def test_no_flipped_byte_of_the_components_is_believed() -> None:
    for place in range(len(RULES.components)):
        bundle = bundle_of(specimen(), flipped(RULES.components, place, 1))

        assert "components" in broken_in(audit(bundle))


def test_every_beginning_of_a_game_holds_as_far_as_it_goes() -> None:
    whole = specimen()

    wrong = [
        count
        for count in range(1, len(whole))
        if set(broken_in(audit(bundle_of(whole[:count])))) != ({"ending"} if count == len(whole) - 1 else set())
    ]

    assert wrong == []


@pytest.mark.parametrize(
    "log", [b"", b"\n", b"\n\n\n", b"{}", b"{}\n", b"[" * 70_000 + b"\n", b"\xff\xfe\n", b"\0" * 99]
)
def test_what_is_no_log_makes_findings(log: bytes) -> None:
    verified = audit_log(log)

    assert "form" in broken_in(verified)


def test_an_opening_that_is_an_outcome_makes_findings() -> None:
    first, *rest = lines()
    outcome = first | {"kind": "outcome", "by": "server", "command": None}

    verified = audit(bundle_of(chained([outcome, *rest])))

    assert "chain" in broken_in(verified)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.integers(),
    st.text(max_size=8),
    st.sampled_from(["0" * 64, "a" * 64, "seat:0", "server", "deck:1", "r1/bid/0", *TYPES]),
    st.lists(st.integers(0, 5), max_size=4),
)


@st.composite
def mutated_logs(draw: st.DrawFn) -> bytes:
    """Draw a log with a few lines removed, doubled, moved or changed; often chained again, as an operator would."""
    log = lines()
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(log) - 1))
        match draw(st.sampled_from(["remove", "double", "move", "member", "field", "type"])):
            case "remove" if len(log) > 1:
                del log[place]
            case "double":
                log.insert(draw(st.integers(0, len(log))), log[place])
            case "move":
                log.insert(draw(st.integers(0, len(log) - 1)), log.pop(place))
            case "member":
                log[place] = log[place] | {draw(st.sampled_from(sorted(log[place]))): draw(VALUES)}
            case "type":
                log[place] = log[place] | {
                    "type": draw(st.sampled_from(TYPES)),
                    "kind": draw(st.sampled_from(["input", "outcome"])),
                }
            case _ if log[place]["data"] and isinstance(log[place]["data"], dict):
                field = draw(st.sampled_from(sorted(log[place]["data"])))
                log[place] = log[place] | {"data": log[place]["data"] | {field: draw(VALUES)}}
            case _:
                pass
    raws = chained(log) if draw(st.booleans()) else tuple(encode(fields) for fields in log)
    return b"".join(raw + b"\n" for raw in raws)


@settings(max_examples=150, deadline=None)
@given(mutated_logs())
def test_a_mutated_log_makes_findings_and_no_exception(log: bytes) -> None:
    verified = audit_log(log)

    assert msgspec.json.encode(verified)
    assert not any(
        "Error" in str(finding.result) and finding.check in {"form", "chain"} for finding in verified.report.findings
    )


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_are_no_bundle(raw: bytes) -> None:
    with pytest.raises(BadArchive):
        parse_bundle(raw)
