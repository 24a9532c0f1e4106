"""The programme of a rehearsal: a tournament in which people come late, stay away and leave, and an organiser rules.

The incidents follow from the number of players alone, so that every rehearsal sees the same accidents.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from domain.ruleset.kit import Kit
from simulate.tournament.evening import CALLER, LOST, Evening
from spina_client.entrant import Habits, Withdrawal
from spina_client.formats import Json
from spina_client.tournament import TournamentAt
from spina_client.tournament_seen import TableSeen
from spina_players.demonstrations.tournament import TournamentPlan

# Of so many players each of the accidents happens to one.
ACCIDENT_EVERY = 16
LATE_AFTER = 1
PENALISED_AFTER = 1
PENALTY = -15
# Of which round one table is ruled on.
TABLE_RULINGS = {
    1: ("result_replaced", "The table agreed that the marker stood wrong."),
    3: ("table_replayed", "The lamps went out, and all of them asked for it."),
    4: ("game_voided", "Two of the table played one hand together."),
}


class Restart(Struct, frozen=True, kw_only=True):
    """How the server goes, and after how many results of which round."""

    how: Literal["kill", "stop"]
    round: int
    results: int


class Programme(Struct, frozen=True, kw_only=True):
    plan: TournamentPlan
    restart: Restart


class Rehearsed(Struct, frozen=True, kw_only=True):
    """The terms of a rehearsal. A seat stays empty for `sit_down_ms` at most: long enough for a machine under load.

    One that `is_evening` is a club's: behind a door with codes, and with every hand of its organisers.
    """

    kit: Kit
    format: Literal["score", "round_robin"]
    players: int
    rounds: int
    table_size: int
    restart: Literal["kill", "stop"]
    sit_down_ms: int
    is_evening: bool = False


def build_programme(asked: Rehearsed) -> Programme:
    """Build the schedule of accidents and rulings."""
    habits, terms = build_habits(asked.players, asked.rounds), dict[str, Json]()
    work = {"after_round": rule_after}
    if asked.is_evening:
        evening = Evening(asked.kit, by_hand=min(2, asked.rounds), rule_after=rule_after)
        habits, terms = _behind_a_door(habits, asked.players, lost_in=evening.by_hand)
        work = {"before_round": evening.before, "in_round": evening.during, "after_round": evening.after}
    plan = TournamentPlan(
        kit=asked.kit,
        players=asked.players,
        rounds=asked.rounds,
        table_size=asked.table_size,
        name="Rehearsal",
        is_signed=True,
        terms={
            "format": {"kind": asked.format, "rounds": asked.rounds},
            "check_in_ms": 10 * asked.sit_down_ms,
            "sit_down_ms": asked.sit_down_ms,
            **terms,
        },
        habits=habits,
        late={index + 5: LATE_AFTER for index in range(0, asked.players - 5, ACCIDENT_EVERY)}
        if asked.rounds > 1
        else {},
        **work,
    )
    tables = asked.players // asked.table_size
    middle = Restart(how=asked.restart, round=asked.rounds // 2 + 1, results=tables // 3)
    return Programme(plan=plan, restart=middle)


def _behind_a_door(
    habits: Mapping[int, Habits], players: int, *, lost_in: int
) -> tuple[Mapping[int, Habits], dict[str, Json]]:
    """Give each player of a list a code; one calls an organiser, and one loses the phone in a round."""
    # Letters in place of octal digits: a code has neither zeros nor ones.
    codes = ["".join("ABCDEFGH"[int(digit)] for digit in f"{index:016o}") for index in range(players)]
    incidents = {CALLER: {"calls_in": 1}, LOST: {"loses_phone_in": lost_in}}
    people = {
        index: msgspec.structs.replace(habits.get(index, Habits()), code=code, **incidents.get(index, {}))
        for index, code in enumerate(codes)
    }
    return people, {"door": {"codes": list[Json](codes), "is_shared": False, "has_approval": False}}


def build_habits(players: int, rounds: int) -> Mapping[int, Habits]:
    """Of every sixteen: one does not sit down, and one each withdraws before the draw, after it, and while it plays."""
    habits: dict[int, Habits] = {}
    for group, first in enumerate(range(0, players, ACCIDENT_EVERY)):
        away_in, second, last = 1 + group % rounds, min(2, rounds), rounds
        accidents = (
            Habits(stays_away_in=frozenset({away_in})),
            Habits(withdraws=Withdrawal(round=second, moment="check_in")),
            Habits(withdraws=Withdrawal(round=last, moment="game")),
            Habits(withdraws=Withdrawal(round=second, moment="table")),
        )
        habits |= {first + place: each for place, each in enumerate(accidents, start=1) if first + place < players}
    return habits


async def rule_after(at: TournamentAt, round_: int) -> None:
    """Rule of each kind once: a penalty, a wish, a result turned round, a table played again, a game that is void."""
    if round_ == PENALISED_AFTER:
        penalty: dict[str, Json] = {"entrant": 0, "points": PENALTY, "reason": "Moved a chariot of another seat."}
        await at.rule("points_ruled", {"round": round_, **penalty})
        await at.rule("pairing_wished", {"entrants": [0, 1], "wish": "apart", "reason": "They are brother and sister."})
        await at.signed("announcements", "announced", {"entrants": [], "text": f"Round {round_} is over."})
    kind, reason = TABLE_RULINGS.get(round_, ("", ""))
    table = await _find_counted(at, round_) if kind else None
    if table is None:
        return
    about: dict[str, Json] = {"round": round_, "table": table.table, "attempt": table.attempt, "reason": reason}
    if kind == "result_replaced":
        about["ranking"] = _turn_round(table)
    await at.rule(kind, about)


async def _find_counted(at: TournamentAt, round_: int) -> TableSeen | None:
    """Find a table that has counted its game's own result."""
    tables = (await at.read_pairings()).items[round_ - 1].tables
    return next((table for table in tables if table.status == "counted" and table.result), None)


def _turn_round(table: TableSeen) -> Json:
    assert table.result is not None, "only a table that has counted is turned round"
    places = [placing.place for placing in table.result]
    return [
        {"place": 1 + sum(place > placing.place for place in places), "seat": placing.seat} for placing in table.result
    ]
