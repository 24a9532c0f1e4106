"""One example for every operation, as one story: Ada opens a game of two, both sit down, get ready and play.

A test sends each of them to a server, as it stands here.
"""

from typing import Any

import msgspec

from domain.ids import GameId, LineHash, StreamId, StreamVersion, TournamentId
from domain.log.record import GENESIS, Line
from services.commands.arena import Answer

GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
TOURNAMENT = TournamentId(StreamId("0199c0de-0000-7000-8000-00000000c0b0"))
ADA = "0199c0de-0000-7000-8000-00000000001a"
ORGANISER = "0199c0de-0000-7000-8000-0000000000f0"
# Ada's links, made from 32 bytes of 11: the anchor and the two links after it.
ANCHOR = "92e0a35289d095d9735271b9cf36d733db8547326f7b0699be2b1cd1a74b3c80"
FIRST_LINK = "221032a318229d70fdb02c07009735b685b2ec3df368dd11e4ed6b476bbb92fd"
SECOND_LINK = "b6e2fe5f502c66e278ae1ca3f478b8597067a0d5bf3c3e2ee211bd1275f73f51"
SALT = "33" * 32
# The SHA-256 over game, seat, decision, salt and the canonical action below.
SEAL = "ba605e0a2e5ff166af9e390777ba5b7055ecdd49299b2300e8c9b21ac734a501"
# Two cards of the hand are put away for a fresh start. An action has all its fields.
RESET = {"cards": [0, 1], "discard": None, "kind": "reset"}


def _command(number: int) -> dict[str, Any]:
    return {"command": f"0199c0de-0000-7000-9000-{number:012d}"}


TOKEN_EXAMPLE = {
    "id": "0199c0de-0000-7000-8000-0000000000a0",
    "kind": "token",
    "name": "Bot at home",
    "scopes": ["read", "play"],
    "created_at": "2026-11-18T12:00:00Z",
    "ends_at": "2027-02-16T12:00:00Z",
    "is_this": False,
}
ADD_TOKEN_EXAMPLE = {"name": "Bot at home", "scopes": ["read", "play"], "days": 90}
REVOKE_EXAMPLE = {"tokens": [TOKEN_EXAMPLE["id"]]}
WAY_EXAMPLE = {
    "id": "0199c0de-0000-7000-8000-0000000000b0",
    "kind": "webhook",
    "name": "My bot",
    "address": "bot.example",
    "kinds": ["your_turn", "game_over"],
    "quiet": {"start": "22:00", "end": "07:30", "zone": "Europe/Rome"},
    "created_at": "2026-11-18T12:00:00Z",
    "failing_since": None,
    "failing_reason": None,
    "end_reason": None,
    "is_proven": False,
}
CHANGE_WAY_EXAMPLE = {"way": WAY_EXAMPLE["id"], "name": "My bot", "kinds": ["your_turn"], "quiet": None}
ADD_WAY_EXAMPLE = {
    "name": "My bot",
    "kinds": ["your_turn", "game_over"],
    "quiet": None,
    "to": {"kind": "webhook", "url": "https://bot.example/notices"},
}
# The public key of an example in RFC 8292.
PUSH_KEY_EXAMPLE = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
CODE = "4k2mz-9xw3t-h7bqd-0vr6e"
SIGN_IN_EXAMPLE = {"secret": CODE}
SIGNED_IN_EXAMPLE = {"id": ADA, "name": "Ada", "role": "player"}
REGISTER_EXAMPLE = {"name": "Ada"}
ACCOUNT_EXAMPLE = {"role": "player", "id": ADA, "name": "Ada", "scopes": ["account", "play", "read"]}
PLAYER_EXAMPLE = {"id": ADA, "name": "Ada", "token": "spina_shown-once-and-kept-by-you-alone"}
OPEN_EXAMPLE = {
    "command": GAME,
    "ruleset": "charioteer@1",
    "seats": 2,
    "options": {"laps": 1},
    "clock": {"per_decision_ms": 60_000, "bank_ms": 600_000},
    "visibility": "public",
    "delay_s": 0,
    "demands": ["links"],
    "organisers": {ORGANISER: None},
}
TAKE_EXAMPLE = {**_command(1), "seat": 0, "anchor": ANCHOR, "links": 1024, "key": None}
READY_EXAMPLE = {**_command(2), "seat": 0, "nonce": FIRST_LINK}
CALL_EXAMPLE = {**_command(12), "seat": 1, "to": {"kind": "house", "bot": "strategic"}}
INVITE_EXAMPLE = {**_command(13), "seat": 1, "to": {"kind": "link", "hash": "ab" * 32}}
REMATCH_EXAMPLE = {**_command(14)}
LEAVE_EXAMPLE = {**_command(3), "seat": 0}
RESIGN_EXAMPLE = {**_command(4), "seat": 0}
SEAL_EXAMPLE = {**_command(5), "seat": 0, "decision": "t1/move/0", "seal": SEAL}
ENTRUST_EXAMPLE = {
    **_command(6),
    "seat": 0,
    "decision": "t1/move/0",
    "action": RESET,
    "salt": SALT,
    "nonce": SECOND_LINK,
}
REVEAL_EXAMPLE = {
    **_command(7),
    "seat": 0,
    "decision": "t1/move/0",
    "action": RESET,
    "salt": SALT,
    "nonce": SECOND_LINK,
}
# Of a game of Chariot Race, where everything is decided in the open.
PLAY_EXAMPLE = {
    **_command(8),
    "seat": 0,
    "decision": "r1/blue/reroll/1",
    "action": {"kind": "pass"},
    "nonce": SECOND_LINK,
}
EXTEND_EXAMPLE = {
    **_command(9),
    "ruling": "clock_extended",
    "seats": [0, 1],
    "ms": 300_000,
    "reason": "The lights went out in the hall.",
}
REMOVE_EXAMPLE = {**_command(10), "ruling": "seat_removed", "seat": 1, "reason": "Did not come back from the break."}
ABORT_EXAMPLE = {**_command(11), "reason": "The hall had to be cleared."}
RECLAIM_EXAMPLE = {**_command(15), "seat": 0}
CONSENT_EXAMPLE = {**_command(16), "seat": 0, "to": "pause"}
WITHDRAW_CONSENT_EXAMPLE = {**_command(17), "seat": 0, "to": "pause"}
END_PAUSE_EXAMPLE = {**_command(18), "seat": 0}
PREVIEW_EXAMPLE = {"seat": 0, "decision": "t1/move/0", "action": RESET}
PREVIEWED_EXAMPLE = {"version": 9, "effect": {"kind": "reset", "damage_removed": 0, "attack_boxes_emptied": 2}}

