"""Counts the ranking of teams again from the log of a tournament, by docs/proof.md section 14 and the standard library.

Beside `recount.py`, which counts all else: nothing of the project may be imported here.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any


def recount_teams(raws: Sequence[bytes]) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """Yield each ranking that the log has, and the one that follows from the standings before it."""
    lines = [json.loads(raw) for raw in raws]
    counting = lines[0]["data"].get("teams", {}).get("counting", 0)
    members: dict[tuple[str, str], list[int]] = {}
    told: list[dict[str, Any]] = []
    said: list[dict[str, Any]] = []
    for line in lines:
        data = line["data"]
        if said and line["type"] != "teams_ranked":
            yield said, _rank(list(members.values()), told, counting)
            told, said = [], []
        if line["type"] == "entrant_entered" and "team" in data:
            members.setdefault((data["team"]["name"], data["team"]["code"]), []).append(data["entrant"])
        told = [*told, *data["standings"]] if line["type"] == "standings_told" else told
        said = [*said, *data["teams"]] if line["type"] == "teams_ranked" else said


def _rank(teams: list[list[int]], told: list[dict[str, Any]], counting: int) -> list[dict[str, Any]]:
    keys = {}
    for number, members in enumerate(teams):
        best = [standing for standing in told if standing["entrant"] in members][:counting]
        places = [standing["place"] for standing in best]
        # A member too few stands behind all.
        full = places + [len(told) + 1] * (counting - len(best))
        keys[number] = (-sum(standing["points"] for standing in best), full), places, best
    return [
        {
            "place": 1 + sum(other < key for other, *_ in keys.values()),
            "team": number,
            "points": -key[0],
            "places": places,
            "entrants": [standing["entrant"] for standing in best],
        }
        for number, (key, places, best) in sorted(keys.items(), key=lambda item: (item[1][0], item[0]))
    ]
