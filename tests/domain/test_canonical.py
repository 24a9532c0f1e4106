"""Canonical bytes: one spelling in, the same spelling out, and nothing else."""

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.canonical import INTEGER_MAX, NESTING_MAX, Json, NotCanonical, check_value, encode, parse

ASCII_KEYS = st.text(st.characters(max_codepoint=0x7F), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ASCII_KEYS, inner, max_size=4), max_leaves=20
)


@given(VALUES)
def test_the_bytes_are_those_of_rfc_8785(value: Json) -> None:
    assert encode(value) == rfc8785.dumps(value)


@given(VALUES)
def test_what_was_encoded_is_parsed_to_the_same_value(value: Json) -> None:
    check_value(value)

    assert parse(encode(value)) == value


def test_every_character_is_escaped_as_rfc_8785_says() -> None:
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))

    assert encode(every) == rfc8785.dumps(every)


def test_keys_are_sorted_and_spaces_dropped_as_in_the_published_vector() -> None:
    value = {
        "1": {"f": {"f": "hi", "F": 5}, "\n": 56},
        "10": {},
        "": "empty",
        "a": {},
        "111": [{"e": "yes", "E": "no"}],
        "A": {},
    }

    raw = encode(value)

    assert raw == b'{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}'


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"1.0",
        b"1.5",
        b"1e3",
        b"[1E30]",
        b"-0",
        b"01",
        b"+1",
        b"NaN",
        b"Infinity",
        b"9007199254740992",
        b'{"a":[-9007199254740992]}',
        b"1" * 60,
        b"1" * 5_000,
        b'{"a":1,"a":1}',
        b'{"a":1,"a":2}',
        b'{"b":1,"a":2}',
        b'{"\xc3\xa9":1}',
        b'{"\\u00e9":1}',
        b'"\\ud800"',
        b'"\\udc00\\ud800"',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b'"\\u00e9"',
        b'"\\/"',
        b'"\\u000A"',
        b'"\\u000a"',
        b'"\n"',
        b" 1",
        b"1 ",
        b"1\n",
        b"[1, 2]",
        b"[1,]",
        b"\xef\xbb\xbf1",
        b"1 2",
        b"[" * (NESTING_MAX + 1) + b"]" * (NESTING_MAX + 1),
        b'{"a":' * (NESTING_MAX + 1) + b"1" + b"}" * (NESTING_MAX + 1),
        b"[" * 200_000 + b"]" * 200_000,
    ],
    ids=lambda raw: repr(raw[:24]),
)
def test_every_other_spelling_is_refused(raw: bytes) -> None:
    with pytest.raises(NotCanonical):
        parse(raw)


@pytest.mark.parametrize(
    "raw",
    [
        b"9007199254740991",
        b"-9007199254740991",
        b"0",
        b'"1234567890123456789012345678901234567890"',
        b"[" * NESTING_MAX + b"]" * NESTING_MAX,
        b"[" + b"[]," * 100 + b"[]]",
        '{"a":"é😂"}'.encode(),
        b'"\\u001f\\b\\f\\n\\r\\t\\"\\\\/\x7f"',
    ],
)
def test_what_is_just_within_the_limits_is_parsed(raw: bytes) -> None:
    assert encode(parse(raw)) == raw


@given(VALUES, st.data())
def test_a_changed_byte_never_gives_the_same_value(value: Json, data: st.DataObject) -> None:
    raw = bytearray(encode(value))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))

    try:
        parsed = parse(bytes(raw))
    except NotCanonical:
        return

    assert encode(parsed) == bytes(raw)
    assert encode(parsed) != encode(value)


def test_a_refusal_says_what_was_expected_what_was_found_and_where() -> None:
    with pytest.raises(NotCanonical) as refused:
        parse(b'{"a":1, "b":2}')

    assert refused.value.offset == 7
    assert refused.value.expected == ascii(',"b":2}')
    assert refused.value.found == ascii(', "b":2}')


def test_what_is_longer_than_its_canonical_form_is_expected_to_end() -> None:
    with pytest.raises(NotCanonical) as refused:
        parse(b"[1] ")

    assert (refused.value.expected, refused.value.found) == ("its end", "'] '")


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        INTEGER_MAX + 1,
        -(10**5_000),
        b"bytes",
        {1: 2},
        {"é": 1},
        {"\ud800": 1},
        ["\ud800"],
        {"a": {1, 2}},
        (1, 2),
        object(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_outside_the_schema_is_refused(value: object) -> None:
    with pytest.raises(NotCanonical):
        check_value(value)


def test_a_value_nested_too_deep_is_refused_however_deep_it_is() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]

    with pytest.raises(NotCanonical):
        check_value(value)
