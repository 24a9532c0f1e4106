"""One line of a log and the chain of lines: a fitting line is read, every other is refused."""

from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.canonical import INTEGER_MAX, NESTING_MAX, encode
from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.log.record import (
    AT_MAX_MS,
    GENESIS,
    LINE_SIZE_MAX,
    BadLine,
    BrokenChain,
    Line,
    encode_line,
    format_at,
    line_hash,
    parse_at,
    parse_line,
    read_chain,
)

GAME = StreamId("0199c0de-0000-7000-8000-000000000001")
OTHER_GAME = StreamId("0199c0de-0000-7000-8000-000000000002")
OPENING = Line(
    at="2026-11-18T12:00:00.000Z",
    base=None,
    by="player:0199c0de-0000-7000-8000-0000000000aa",
    command=CommandId(GAME),
    data={"seats": 2, "title": 'a "circus" of é'},
    kind="input",
    prev=GENESIS,
    sig=None,
    stream=GAME,
    type="game_opened",
    version=StreamVersion(1),
)
SEALED = msgspec.structs.replace(
    OPENING,
    at="2026-11-18T12:00:01.250Z",
    base=LineHash("9f" * 32),
    by="seat:1",
    command=CommandId("0199c0de-0000-7000-8000-0000000000c7"),
    data={"decision": "t1/move/1", "seal": "97" * 32, "seat": 1},
    sig="5e" * 64,
    type="action_sealed",
)
STARTED = msgspec.structs.replace(
    OPENING, at=SEALED.at, by="server", command=None, data={"seats": 2}, kind="outcome", type="game_started"
)


def chain(*lines: Line) -> list[bytes]:
    """Encode lines with the version and the prev that each has in this order."""
    raws: list[bytes] = []
    head = GENESIS
    for version, line in enumerate(lines, start=1):
        raws.append(encode_line(msgspec.structs.replace(line, prev=head, version=StreamVersion(version))))
        head = line_hash(raws[-1])
    return raws


def damaged(**fields: object) -> bytes:
    return encode(msgspec.to_builtins(SEALED) | fields)


def test_a_line_has_eleven_keys_in_alphabetical_order() -> None:
    raw = encode_line(OPENING)

    assert raw.decode() == (
        '{"at":"2026-11-18T12:00:00.000Z","base":null,"by":"player:0199c0de-0000-7000-8000-0000000000aa",'
        '"command":"0199c0de-0000-7000-8000-000000000001","data":{"seats":2,"title":"a \\"circus\\" of é"},'
        f'"kind":"input","prev":"{"0" * 64}","sig":null,"stream":"0199c0de-0000-7000-8000-000000000001",'
        '"type":"game_opened","version":1}'
    )


@pytest.mark.parametrize("line", [OPENING, SEALED, STARTED], ids=lambda line: line.type)
def test_a_line_is_parsed_to_what_was_encoded(line: Line) -> None:
    assert parse_line(encode_line(line)) == line


def test_the_hash_of_a_line_is_the_sha256_of_its_bytes() -> None:
    raw = encode_line(OPENING)

    assert line_hash(raw) == sha256(raw).hexdigest()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", "2026-11-18T12:00:00Z"),
        ("at", "2026-11-18T12:00:00.0000Z"),
        ("at", "2026-11-18T12:00:00.000+00:00"),
        ("at", "2026-11-18 12:00:00.000Z"),
        ("at", "2026-11-18T12:00:00.000z"),
        ("at", "2026-02-29T12:00:00.000Z"),
        ("at", "2026-00-18T12:00:00.000Z"),
        ("at", "2026-13-18T12:00:00.000Z"),
        ("at", "2026-11-18T24:00:00.000Z"),
        ("at", "2026-12-31T23:59:60.000Z"),
        ("at", "1969-12-31T23:59:59.999Z"),
        ("at", "3000-01-01T00:00:00.000Z"),
        ("at", "9999-12-31T23:59:59.999Z"),
        ("at", "٢026-11-18T12:00:00.000Z"),
        ("at", "2026-11-18T12:00:00.000Z\n"),
        ("at", None),
        ("at", 0),
        ("by", "seat:12"),
        ("by", "seat:01"),
        ("by", "seat:-1"),
        ("by", "seat:"),
        ("by", "seat:1\n"),
        ("by", "Server"),
        ("by", "player:ada"),
        ("by", "player:0199C0DE-0000-7000-8000-0000000000AA"),
        ("by", "organiser"),
        ("by", "operator:0199c0de"),
        ("by", None),
        ("command", "c7"),
        ("command", "0199c0de-0000-7000-8000-0000000000c7\n"),
        ("command", 7),
        ("data", None),
        ("data", []),
        ("data", {"half": 0.5}),
        ("data", {"deep": [{"half": 0.5}]}),
        ("data", {"many": INTEGER_MAX + 1}),
        ("data", {"é": 1}),
        ("kind", "event"),
        ("kind", None),
        ("prev", "9F" * 32),
        ("prev", "9f" * 31),
        ("prev", "9f" * 33),
        ("prev", None),
        ("sig", "5e" * 63),
        ("sig", "5E" * 64),
        ("sig", ""),
        ("stream", "game"),
        ("stream", None),
        ("type", "ActionSealed"),
        ("type", "action-sealed"),
        ("type", "action__sealed"),
        ("type", "_sealed"),
        ("type", "action_"),
        ("type", "1_sealed"),
        ("type", ""),
        ("type", "a" * 61),
        ("type", 'a","version":1}'),
        ("version", 0),
        ("version", -1),
        ("version", "1"),
        ("version", True),
        ("version", None),
        ("version", INTEGER_MAX + 1),
        ("version", 10**16),
        ("extra", None),
    ],
)
def test_a_field_that_breaks_its_pattern_is_refused(field: str, value: object) -> None:
    with pytest.raises(BadLine):
        parse_line(damaged(**{field: value}))


