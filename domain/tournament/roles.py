"""The roles of helpers, and the acts that each of them may do beside the organisers.

A helper is invited by an organiser, joins with an account and a key of its own, and acts as `helper:N` in the log.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.ids import PlayerId, StreamVersion
from domain.log.actors import Actor, ByPlayer, name_actor
from domain.log.rejections import DemandNotMet, UnfitEvent
from domain.tournament import events, ruling_events
from domain.tournament.rejections import AlreadyHelping, HelpersExhausted, InvitationUnfit, NoSuchHelper
from domain.tournament.role_events import HELPERS_MAX, HelperJoined, Role, TableFollowed
from domain.tournament.ruling_events import HelperDismissed, HelperInvited
from domain.tournament.state import Helper, Tournament
from domain.tournament.word_events import Announced, CallAnswered

# Every act of organisers, and the helpers who may do the same.
ROLES: Final[Mapping[type[Struct], frozenset[Role]]] = {
    **dict.fromkeys(
        (
            ruling_events.EntrantAdmitted,
            ruling_events.EntryHanded,
            ruling_events.PairingWished,
            ruling_events.DrawHeld,
            ruling_events.DrawReleased,
            ruling_events.TablesSeated,
            ruling_events.TimeGiven,
            Announced,
            CallAnswered,
        ),
        frozenset[Role]({"arbiter", "desk"}),
    ),
    **dict.fromkeys(
        (
            ruling_events.RoundPaused,
            ruling_events.RoundResumed,
            ruling_events.PointsRuled,
            ruling_events.ResultReplaced,
            ruling_events.GameVoided,
            ruling_events.TableReplayed,
            ruling_events.EntrantRemoved,
            ruling_events.EntrantReturned,
            ruling_events.EntrantExcused,
            events.NoShowTold,
            events.EntriesClosed,
            events.RoundCalled,
            events.CheckInClosed,
            # An organiser who lost the device with the key cannot close the tournament.
            events.TournamentClosed,
        ),
        frozenset[Role]({"arbiter"}),
    ),
    TableFollowed: frozenset[Role]({"commentator"}),
    **dict.fromkeys((HelperInvited, HelperDismissed, events.TournamentAborted), frozenset[Role]()),
}


def find_helper(tournament: Tournament, player: PlayerId) -> int | None:
    """Return the number under which a player helps now, or None."""
    return next(
        (
            number
            for number, helper in enumerate(tournament.helpers)
            if helper.player == player and not helper.is_dismissed
        ),
        None,
    )


def name_author(tournament: Tournament, actor: Actor, event: Struct) -> str:
    """Write the author of an act as its line does: a player who helps does the acts of organisers as that helper."""
    number = find_helper(tournament, actor.player) if isinstance(actor, ByPlayer) and type(event) in ROLES else None
    return name_actor(actor) if number is None else f"helper:{number}"


def list_helpers(tournament: Tournament, event: Struct) -> tuple[str, ...]:
    """List the helpers who may do an act, as a line's `by` states them."""
    allowed = ROLES.get(type(event), frozenset())
    return tuple(
        f"helper:{number}"
        for number, helper in enumerate(tournament.helpers)
        if helper.player is not None and not helper.is_dismissed and helper.role in allowed
    )


def admit_invitation(tournament: Tournament, invited: HelperInvited) -> None:
    """Check that the link is a new one, and that there is room for one more helper."""
    if any(helper.link == invited.link for helper in tournament.helpers):
        raise UnfitEvent(expected="a secret that invites no other helper", found=f"the link {invited.link} again")
    if len(tournament.helpers) >= HELPERS_MAX:
        raise HelpersExhausted(expected=f"at most {HELPERS_MAX} helpers", found="one more")


def invite(tournament: Tournament, invited: HelperInvited, line: StreamVersion) -> Tournament:
    helper = Helper(role=invited.role, link=invited.link, line=line)
    return replace(tournament, helpers=(*tournament.helpers, helper))


def admit_dismissal(tournament: Tournament, dismissed: HelperDismissed) -> None:
    """Check that the helper was invited, and not dismissed since."""
    _require_helper(tournament, dismissed.helper)


def dismiss(tournament: Tournament, dismissed: HelperDismissed, _line: StreamVersion) -> Tournament:
    """End a helper's rights, or an invitation that was not taken."""
    return _with_helper(tournament, dismissed.helper, is_dismissed=True)


def admit_joining(tournament: Tournament, joined: HelperJoined) -> None:
    """Check that the helper's place waits for somebody, and that the player has no other."""
    helper = _require_helper(tournament, joined.helper)
    if helper.player is not None:
        raise AlreadyHelping(expected="an invitation that waits", found=f"helper {joined.helper}, who has joined")
    own = find_helper(tournament, joined.player)
    if own is not None:
        raise AlreadyHelping(expected="a player who does not help yet", found=f"helper {own}")
    if "signed" in tournament.opened.demands and joined.key is None:
        expected = "a key that signs what the helper does, as this tournament demands"
        raise DemandNotMet(expected=expected, found="none")


def require_invited(tournament: Tournament, joined: HelperJoined, invitation: str | None) -> None:
    """Check that a helper joins with the secret of its link. That one was shown, the log does not state."""
    shown = None if invitation is None else sha256(bytes.fromhex(invitation)).hexdigest()
    if shown != _require_helper(tournament, joined.helper).link:
        found = "none" if invitation is None else "another one"
        raise InvitationUnfit(expected="the secret of a link that an organiser gave", found=found)


def join(tournament: Tournament, joined: HelperJoined) -> Tournament:
    return _with_helper(tournament, joined.helper, player=joined.player, key=joined.key)


def _require_helper(tournament: Tournament, number: int) -> Helper:
    helpers = tournament.helpers
    if number >= len(helpers) or helpers[number].is_dismissed:
        found = f"number {number}, {'dismissed' if number < len(helpers) else 'never invited'}"
        raise NoSuchHelper(expected="a helper who was invited and not dismissed", found=found)
    return helpers[number]


def _with_helper(tournament: Tournament, number: int, **changes: object) -> Tournament:
    helpers = tournament.helpers
    changed = replace(helpers[number], **changes)
    return replace(tournament, helpers=(*helpers[:number], changed, *helpers[number + 1 :]))
