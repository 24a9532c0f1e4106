"""Looks inside the delay: who may, at which tables, and that no commentator plays."""

from hashlib import sha256
from typing import Any

import pytest

from domain.ids import OrganiserId
from domain.log.actors import ByPlayer
from domain.log.rejections import NotAllowed, UnfitEvent
from domain.tournament import rejections, ruling_events
from domain.tournament.events import EntrantEntered
from domain.tournament.looks import may_look
from domain.tournament.role_events import HelperJoined, TableFollowed
from tests.domain.tournament.desk_harness import drawn, hand, rule, take
from tests.domain.tournament.tournament_harness import ORGA, ORGANISER, Club, player

CARA = ByPlayer(player=player(77))
TABLE = {"round": 1, "table": 1, "attempt": 1}


def commented(count: int = 4, **terms: Any) -> Club:
    club = drawn(count, **({"delay_s": 60} | terms))
    invite(club, CARA)
    return club


def invite(club: Club, guest: ByPlayer) -> None:
    number = len(club.tournament.helpers)
    secret = f"{number:064x}"
    link = sha256(bytes.fromhex(secret)).hexdigest()
    rule(club, ruling_events.HelperInvited, role="commentator", link=link)
    club.do(HelperJoined, guest, helper=number, player=guest.player, key=None, invitation=secret)


def sees(club: Club, table: int = 1) -> tuple[bool, bool]:
    """Return whether the commentator, and the organiser, see the game of a table at once."""
    game = club.table(table).game
    return (
        may_look(club.tournament, game, player=CARA.player, organiser=None),
        may_look(club.tournament, game, player=None, organiser=ORGA),
    )


def test_a_look_is_for_its_author_and_its_table_alone() -> None:
    club = commented()
    club.do(TableFollowed, CARA, **TABLE)
    club.do(TableFollowed, ORGANISER, **(TABLE | {"table": 2}))

    assert (sees(club, 1), sees(club, 2)) == ((True, False), (False, True))
    assert not may_look(club.tournament, club.table(1).game, player=player(1), organiser=OrganiserId("none"))
    assert [(look.by, look.about.table) for look in club.tournament.looks] == [
        ("helper:0", 1),
        (f"organiser:{ORGA}", 2),
    ]


def test_a_table_is_followed_once_and_while_it_waits_for_its_result() -> None:
    club = commented()
    club.do(TableFollowed, CARA, **TABLE)
    club.take(2, 1, 2)

    with pytest.raises(UnfitEvent, match="table 1 again"):
        club.do(TableFollowed, CARA, **TABLE)
    with pytest.raises(rejections.TableSettled):
        club.do(TableFollowed, CARA, **(TABLE | {"table": 2}))
    with pytest.raises(rejections.AttemptOver):
        club.do(TableFollowed, CARA, **(TABLE | {"attempt": 2}))


def test_there_is_no_look_where_there_is_no_delay() -> None:
    club = commented(delay_s=0)

    with pytest.raises(UnfitEvent, match="a tournament with a delay"):
        club.do(TableFollowed, CARA, **TABLE)


def test_a_dismissed_commentator_sees_no_more_than_others_and_a_table_drawn_again_is_another() -> None:
    club = commented()
    club.do(TableFollowed, CARA, **TABLE)
    before = sees(club)
    game = club.table(1).game
    rule(club, ruling_events.TableReplayed, round=1, table=1, attempt=1)
    again = sees(club)
    rule(club, ruling_events.HelperDismissed, helper=0)

    assert (before, again) == ((True, False), (False, False))
    assert not may_look(club.tournament, game, player=CARA.player, organiser=None)
    with pytest.raises(NotAllowed):
        club.do(TableFollowed, CARA, **(TABLE | {"attempt": 2}))


def test_who_entered_or_was_drawn_at_a_table_cannot_comment() -> None:
    club = drawn(4, delay_s=60)
    lost = ByPlayer(player=player(0))
    hand(club, 0, game="goes_on")
    take(club, 0, by=9)

    for guest in (lost, ByPlayer(player=player(1)), ByPlayer(player=player(9))):
        with pytest.raises(rejections.CommentatorPlays):
            invite(club, guest)


def test_a_commentator_cannot_enter_or_go_on_with_an_entry_even_once_dismissed() -> None:
    club = commented()
    entering: dict[str, Any] = {"entrant": 4, "anchor": None, "links": 0, "key": None}
    hand(club, 0)
    rule(club, ruling_events.HelperDismissed, helper=0)

    with pytest.raises(rejections.CommentatorPlays):
        club.do(EntrantEntered, CARA, **entering)
    with pytest.raises(rejections.CommentatorPlays):
        take(club, 0, by=77)