@pytest.mark.parametrize("field", [*msgspec.to_builtins(SEALED)])
def test_no_field_may_be_missing(field: str) -> None:
    fields = msgspec.to_builtins(SEALED)
    del fields[field]

    with pytest.raises(BadLine):
        parse_line(encode(fields))


@pytest.mark.parametrize(
    "by",
    ["player:" + GAME, "seat:0", "seat:11", "organiser:" + GAME, "operator", "operator:" + GAME, "clock", "server"],
)
def test_an_input_may_be_by_anyone(by: str) -> None:
    assert parse_line(damaged(by=by)).by == by


@pytest.mark.parametrize("type_", ["a", "a1_2b", "a" * 60])
def test_a_type_is_snake_case_of_at_most_60_characters(type_: str) -> None:
    assert parse_line(damaged(type=type_)).type == type_

    with pytest.raises(BadLine):
        parse_line(damaged(type=type_ + "_" + "a" * 60))


@pytest.mark.parametrize("fields", [{"by": "clock"}, {"command": GAME}, {"sig": "5e" * 64}])
def test_an_outcome_is_by_server_without_command_or_signature(fields: dict[str, object]) -> None:
    with pytest.raises(BadLine):
        parse_line(encode(msgspec.to_builtins(STARTED) | fields))


@pytest.mark.parametrize("line", [OPENING, SEALED, STARTED], ids=lambda line: line.type)
def test_every_changed_byte_is_refused_or_changes_the_hash(line: Line) -> None:
    raw = encode_line(line)

    for place in range(len(raw)):
        for change in range(1, 256):
            changed = raw[:place] + bytes([raw[place] ^ change]) + raw[place + 1 :]
            try:
                parsed = parse_line(changed)
            except BadLine:
                continue
            assert encode(parsed) == changed
            assert parsed != line
            assert line_hash(changed) != line_hash(raw)


@pytest.mark.parametrize("line", [OPENING, SEALED, STARTED], ids=lambda line: line.type)
def test_every_cut_of_a_line_is_refused(line: Line) -> None:
    raw = encode_line(line)

    for size in range(len(raw)):
        for cut in (raw[:size], raw[size + 1 :], raw[:size] + raw[size + 1 :] + b" "):
            with pytest.raises(BadLine):
                parse_line(cut)


@pytest.mark.parametrize("around", [(b"", b"\n"), (b" ", b""), (b"\xef\xbb\xbf", b""), (b"", b"\0"), (b"[", b"]")])
def test_nothing_may_stand_around_a_line(around: tuple[bytes, bytes]) -> None:
    before, after = around

    with pytest.raises(BadLine):
        parse_line(before + encode_line(OPENING) + after)


def test_a_line_of_the_largest_size_is_read_and_one_byte_more_is_refused() -> None:
    room = LINE_SIZE_MAX - len(encode_line(msgspec.structs.replace(OPENING, data={"text": ""})))
    largest = msgspec.structs.replace(OPENING, data={"text": "x" * room})
    too_large = msgspec.structs.replace(OPENING, data={"text": "x" * (room + 1)})

    assert len(encode_line(largest)) == LINE_SIZE_MAX

    with pytest.raises(BadLine):
        encode_line(too_large)


