"""A bundle replayed: the public's view, a seat's view at that time, and how far a damaged log can be replayed."""

from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from domain.audit.moments import Moment, NotReplayable, replay_moments
from domain.ids import Seat
from domain.log.entry import as_stored
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import BUILDERS, bundle_of, specimen
from tests.domain.audit.forgery_tools import chained, lines, places
from tests.domain.audit.test_damage import mutated_logs


def moments(raws: tuple[bytes, ...], seat: int | None = None) -> list[Moment]:
    return list(replay_moments(bundle_of(raws), Rebuilder(BUILDERS), None if seat is None else Seat(seat)))


@cache
def views(seat: int | None, *, as_seen_by: int | None) -> tuple[Any, ...]:
    """Replay for one viewer and show the board to another."""
    told = moments(specimen(), seat)
    viewer = None if as_seen_by is None else Seat(as_seen_by)
    return tuple(
        as_stored(sentence.game.ruleset.view(sentence.game.board, viewer)) for sentence in told if sentence.game.board
    )


def test_every_line_is_a_moment() -> None:
    told = moments(specimen())

    assert [sentence.entry.raw for sentence in told] == list(specimen())
    assert [sentence.game.version for sentence in told] == list(range(1, len(specimen()) + 1))


def test_the_public_sees_the_same_with_and_without_the_secret() -> None:
    assert views(0, as_seen_by=None) == views(None, as_seen_by=None)


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    hands = [place["hand"] for place in views(1, as_seen_by=1)[20]["places"]]

    assert all(face is not None for _, face in hands[1])
    assert all(face is None for hand in (hands[0], hands[2]) for _, face in hand)


def test_without_the_secret_no_seats_view_is_told() -> None:
    with pytest.raises(NotReplayable, match="once the secret is disclosed"):
        moments(specimen()[:40], seat=1)


def test_nobody_is_asked_while_outcomes_follow() -> None:
    told = moments(specimen())

    incomplete = [each for each, after in pairwise(told) if after.entry.line.kind == "outcome"]
    assert incomplete
    assert not any(moment.is_complete or moment.game.is_settled for moment in incomplete)


def test_a_damaged_log_is_told_up_to_the_damage() -> None:
    log = lines()
    version = places("bid_shown")[0]
    log[version - 1]["data"] = {}
    told: list[Moment] = []

    with pytest.raises(NotReplayable) as refused:
        told += iter(replay_moments(bundle_of(chained(log)), Rebuilder(BUILDERS), None))

    assert refused.value.version == version
    assert len(told) == version - 1


@settings(max_examples=60, deadline=None)
@given(mutated_logs())
def test_a_mutated_log_is_told_or_refused(log: bytes) -> None:
    bundle = msgspec.structs.replace(bundle_of(()), log=log)

    told: list[Moment] = []
    with suppress(NotReplayable):
        told += iter(replay_moments(bundle, Rebuilder(BUILDERS), None))

    assert [sentence.entry.raw for sentence in told] == log.splitlines()[: len(told)]
