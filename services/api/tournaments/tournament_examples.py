"""One example for every operation of tournaments, as one story of two entrants.

A test sends each of them to a server, as it stands here.
"""

from hashlib import sha256
from typing import Any

from domain.ids import LineHash, StreamVersion
from services.api.http.examples import ADA, ANCHOR, FIRST_LINK, GAME, LINE_EXAMPLE, ORGANISER, TOURNAMENT
from services.commands.tournaments import TournamentAnswer


def _command(number: int) -> dict[str, Any]:
    return {"command": f"0199c0de-0000-7000-a000-{number:012d}"}


def _ruling(number: int, kind: str, reason: str, **fields: Any) -> dict[str, Any]:
    return {**_command(number), "ruling": kind, **fields, "reason": reason}


_TABLE: dict[str, Any] = {"round": 1, "table": 1, "attempt": 1}
_SIZES = {"min": 2, "max": 2, "preferred": 2}
_CLOCK = {"per_decision_ms": 60_000, "bank_ms": 600_000}
# The secret of a link, which only the hash of is logged.
HANDED_SECRET = "5e" * 32
HANDED_LINK = sha256(bytes.fromhex(HANDED_SECRET)).hexdigest()
INVITED_SECRET = "4e" * 32
INVITED_LINK = sha256(bytes.fromhex(INVITED_SECRET)).hexdigest()
_FORMAT = {"kind": "score", "rounds": 3}

OPEN_EXAMPLE = {
    "command": TOURNAMENT,
    "name": "Consualia",
    "ruleset": "charioteer@1",
    "format": _FORMAT,
    "tables": _SIZES,
    "options": {"laps": 1},
    "clock": _CLOCK,
    "demands": ["links"],
    "entries_max": 64,
    "check_in_ms": 600_000,
    "sit_down_ms": 300_000,
}
ENTER_EXAMPLE = {**_command(1), "entrant": 0, "anchor": ANCHOR, "links": 1024, "key": None}
WITHDRAW_EXAMPLE = {**_command(2), "entrant": 0}
CALL_EXAMPLE = {**_command(3), "round": 1}
CHECK_IN_EXAMPLE = {**_command(4), "entrant": 0, "round": 1, "nonce": FIRST_LINK}
CLOSE_ENTRIES_EXAMPLE = _command(5)
# Every kind but a no-show, which needs a game that waits; in an order in which each can be sent after the one before.
RULING_EXAMPLES: tuple[dict[str, Any], ...] = (
    _ruling(6, "points_ruled", "Came late twice.", entrant=0, round=1, points=-10),
    _ruling(21, "time_given", "The lights were out.", round=1, table=None, minutes=10),
    _ruling(30, "round_paused", "The hall is evacuated.", round=1),
    _ruling(31, "round_resumed", "It was a false alarm.", round=1),
    _ruling(
        7,
        "result_replaced",
        "Both told the judges so.",
        **_TABLE,
        ranking=[{"place": 1, "seat": 1}, {"place": 2, "seat": 0}],
    ),
    _ruling(13, "table_replayed", "Who was at the phone is not known.", **_TABLE),
    _ruling(
        20,
        "tables_seated",
        "The hall closes this corner.",
        round=1,
        tables=[{"table": 1, "attempt": 2, "entrants": []}],
    ),
    _ruling(12, "game_voided", "A stranger played on her phone.", **{**_TABLE, "attempt": 2}),
    _ruling(17, "pairing_wished", "They are brother and sister.", entrants=[0, 1], wish="apart_if_possible"),
    _ruling(18, "draw_held", "We look at the tables first.", round=2),
    _ruling(19, "draw_released", "The tables are as they should be.", round=2),
    _ruling(15, "entrant_excused", "She is on the train until nine.", entrant=1, round=2, points=30),
    _ruling(16, "entry_handed", "His phone is broken.", entrant=0, link=HANDED_LINK, game="again"),
    _ruling(27, "helper_invited", "Bea sits at the desk tonight.", role="desk", link=INVITED_LINK),
    _ruling(28, "helper_dismissed", "Bea went home.", helper=0),
    _ruling(8, "entrant_removed", "Played under two names.", entrant=1),
    _ruling(11, "entrant_returned", "They were sisters.", entrant=1),
)
# Each of these can be previewed as things stand after a draw.
PREVIEWED_EXAMPLES = (*RULING_EXAMPLES[:2], RULING_EXAMPLES[4])
CONTINUE_EXAMPLE = {
    **_command(22),
    "entrant": 0,
    "anchor": "7a" * 32,
    "links": 1024,
    "key": None,
    "invitation": HANDED_SECRET,
}
JOIN_EXAMPLE = {**_command(29), "helper": 0, "key": None, "invitation": INVITED_SECRET}
LOOK_EXAMPLE = {**_command(32), "round": 1, "table": 1, "attempt": 1}
SKIP_EXAMPLE = {**_command(23), "entrant": 0, "round": 1}
CALL_ORGANISER_EXAMPLE = {**_command(24), "entrant": 0, "text": "We differ on who was ready first."}
ANSWER_CALL_EXAMPLE = {**_command(25), "line": 4, "text": "I am on my way."}
ANNOUNCE_EXAMPLE = {**_command(26), "entrants": [], "text": "Round two begins at nine."}
CLOSE_EXAMPLE = {**_command(9), "reason": "The hall closes at ten."}
ABORT_EXAMPLE = {**_command(10), "reason": "The hall had to be cleared."}

