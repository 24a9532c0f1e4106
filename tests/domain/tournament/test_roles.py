"""Helpers: who may do which act, how one joins, and two who rule on the same at once."""

from itertools import product
from typing import Any, get_args

import pytest

from domain.log.actors import ByPlayer
from domain.log.enact import check_author
from domain.log.rejections import DemandNotMet, NotAllowed, UnfitEvent
from domain.tournament import events, rejections, ruling_events
from domain.tournament.events import INPUT_TYPES
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.role_events import HELPERS_MAX, HelperJoined, Role
from domain.tournament.roles import ROLES, name_author
from domain.tournament.word_events import Announced, OrganiserCalled
from tests.domain.game.game_harness import public_hex, signing_key
from tests.domain.tournament.desk_harness import LINK, SECRET, drawn, rule
from tests.domain.tournament.tournament_harness import ORGA, ORGANISER, Club, player
from tests.services.workers.acts_at_moments import OTHERS, list_attempts

HELPER = ByPlayer(player=player(77))
ROLE_NAMES = get_args(Role)


def invite(club: Club, role: str = "desk", **fields: Any) -> None:
    rule(club, ruling_events.HelperInvited, role=role, **({"link": LINK} | fields))


def join(club: Club, helper: int = 0, key: str | None = None, **fields: Any) -> None:
    invitation = fields.pop("invitation", SECRET)
    actor = fields.pop("actor", HELPER)
    club.do(HelperJoined, actor, helper=helper, player=actor.player, key=key, invitation=invitation)


def helped(role: str) -> Club:
    club = drawn(4)
    invite(club, role)
    join(club)
    return club


def build(club: Club, kind: type[Any]) -> Any:
    """Build an event of a kind; whether it fits is not asked."""
    if kind is events.CheckInClosed:
        return kind(round=1)
    return next(kind(**named) for _, named in list_attempts(club.tournament, kind))


def test_the_table_of_roles_has_every_act_of_organisers_and_no_other() -> None:
    club = drawn(4)
    club.do(OrganiserCalled, ByPlayer(player=player(0)), entrant=0, text="Who was first?")
    kinds = [kind for kind in INPUT_TYPES.values() if kind not in OTHERS]

    by_organisers = {
        kind for kind in kinds if f"organiser:{ORGA}" in TOURNAMENTS.list_authors(club.tournament, build(club, kind))
    }

    assert by_organisers | {events.CheckInClosed} == set(ROLES)


@pytest.mark.parametrize(("role", "kind"), list(product(ROLE_NAMES, ROLES)), ids=str)
def test_a_helper_may_do_exactly_the_acts_of_its_role(role: str, kind: type[Any]) -> None:
    club = helped(role)
    event = build(club, kind)
    by = name_author(club.tournament, HELPER, event)

    is_allowed = True
    try:
        check_author(TOURNAMENTS, club.tournament, event, by)
    except NotAllowed:
        is_allowed = False

    assert by == "helper:0"
    assert is_allowed == (role in ROLES[kind])


def test_only_the_holder_of_the_link_joins_and_once() -> None:
    club = drawn(4)
    invite(club)

    with pytest.raises(rejections.InvitationUnfit):
        join(club, invitation="00" * 32)
    with pytest.raises(rejections.InvitationUnfit):
        join(club, invitation=None)
    with pytest.raises(rejections.NoSuchHelper):
        join(club, helper=1)
    with pytest.raises(UnfitEvent):
        invite(club)
    join(club)
    with pytest.raises(rejections.AlreadyHelping):
        join(club, actor=ByPlayer(player=player(78)))


def test_a_player_helps_in_one_role_at_a_time() -> None:
    club = helped("desk")
    invite(club, "arbiter", link="ab" * 32)

    with pytest.raises(rejections.InvitationUnfit):
        join(club, helper=1)
    assert club.tournament.helpers[1].player is None


def test_a_dismissed_helper_can_do_nothing_more_and_an_invitation_can_be_taken_back() -> None:
    club = helped("arbiter")
    club.do(Announced, HELPER, text="Round two begins.", entrants=())
    rule(club, ruling_events.HelperDismissed, helper=0)

    with pytest.raises(NotAllowed):
        club.do(Announced, HELPER, text="Round three begins.", entrants=())
    with pytest.raises(rejections.NoSuchHelper):
        rule(club, ruling_events.HelperDismissed, helper=0)
    invite(club, link="ab" * 32)
    rule(club, ruling_events.HelperDismissed, helper=1)
    with pytest.raises(rejections.NoSuchHelper):
        join(club, helper=1)


def test_helpers_sign_where_signatures_are_demanded_and_with_their_own_key() -> None:
    club = Club(demands=("signed",), organisers={ORGA: None})
    invite(club)
    key = signing_key(7)

    with pytest.raises(DemandNotMet):
        join(club)
    club.keys = {HELPER: key}
    join(club, key=public_hex(key))
    club.do(Announced, HELPER, text="Welcome.", entrants=())

    assert [(entry.line.by, entry.line.sig is not None) for entry in club.entries[-2:]] == [
        (f"player:{player(77)}", True),
        ("helper:0", True),
    ]


def test_a_tournament_has_no_more_helpers_than_it_may() -> None:
    club = drawn(2)
    for number in range(HELPERS_MAX):
        invite(club, link=f"{number:064x}")

    with pytest.raises(rejections.HelpersExhausted):
        invite(club, link="ff" * 32)


def test_of_two_who_rule_on_the_same_at_once_the_second_is_refused_with_the_ruling_of_the_first() -> None:
    club = helped("arbiter")
    seen = club.tournament.version
    penalty: dict[str, Any] = {"entrant": 2, "round": 1, "points": -10, "reason": "Came late."}
    club.do(ruling_events.PointsRuled, HELPER, **penalty, seen=seen)

    with pytest.raises(rejections.RuledMeanwhile, match="points_ruled about the same by helper:0"):
        club.do(ruling_events.PointsRuled, ORGANISER, **penalty, seen=seen)
    club.do(ruling_events.PointsRuled, ORGANISER, **{**penalty, "entrant": 3}, seen=seen)
    club.do(ruling_events.PointsRuled, HELPER, **penalty, seen=seen)
    club.do(ruling_events.PointsRuled, ORGANISER, **penalty, seen=club.tournament.version)

    assert [change.points_after for ruled in club.tournament.rulings[-4:] for change in ruled.changes] == [
        *(-10, -10, -20, -30),
    ]
