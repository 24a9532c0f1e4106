"""The form of signed notes: the published ones are read and written, and nothing else comes back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.note import (
    NOTE_SIGNATURES_MAX,
    NOTE_SIZE_MAX,
    Note,
    NoteSignature,
    format_note,
    format_signatures,
    parse_note,
    parse_signatures,
)
from domain.ledger.spelling import Misspelt

LINE = (
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
EXAMPLE = ("This is an example message.\n\n" + LINE).encode()


def test_the_published_note_is_read_and_written_again() -> None:
    note = parse_note(EXAMPLE)

    assert note.text == "This is an example message.\n"
    assert [(line.name, line.key_id.hex(), len(line.payload)) for line in note.signatures] == [
        ("example.com/foo", "530d903a", 64)
    ]
    assert format_note(note) == EXAMPLE


def test_the_last_blank_line_of_a_note_ends_its_text() -> None:
    raw = ("one\n\n\ntwo\n\n\n" + LINE).encode()

    assert parse_note(raw).text == "one\n\n\ntwo\n\n"
    assert format_note(parse_note(raw)) == raw


def test_a_text_may_be_one_empty_line() -> None:
    assert parse_note(("\n\n" + LINE).encode()).text == "\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        LINE,
        "\n" + LINE,
        "text\n" + LINE,
        "text\n\n",
        "text\n\n" + LINE[:-1],
        "text\n\n" + LINE + "\n",
        "text\n\n" + LINE + LINE[:-1],
        "text\n\n" + LINE + "\n" + LINE[2:],
        "text\n\n" + LINE.replace("— ", "—"),
        "text\n\n" + LINE.replace("— ", "- "),
        "text\n\n" + LINE.replace("— ", "-- "),
        "text\n\n" + LINE.replace("— ", " — "),
        "text\n\n" + LINE.replace("— ", "—  "),
        "text\n\n" + LINE.replace("foo ", "foo  "),
        "text\n\n" + LINE.replace("foo ", "foo"),
        "text\n\n" + LINE.replace("foo", "f+o"),
        "text\n\n" + LINE.replace("foo", "f\u00a0o"),
        "text\n\n" + LINE.replace("example.com/foo", ""),
        "text\n\n" + LINE.replace("=\n", "\n"),
        "text\n\n" + LINE.replace("=\n", "= \n"),
        "text\n\n" + LINE.replace("M=\n", "N=\n"),
        "text\n\n— foo AAAAAA==\n",
        "text\n\n— foo AAAA\n",
        "text\n\n— foo \n",
        "text\n\n— foo\n",
        "te\txt\n\n" + LINE,
        "text\r\n\n" + LINE,
        "text\0\n\n" + LINE,
        "text\x1f\n\n" + LINE,
    ],
)
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(Misspelt):
        parse_note(text.encode())


@pytest.mark.parametrize("octets", [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"])
def test_bytes_that_are_not_utf8_are_refused(octets: bytes) -> None:
    with pytest.raises(Misspelt):
        parse_note(octets + EXAMPLE)


def test_every_changed_byte_is_refused_or_another_note() -> None:
    note = parse_note(EXAMPLE)

    for place in range(len(EXAMPLE)):
        for change in range(1, 256):
            changed = EXAMPLE[:place] + bytes([EXAMPLE[place] ^ change]) + EXAMPLE[place + 1 :]
            try:
                found = parse_note(changed)
            except Misspelt:
                continue
            assert format_note(found) == changed
            assert found != note


def test_every_cut_is_refused_or_another_text() -> None:
    for size in range(len(EXAMPLE)):
        with pytest.raises(Misspelt):
            parse_note(EXAMPLE[:size])
        try:
            found = parse_note(EXAMPLE[size + 1 :])
        except Misspelt:
            continue
        assert found.text != parse_note(EXAMPLE).text


def test_a_note_has_at_most_100_signatures_and_a_million_bytes() -> None:
    text = "text\n\n"
    most = (text + LINE * NOTE_SIGNATURES_MAX).encode()
    filler = "a" * (NOTE_SIZE_MAX - len(EXAMPLE))

    assert len(parse_note(most).signatures) == NOTE_SIGNATURES_MAX
    assert len(parse_note(filler.encode() + EXAMPLE).text) == len(filler) + len("This is an example message.\n")
    with pytest.raises(Misspelt):
        parse_note(most + LINE.encode())
    with pytest.raises(Misspelt):
        parse_note(b"b" + filler.encode() + EXAMPLE)


def test_signature_lines_are_read_alone_too() -> None:
    assert format_signatures(parse_signatures(LINE + LINE)) == LINE + LINE

    for text in ("", "\n", LINE[:-1], "\n" + LINE, LINE + "\n"):
        with pytest.raises(Misspelt):
            parse_signatures(text)


LINES = st.lists(
    st.builds(
        NoteSignature,
        name=st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="+"), min_size=1),
        key_id=st.binary(min_size=4, max_size=4),
        payload=st.binary(min_size=1, max_size=80),
    ),
    min_size=1,
    max_size=4,
)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n")), LINES)
def test_every_note_is_read_back(text: str, signatures: list[NoteSignature]) -> None:
    note = Note(text=text + "\n", signatures=tuple(signatures))

    assert parse_note(format_note(note)) == note