ANSWER_EXAMPLE = TournamentAnswer(
    tournament=TOURNAMENT,
    first_version=StreamVersion(2),
    last_version=StreamVersion(2),
    head=LineHash("9f02" * 16),
    at="2026-11-18T12:00:00.000Z",
)
TERMS_EXAMPLE: dict[str, Any] = {
    "name": "Consualia",
    "ruleset": {"components": "ab" * 32, "name": "charioteer", "version": 1},
    "options": {"disrupt": "2-1-1", "first_turn": "outside", "laps": 1, "several_whips": "each", "turns_max": 400},
    "clock": _CLOCK,
    "delay_s": 0,
    "demands": ["links"],
    "organisers": {ORGANISER: None},
    "format": _FORMAT,
    "tables": _SIZES,
    "points": {"2": [60, 0]},
    "bye_points": 30,
    "tie_breaks": ["wins", "opponents", "last_round", "lot"],
    "entries_max": 64,
    "check_in_ms": 600_000,
    "sit_down_ms": 300_000,
    "ledger": "localhost/spina",
    "commit": "b249f260fd6e018acfb0be28f7542533ece3dda9520e55ea8b52062383c66ddc",
    "anchors": ["461bb83a811394550f1627f0daa00589bb31262cfce1bceb1b7b91a4dc601a5c"],
    "leaf_key": "55" * 32,
}
_RULED: dict[str, Any] = {
    "line": 9,
    "type": "points_ruled",
    "by": f"organiser:{ORGANISER}",
    "reason": "Came late twice.",
    "changes": [{"entrant": 0, "points_before": 60, "points_after": 50}],
    "round": 1,
    "table": None,
    "entrant": 0,
    "points": -10,
    "entrants": [],
    "at": "2026-11-18T12:30:00.000Z",
    "attempt": None,
    "scored": [],
    "scored_before": [],
    "by_name": "Orga",
    "told": "Orga took 10 points from Ada in round 1. Reason: Came late twice. Points changed: Ada 60 → 50.",
}
TOURNAMENT_EXAMPLE: dict[str, Any] = {
    "id": TOURNAMENT,
    "version": 1,
    "head": "9f02" * 16,
    "at": "2026-11-18T12:00:00.000Z",
    "name": "Consualia",
    "ruleset": "charioteer@1",
    "status": "open",
    "opened_by": f"organiser:{ORGANISER}",
    "terms": TERMS_EXAMPLE,
    "entries": 0,
    "are_entries_closed": False,
    "takes_entries": True,
    "is_complete": False,
    "is_witnessed": False,
    "round": 0,
    "round_status": None,
    "rulings": [_RULED],
    "announcements": [
        {
            "line": 12,
            "at": "2026-11-18T12:40:00.000Z",
            "by": f"organiser:{ORGANISER}",
            "by_name": "Orga",
            "text": "Round two begins at nine.",
            "entrants": [],
        }
    ],
    "calls": [
        {
            "entrant": 0,
            "player": ADA,
            "name": "Ada",
            "line": 13,
            "at": "2026-11-18T12:41:00.000Z",
            "text": "We differ on who was ready first.",
            "answer": None,
            "answered_by": None,
        }
    ],
    "wishes": [{"entrants": [0, 1], "kind": "apart_if_possible", "line": 14}],
    "held_round": 0,
    "paused_at": None,
    "helpers": [
        {
            "helper": 0,
            "role": "desk",
            "player": ADA,
            "name": "Ada",
            "key": None,
            "link": INVITED_LINK,
            "line": 15,
            "is_dismissed": False,
        }
    ],
    "looks": [
        {
            "line": 16,
            "at": "2026-11-18T12:42:00.000Z",
            "by": "helper:0",
            "by_name": "Ada",
            "round": 1,
            "table": 1,
            "attempt": 1,
        }
    ],
}
RULING_PREVIEW_EXAMPLE: dict[str, Any] = {
    "tournament": TOURNAMENT,
    "version": 13,
    "ruling": {
        **_RULED,
        "line": 14,
        "type": "no_show_told",
        "reason": "Went home.",
        "attempt": 1,
        "changes": [{"entrant": 0, "points_before": 0, "points_after": 60}],
        "table": 1,
        "entrant": None,
        "points": None,
        "entrants": [1],
        "told": "Orga told Bea absent from round 1, table 1. Reason: Went home. Points changed: Ada 0 → 60.",
    },
    "warnings": [],
    "outcomes": [
        {
            "type": "walkover_given",
            "data": {**_TABLE, "absent": [1], "entrants": [0], "points": 60},
            "told": "Too few are left at round 1, table 1: Ada walks over and has 60 points.",
        }
    ],
}
LISTED_EXAMPLE: dict[str, Any] = {
    "id": TOURNAMENT,
    "version": 1,
    "name": "Consualia",
    "ruleset": "charioteer@1",
    "format": "score",
    "status": "open",
    "entries": 0,
    "entries_max": 64,
    "round": 0,
    "opened_by": f"organiser:{ORGANISER}",
    "opened_at": "2026-11-18T12:00:00.000Z",
    "last_at": "2026-11-18T12:00:00.000Z",
    "leaders": [],
}
_WHO = {"entrant": 0, "player": ADA, "name": "Ada"}
_OF = {"tournament": TOURNAMENT, "version": 6}
_ATTENDANCE = {"from_round": 1, "missed": [], "no_shows": [], "is_checked_in": False, "is_handed": False}
_TEAM = {"letter": "A", "name": "Albata"}
ENTRANTS_EXAMPLE = {
    **_OF,
    "items": [
        {**_WHO, **_ATTENDANCE, "left": None, "team": _TEAM, "key": None, "last_link": ANCHOR, "links_left": 1024}
    ],
}
STANDINGS_EXAMPLE = {
    **_OF,
    "rounds": 1,
    "is_final": False,
    "items": [
        {
            **_WHO,
            "place": 1,
            "progress": [],
            "points": 60,
            "tie_breaks": [{"name": "wins", "value": 1}, {"name": "opponents", "value": 0}],
            "rounds": [60],
            "left": None,
            "team": _TEAM,
        }
    ],
    "teams": [{**_TEAM, "place": 1, "points": 60, "entrants": [_WHO]}],
}
_SEAT = {**_WHO, "seat": 0, "score": 0, "lot": 1_234, "lateness": 0}
PAIRINGS_EXAMPLE = {
    **_OF,
    "items": [
        {
            "round": 1,
            "status": "playing",
            "until": "2026-11-18T12:10:00.000Z",
            "waiting": [],
            "tables": [
                {
                    **{name: _TABLE[name] for name in ("table", "attempt")},
                    "game": GAME,
                    "status": "awaited",
                    "seats": [_SEAT],
                    "why": "Drawn by score, equal scores by lot: those who sit here had 0 points. It is the first "
                    "round: no two have met.",
                    "draws": [{"kind": "score", "repeats": []}],
                    "sit_down_by": "2026-11-18T12:15:00.000Z",
                    "result": None,
                    "game_version": None,
                    "game_hash": None,
                    "scored": [],
                }
            ],
            "byes": [],
            "excused": [],
            "is_held": False,
            "warnings": [
                {"level": "notable", "table": 1, "entrants": [0, 1], "told": "Ada and Bea have met once before."}
            ],
        }
    ],
}
EXPORT_EXAMPLE = {
    "head": "9f02" * 16,
    "tournament": TOURNAMENT_EXAMPLE,
    "entrants": ENTRANTS_EXAMPLE,
    "standings": STANDINGS_EXAMPLE,
    "pairings": PAIRINGS_EXAMPLE,
}
NEXT_EXAMPLE = {
    **_OF,
    "what": "check_in",
    "entrant": 0,
    "round": 1,
    "table": None,
    "attempt": None,
    "game": None,
    "seat": None,
    "until": "2026-11-18T12:10:00.000Z",
    "last_link": ANCHOR,
    "links_left": 1024,
}
DEADLINES_EXAMPLE = {
    **_OF,
    "items": [
        {
            "what": "check_in",
            "round": 1,
            "table": None,
            "game": None,
            "until": "2026-11-18T12:10:00.000Z",
            "entrants": [0],
        }
    ],
}
EVENTS_EXAMPLE = {
    "items": [
        {**LINE_EXAMPLE, "data": TERMS_EXAMPLE, "by": f"organiser:{ORGANISER}", "type": "tournament_opened"}
        | {"stream": TOURNAMENT, "command": TOURNAMENT}
    ],
    "next": None,
}
RULING_FORMS_EXAMPLE: dict[str, Any] = {
    "items": [
        {
            "ruling": "pairing_wished",
            "label": "Keep apart, or bring together",
            "note": "How the coming draws treat these people.",
            "roles": ["arbiter", "desk"],
            "fields": [
                {"name": "entrants", "kind": "group", "label": "Who", "min": None, "max": None, "choices": []},
                {
                    "name": "wish",
                    "kind": "choice",
                    "label": "In the coming draws",
                    "min": None,
                    "max": None,
                    "choices": [{"value": "apart", "label": "always apart"}],
                },
            ],
        }
    ]
}
