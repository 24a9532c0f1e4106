"""The examples of courses: one oval, with a statue on its far side."""

from hashlib import sha256

from domain.canonical import encode

_BEND = {"kind": "arc", "radius_mm": 130, "degrees": 180, "turn": "left"}
_STRAIGHTS = [{"kind": "straight", "length_mm": length, "more_um": 0} for length in (300, 600, 300)]
_STATUE = {
    "x_mm": 0, "y_mm": 260, "heading": 0, "length_mm": 30, "width_mm": 30, "height": "high", "dice": 3,
    "loses": "nothing",
}  # fmt: skip
_OVAL = {
    "name": "Ada's oval",
    "width_mm": 200,
    "grid_gap_mm": 5,
    "laps": 2,
    "wall_dice": None,
    "pieces": [_STRAIGHTS[0], _BEND, _STRAIGHTS[1], _BEND, _STRAIGHTS[2]],
    "obstacles": [_STATUE],
}
COURSE_HASH = sha256(encode(_OVAL)).hexdigest()
COURSE_EXAMPLE = {"ruleset": "chariotmaster@1", "course": _OVAL}
FAULT_EXAMPLE = {"hash": COURSE_HASH, "fault": None}
KEPT_COURSE_EXAMPLE = {"hash": COURSE_HASH, "name": _OVAL["name"]}
SHOWN_COURSE_EXAMPLE = {
    **COURSE_EXAMPLE, "hash": COURSE_HASH, "name": _OVAL["name"], "is_own": False, "kept_at": "2026-03-01T12:00:00Z",
}  # fmt: skip