ANSWER_EXAMPLE = Answer(
    game=GAME,
    first_version=StreamVersion(2),
    last_version=StreamVersion(2),
    head=LineHash("9f02" * 16),
    at="2026-11-18T12:00:00.000Z",
)
TERMS_EXAMPLE: dict[str, Any] = {
    "ruleset": {"components": "ab" * 32, "name": "charioteer", "version": 1},
    "seats": 2,
    "options": {"disrupt": "2-1-1", "first_turn": "outside", "laps": 1, "several_whips": "each", "turns_max": 400},
    "clock": {"per_decision_ms": 60_000, "bank_ms": 600_000},
    "visibility": "public",
    "delay_s": 0,
    "demands": ["links"],
    "organisers": {ORGANISER: None},
    "ledger": "localhost/spina",
    "commit": "b249f260fd6e018acfb0be28f7542533ece3dda9520e55ea8b52062383c66ddc",
    "anchors": ["461bb83a811394550f1627f0daa00589bb31262cfce1bceb1b7b91a4dc601a5c"],
    "leaf_key": "55" * 32,
}
LINE_EXAMPLE = msgspec.to_builtins(
    Line(
        at="2026-11-18T12:00:00.000Z",
        base=None,
        by=f"player:{ADA}",
        command=GAME,  # type: ignore[arg-type]  # a game's id is the id of the command that opened it
        data=TERMS_EXAMPLE,
        kind="input",
        prev=GENESIS,
        sig=None,
        stream=GAME,
        type="game_opened",
        version=StreamVersion(1),
    )
)
GAME_EXAMPLE = {
    "id": GAME,
    "ruleset": "charioteer@1",
    "version": 1,
    "head": "9f02" * 16,
    "at": "2026-11-18T12:00:00.000Z",
    "status": "open",
    "is_complete": True,
    "opened_by": f"player:{ADA}",
    "terms": TERMS_EXAMPLE,
    "your_seat": None,
    "seats": [{"status": "vacant", "seat": 0, "offer": None}, {"status": "vacant", "seat": 1, "offer": None}],
    "owed": [],
    "choices": {},
    "sealed": [],
    "ranking": None,
    "paused_until": None,
    "board": None,
}
LISTED_EXAMPLE = {
    "id": GAME,
    "ruleset": "charioteer@1",
    "status": "open",
    "version": 1,
    "seats": 2,
    "taken": [{"seat": 0, "player": ADA, "name": "Ada"}],
    "clock": {"per_decision_ms": 60_000, "bank_ms": 600_000, "increment_ms": 0},
    "delay_s": 0,
    "opened_by": f"player:{ADA}",
    "opened_at": "2026-11-18T12:00:00.000Z",
    "started_at": None,
    "ended_at": None,
    "last_at": "2026-11-18T12:00:00.000Z",
    "turn": None,
    "laps": None,
    "winners": [],
}
SENTENCE_EXAMPLE = {
    "version": 1,
    "at": "2026-11-18T12:00:00.000Z",
    "text": "The game is opened for 2 seats.",
    "weight": "plain",
    "player": None,
}
RECORD_EXAMPLE = {
    "id": ADA,
    "name": "Ada",
    "is_bot": False,
    "games": 3,
    "finished": 2,
    "unfinished": 1,
    "opened": {"games": 2, "finished": 1, "aborted": 1, "organised": 0, "signed": 0},
    "rulesets": [
        {
            "ruleset": "charioteer@1",
            "games": 3,
            "finished": 2,
            "places": [{"place": 1, "count": 2}],
            "open": 0,
            "running": 1,
            "aborted": 0,
            "left": 0,
        }
    ],
}
PLAYED_EXAMPLE = {
    "game": GAME,
    "ruleset": "charioteer@1",
    "seat": 0,
    "result": "running",
    "place": None,
    "departure": None,
    "rivals": [{"player": "0199c0de-0000-7000-8000-00000000001b", "seat": 1, "place": None}],
    "visibility": "public",
    "opened_at": "2026-11-18T12:00:00.000Z",
    "taken_at": "2026-11-18T12:00:00.000Z",
    "started_at": "2026-11-18T12:00:00.000Z",
    "ended_at": None,
}
OWN_GAME_EXAMPLE = {
    "game": GAME,
    "ruleset": "charioteer@1",
    "status": "running",
    "version": 9,
    "visibility": "public",
    "seat": 0,
    "is_offered": False,
    "is_your_turn": True,
    "is_handed": False,
    "owes": ["t1/move/0"],
    "deadline": "2026-11-18T12:01:00.000Z",
    "waits_for": [0, 1],
    "players": [{"seat": 0, "player": ADA, "name": "Ada", "house": None}],
    "opened_at": "2026-11-18T12:00:00.000Z",
    "last_at": "2026-11-18T12:00:00.000Z",
    "rematch_of": None,
    "tournament": None,
    "place": None,
}
OWN_OFFER_EXAMPLE = {
    "game": GAME,
    "ruleset": "charioteer@1",
    "version": 1,
    "visibility": "private",
    "seat": 1,
    "seats": 2,
    "sender": ADA,
    "sender_name": "Ada",
    "players": [{"seat": 0, "player": ADA, "name": "Ada", "house": None}],
    "offered_at": "2026-11-18T12:00:00.000Z",
    "rematch_of": None,
}
RULESETS_EXAMPLE = {
    "items": [
        {
            "ruleset": "charioteer@1",
            "words": {"title": "Charioteer", "turn": "turn", "sentences": {"turn_began": "Turn {turn} begins."}},
            "components": "ab" * 32,
            "boxes": [{"name": "First printing", "components": "cd" * 32}],
            "bots": ["random", "longest", "strategic"],
            "seats_min": 2,
            "seats_max": 6,
            "options": {"type": "object", "properties": {"laps": {"type": "integer", "minimum": 1, "maximum": 3}}},
            "board": {"type": "object"},
            "choices": {"type": "object"},
            "actions": {"type": "object"},
            "previews": {"type": "object"},
        }
    ],
    "verdicts": {"sentences": {"first": "{outcome?{outcome|@outcome}|No game can be read in it.}"}},
    "next": None,
    "tournament_words": {"tie_breaks": {"wins": "first places"}},
}
AUDIT_EXAMPLE = {
    "path": f"{GAME}.spina.zip",
    "exit_code": 3,
    "verdict": "Charioteer was not over at line 1, 2026-11-18 at 12:03 UTC: no winner yet. "
    "Whether it can be believed cannot be told yet: some checks need the end of the game.",
    "why": None,
    "refusal": None,
    "report": {
        "game": GAME,
        "ruleset": "charioteer@1",
        "status": "open",
        "lines": 1,
        "verdict": {
            "kind": "untold",
            "outcome": {
                "status": "open",
                "title": "Charioteer",
                "line": 1,
                "date": "2026-11-18",
                "time": "12:03",
            },
        },
        "people": [],
        "findings": [
            {
                "check": "chain",
                "claim": "Every line carries the hash of the line before, its place, and a time no earlier.",
                "result": {"verdict": "held", "seen": "1 lines"},
            },
            {
                "check": "secret",
                "claim": "The disclosed secret is the one committed to in the first line.",
                "result": {"verdict": "not_checkable_yet", "reason": "the secret of the game is not disclosed yet"},
            },
        ],
        "assurances": [{"name": "links", "is_demanded": True, "is_kept": False, "told": "0 of 0 seats brought links"}],
        "contributions": [],
    },
}
