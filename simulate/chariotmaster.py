"""Chariotmaster driven by bots, many times over: how long races are, who wins, what becomes of chariots.

Functions of their seeds alone: the same seeds give the same figures on every machine.
"""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Literal, TypeVar

from msgspec import Struct

from domain.ids import Seat
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.chariotmaster.bots.roster import BOTS
from domain.rulesets.chariotmaster.harm.free_room import is_inside
from domain.rulesets.chariotmaster.race.board import Board, can_finish
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import AttackAnnounced, PiecesCollided, SubMoveTested
from domain.rulesets.chariotmaster.race.race_outcomes import EndReason
from domain.rulesets.chariotmaster.race.racetrack import Arena, obstacles, standing
from domain.rulesets.chariotmaster.ruleset import ChariotmasterRuleset
from domain.rulesets.chariotmaster.table.travel import is_free

Key = TypeVar("Key", bound=str)

# What became of a chariot, the first of these that is so.
Fate = Literal["finished", "racing", "driver_dead", "driver_off", "horses_dead"]


class Field(Struct, frozen=True, kw_only=True):
    """Who drives, by the bots' names, and how the game is played."""

    bots: tuple[str, ...]
    options: Options


class Race(Struct, frozen=True, kw_only=True):
    """One race as it went. `unsound` says what was wrong with a board, and is empty if the rules are right."""

    seed: int
    bots: tuple[str, ...]
    game_turns: int
    chariot_turns: int
    lead_changes: int
    decisions: int
    collisions: int
    attacks: int
    tests: int
    ended: EndReason
    winners: tuple[Seat, ...]
    fates: tuple[Fate, ...]
    unsound: tuple[str, ...]


class Figures(Struct, frozen=True, kw_only=True):
    races: int
    game_turns: tuple[tuple[int, int], ...]  # how many races took so many game turns, fewest first
    game_turns_mean: float
    lead_changes_mean: float
    decisions_mean: float
    collisions_mean: float
    attacks_mean: float
    tests_mean: float
    ended: dict[str, int]
    fates: dict[str, int]
    wins: dict[str, int]  # by bot; a shared win counts for each of its winners
    starts: dict[str, int]  # by bot: the seats it drove
    unsound: tuple[str, ...]


def drive(rules: ChariotmasterRuleset, seed: int, field: Field) -> Race:
    """Drive one race to its end, looking at the board before each decision."""
    numbers = Random(seed)  # noqa: S311 - a seed makes the race the same everywhere
    seats = tuple(Seat(seat) for seat in range(len(field.bots)))
    race = Rehearsal(rules, seats=seats, options=field.options, secret=seed.to_bytes(32, "big"))
    decisions = lead_changes = 0
    leader: Seat | None = None
    unsound: list[str] = []
    while owed := race.owed():
        decision = owed[0]
        unsound += (f"race {seed}, {decision.id}: {what}" for what in find_unsound(rules.arena, race.board))
        view = rules.view(race.board, decision.seat)
        race.answer(decision, BOTS[field.bots[decision.seat]](view, decision.id, numbers))
        decisions += 1
        ahead = rules.ranking(race.board)[0].seat
        lead_changes += leader is not None and ahead != leader
        leader = ahead
    board: Board = race.board
    assert board.ended is not None, "nobody owes anything any more"
    told = Counter(type(event) for event in race.written)
    return Race(
        seed=seed,
        bots=field.bots,
        game_turns=board.game_turns,
        chariot_turns=board.turns_closed,
        lead_changes=lead_changes,
        decisions=decisions,
        collisions=told[PiecesCollided],
        attacks=told[AttackAnnounced],
        tests=told[SubMoveTested],
        ended=board.ended,
        winners=tuple(placing.seat for placing in rules.ranking(board) if placing.place == 1),
        fates=tuple(_fate(board, number) for number in range(len(board.chariots))),
        unsound=tuple(unsound),
    )


def summarise(races: Iterable[Race]) -> Figures:
    """Add up what the races came to."""
    driven = tuple(races)
    assert driven, "no race to add up"
    return Figures(
        races=len(driven),
        game_turns=tuple(sorted(Counter(race.game_turns for race in driven).items())),
        game_turns_mean=_mean(race.game_turns for race in driven),
        lead_changes_mean=_mean(race.lead_changes for race in driven),
        decisions_mean=_mean(race.decisions for race in driven),
        collisions_mean=_mean(race.collisions for race in driven),
        attacks_mean=_mean(race.attacks for race in driven),
        tests_mean=_mean(race.tests for race in driven),
        ended=_count(race.ended for race in driven),
        fates=_count(fate for race in driven for fate in race.fates),
        wins=_count(race.bots[seat] for race in driven for seat in race.winners),
        starts=_count(bot for race in driven for bot in race.bots),
        unsound=tuple(what for race in driven for what in race.unsound),
    )


def find_unsound(arena: Arena, board: Board) -> tuple[str, ...]:
    """Say what no board between two decisions may be."""
    found = []
    for piece, shape, pose in standing(arena, board):
        if not is_free(shape, pose, obstacles(arena, board, without=(piece,))):
            found.append(f"piece {piece} stands on something: {pose}")
        if not is_inside(arena, x_um=pose.x_um, y_um=pose.y_um):
            found.append(f"piece {piece} stands outside the walls: {pose}")
    for number, chariot in enumerate(board.chariots):
        if min(chariot.stamina, chariot.structure, chariot.health, chariot.skill, chariot.modifies) < 0:
            found.append(f"chariot {number} has less than nothing: {chariot}")
    return tuple(found)


def _fate(board: Board, number: int) -> Fate:
    chariot = board.chariots[number]
    if number in board.finished:
        return "finished"
    if can_finish(chariot):
        return "racing"
    if chariot.driver == "dead":
        return "driver_dead"
    return "horses_dead" if chariot.driver == "riding" else "driver_off"


def _mean(counts: Iterable[int]) -> float:
    listed = list(counts)
    return sum(listed) / len(listed)


def _count(keys: Iterable[Key]) -> dict[str, int]:
    return dict(sorted(Counter[str](keys).items()))
