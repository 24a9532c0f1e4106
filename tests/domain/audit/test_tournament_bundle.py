"""The bundle of a tournament: one spelling, and no member that its log does not name."""

import msgspec
import pytest

from domain.audit.archive import BadArchive, Member, format_archive
from domain.audit.bundle import parse_bundle
from domain.audit.reading import split_log
from domain.audit.tournament_bundle import (
    GameMember,
    format_names,
    format_tournament_bundle,
    is_tournament_log,
    list_games,
    parse_tournament_bundle,
    read_names,
)
from domain.ids import GameId, PlayerId, StreamId
from tests.domain.audit.audited_game import bundle_of, specimen
from tests.domain.audit.audited_tournament import bundle, cup
from tests.peak import peak_of

STRANGER = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
TRIES = 3


def test_what_was_written_is_read() -> None:
    whole = msgspec.structs.replace(
        bundle(cup()), last_proof=b"proof", first_seat_proof=b"first", policy=b"policy", names=b"{}"
    )

    raw = format_tournament_bundle(whole)

    assert parse_tournament_bundle(raw) == whole
    assert format_tournament_bundle(parse_tournament_bundle(raw)) == raw


def test_games_stand_in_the_order_in_which_their_tables_were_drawn() -> None:
    found = bundle(cup())

    assert list_games(found.log) == list(cup().games)


def test_a_game_can_be_taken_out_and_read_alone() -> None:
    found = parse_tournament_bundle(format_tournament_bundle(bundle(cup())))

    assert parse_bundle(found.games[2].raw).log.startswith(b'{"at"')


def test_a_game_that_was_not_opened_may_be_missing() -> None:
    found = bundle(cup())
    part = msgspec.structs.replace(found, games=found.games[1:3])

    assert parse_tournament_bundle(format_tournament_bundle(part)) == part


@pytest.mark.parametrize("at", [0, 30, 1_000, -30])
def test_a_changed_byte_is_refused(at: int) -> None:
    raw = bytearray(format_tournament_bundle(bundle(cup())))
    raw[at] ^= 1

    with pytest.raises(BadArchive):
        parse_tournament_bundle(bytes(raw))


def test_a_game_that_the_log_does_not_tell_of_is_refused() -> None:
    found = bundle(cup())
    raw = format_tournament_bundle(
        msgspec.structs.replace(found, games=(*found.games, GameMember(game=STRANGER, raw=b"PK")))
    )

    with pytest.raises(BadArchive):
        parse_tournament_bundle(raw)


def test_games_in_another_order_are_refused() -> None:
    found = bundle(cup())
    raw = format_tournament_bundle(msgspec.structs.replace(found, games=found.games[::-1]))

    with pytest.raises(BadArchive):
        parse_tournament_bundle(raw)


@pytest.mark.parametrize("raw", [b"", b"PK", format_archive([Member(name="HOWTO.txt", body=b"")])])
def test_what_is_no_bundle_is_refused(raw: bytes) -> None:
    with pytest.raises(BadArchive):
        parse_tournament_bundle(raw)


def test_a_log_shows_of_which_kind_its_bundle_is() -> None:
    assert is_tournament_log(bundle(cup()).log)
    assert not is_tournament_log(bundle_of(specimen()).log)
    assert not is_tournament_log(b"")


def test_names_come_back_as_they_were_and_nothing_in_them_reaches_a_terminal() -> None:
    ada = PlayerId("0199c0de-0000-7000-8000-000000000000")
    named = msgspec.structs.replace(bundle(cup()), names=format_names({ada: "Ada\x1b[2J"}))

    assert read_names(parse_tournament_bundle(format_tournament_bundle(named))) == {ada: "Ada\\x1b[2J"}
    assert read_names(bundle(cup())) == {}


@pytest.mark.parametrize("names", [b"", b"[]", b'{"a":1}', b"\xff", b"[" * 10_000])
def test_names_that_are_none_are_refused(names: bytes) -> None:
    with pytest.raises(BadArchive):
        read_names(msgspec.structs.replace(bundle(cup()), names=names))


def test_lines_without_number_are_passed_one_at_a_time() -> None:
    log = b"{}\n" * 50_000

    # A thread of the test's own runner may take some of it meanwhile.
    peaks = (peak_of(lambda: (list_games(log), split_log(log, lines_max=10))) for _ in range(TRIES))

    assert any(peak < 100_000 for peak in peaks)