def test_data_may_nest_as_deep_as_a_whole_line_may() -> None:
    deepest: dict[str, object] = {}
    for _ in range(NESTING_MAX - 2):
        deepest = {"a": deepest}

    assert parse_line(damaged(data=deepest)).data == deepest

    with pytest.raises(BadLine):
        parse_line(damaged(data={"a": deepest}))


def test_data_that_looks_like_the_end_of_a_line_changes_nothing() -> None:
    tail = '},"kind":"input","prev":"'
    line = msgspec.structs.replace(
        SEALED, data={"a": tail, "b": {}, "kind": "input", "prev": {"a": {}, "kind": "input"}}
    )

    assert parse_line(encode_line(line)) == line


@pytest.mark.parametrize("data", [{"die": 0.5}, {"count": INTEGER_MAX + 1}, {"é": 1}])
def test_what_could_not_be_read_back_is_never_encoded(data: dict[str, object]) -> None:
    line = msgspec.structs.replace(OPENING, data=data)

    with pytest.raises(BadLine):
        encode_line(line)


def test_a_refusal_names_the_field_and_what_was_found() -> None:
    with pytest.raises(BadLine) as refused:
        parse_line(damaged(by="seat:12"))

    assert refused.value.expected.startswith("by to match")
    assert refused.value.found == '"seat:12"'


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("1970-01-01T00:00:00.001Z", 1),
        ("2000-02-29T23:59:59.999Z", 951_868_799_999),
        ("2026-11-18T12:00:00.000Z", 1_795_003_200_000),
        ("2999-12-31T23:59:59.999Z", AT_MAX_MS),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ],
)
def test_known_instants_are_formatted_and_parsed(text: str, ms: int) -> None:
    assert format_at(ms) == text
    assert parse_at(text) == ms


@given(st.integers(0, 253_402_300_799_999))
def test_every_millisecond_survives_a_round_trip(ms: int) -> None:
    assert parse_at(format_at(ms)) == ms


def test_a_chain_is_read_line_by_line_with_its_hashes() -> None:
    raws = chain(OPENING, SEALED, STARTED)

    read = list(read_chain(raws))

    assert [line.type for line, _ in read] == ["game_opened", "action_sealed", "game_started"]
    assert [line_hash for _, line_hash in read] == [sha256(raw).hexdigest() for raw in raws]
    assert [line.prev for line, _ in read] == [GENESIS, *(line_hash for _, line_hash in read[:-1])]


def test_an_empty_stream_is_a_chain() -> None:
    assert list(read_chain([])) == []


@pytest.mark.parametrize(
    ("version", "fields"),
    [
        (1, {"prev": LineHash("9f" * 32)}),
        (1, {"version": StreamVersion(2)}),
        (1, {"stream": OTHER_GAME}),
        (1, {"kind": "outcome", "by": "server", "command": None}),
        (2, {"prev": GENESIS}),
        (2, {"version": StreamVersion(1)}),
        (2, {"version": StreamVersion(3)}),
        (2, {"stream": OTHER_GAME}),
        (2, {"at": "2026-11-18T11:59:59.999Z"}),
        (3, {"at": "2026-11-18T12:00:01.251Z"}),
        (3, {"at": "2026-11-18T12:00:01.249Z"}),
    ],
)
def test_a_line_that_does_not_follow_breaks_the_chain_at_its_version(version: int, fields: dict[str, object]) -> None:
    raws = chain(OPENING, SEALED, STARTED)
    raws[version - 1] = encode_line(msgspec.structs.replace(parse_line(raws[version - 1]), **fields))
    read: list[Line] = []

    with pytest.raises(BrokenChain) as broken:
        read.extend(line for line, _ in read_chain(raws))

    assert broken.value.version == version


def test_a_line_left_out_swapped_or_repeated_breaks_the_chain() -> None:
    opening, sealed, started = chain(OPENING, SEALED, STARTED)

    for order in ([opening, started], [sealed, started], [opening, opening], [opening, started, sealed]):
        with pytest.raises(BrokenChain):
            list(read_chain(order))


def test_a_changed_byte_anywhere_breaks_the_chain_or_changes_its_head() -> None:
    raws = chain(OPENING, SEALED, STARTED)
    *_, (_, head) = read_chain(raws)

    for number, raw in enumerate(raws):
        for place in range(len(raw)):
            changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
            try:
                *_, (_, found) = read_chain([*raws[:number], changed, *raws[number + 1 :]])
            except (BadLine, BrokenChain):
                continue
            assert number == len(raws) - 1
            assert found != head
