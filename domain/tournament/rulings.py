"""All kinds of rulings: one more is an event in `ruling_events.py`, a row here, and its words in `domain/sentences`."""

from collections.abc import Mapping
from typing import Final

from domain.tournament import roles
from domain.tournament import ruled_draws as draws
from domain.tournament import ruled_entries as entries
from domain.tournament import ruled_pauses as pauses
from domain.tournament import ruled_results as results
from domain.tournament import ruled_times as times
from domain.tournament import ruling_events as events
from domain.tournament.ruling_events import RulingEvent
from domain.tournament.ruling_kind import AnyRulingKind, RulingKind

RULINGS: Final[Mapping[type[RulingEvent], AnyRulingKind]] = {
    events.PointsRuled: RulingKind(admit=results.admit_points, apply=results.grant_points),
    events.ResultReplaced: RulingKind(admit=results.admit_replacement, follow=results.follow_replacement),
    events.GameVoided: RulingKind(admit=results.admit_void, follow=results.follow_void),
    events.TableReplayed: RulingKind(
        admit=results.admit_replay, apply=results.reopen_round, follow=results.follow_replay
    ),
    events.EntrantRemoved: RulingKind(admit=entries.admit_removal, apply=entries.remove),
    events.EntrantAdmitted: RulingKind(admit=entries.admit_admission, apply=entries.take_in),
    events.EntrantReturned: RulingKind(admit=entries.admit_return, apply=entries.take_back),
    events.EntrantExcused: RulingKind(admit=entries.admit_excuse, apply=entries.excuse),
    events.EntryHanded: RulingKind(admit=entries.admit_handing, apply=entries.hand),
    events.PairingWished: RulingKind(admit=draws.admit_wish, apply=draws.keep_wish),
    events.DrawHeld: RulingKind(admit=draws.admit_hold, apply=draws.hold),
    events.DrawReleased: RulingKind(admit=draws.admit_release, apply=draws.release),
    events.TablesSeated: RulingKind(admit=draws.admit_seating, apply=draws.clear_byes, follow=draws.follow_seating),
    events.TimeGiven: RulingKind(admit=times.admit_time, apply=times.give_time),
    events.RoundPaused: RulingKind(admit=pauses.admit_pause, apply=pauses.pause),
    events.RoundResumed: RulingKind(admit=pauses.admit_resumption, apply=pauses.resume),
    events.HelperInvited: RulingKind(admit=roles.admit_invitation, apply=roles.invite),
    events.HelperDismissed: RulingKind(admit=roles.admit_dismissal, apply=roles.dismiss),
}
