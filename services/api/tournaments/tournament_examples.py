"""One example for every operation of tournaments, as one story of two entrants.

A test sends each of them to a server, as it stands here.
"""

from typing import Any

from domain.ids import LineHash, StreamVersion
from services.api.http.examples import ADA, ANCHOR, FIRST_LINK, GAME, LINE_EXAMPLE, ORGANISER, TOURNAMENT
from services.commands.tournaments import TournamentAnswer


def _command(number: int) -> dict[str, Any]:
    return {"command": f"0199c0de-0000-7000-a000-{number:012d}"}


_TABLE: dict[str, Any] = {"round": 1, "table": 1, "attempt": 1}
_SIZES = {"min": 2, "max": 2, "preferred": 2}
_CLOCK = {"per_decision_ms": 60_000, "bank_ms": 600_000}
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
RULING_EXAMPLES: tuple[dict[str, Any], ...] = (
    {**_command(6), "ruling": "points_ruled", "entrant": 0, "round": 1, "points": -10, "reason": "Came late twice."},
    {
        **_command(7),
        **_TABLE,
        "ruling": "result_replaced",
        "ranking": [{"place": 1, "seat": 1}, {"place": 2, "seat": 0}],
        "reason": "Both told the judges so.",
    },
    {**_command(8), "ruling": "entrant_removed", "entrant": 1, "reason": "Played under two names."},
)
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
    "absent": [],
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
        "absent": [1],
        "told": "Orga told Bea absent from round 1, table 1. Reason: Went home. Points changed: Ada 0 → 60.",
    },
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
_ATTENDANCE = {"from_round": 1, "missed": [], "no_shows": [], "is_checked_in": False}
ENTRANTS_EXAMPLE = {
    **_OF,
    "items": [{**_WHO, **_ATTENDANCE, "left": None, "key": None, "last_link": ANCHOR, "links_left": 1024}],
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
        }
    ],
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
