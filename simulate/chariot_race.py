"""Chariot Race driven by bots, many times over: how long races are, who wins, what wrecks, what is unsound.

Functions of their seeds alone: the same seeds give the same figures on every machine.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from random import Random
from typing import TypeVar

from msgspec import Struct

from domain.ids import Seat
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.chariot_race.board import Board, Chariot, racing, space_of
from domain.rulesets.chariot_race.bots.roster import BOTS
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import ChariotWrecked, EndReason, WreckCause
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset

Key = TypeVar("Key", bound=str)


class Field(Struct, frozen=True, kw_only=True):
    """Who drives, by the bots' names, and how the game is played."""

    bots: tuple[str, ...]
    options: RaceOptions


class Race(Struct, frozen=True, kw_only=True):
    """One race as it went. `unsound` says what was wrong with a board, and is empty if the rules are right."""

    seed: int
    bots: tuple[str, ...]
    rounds: int
    lead_changes: int
    decisions: int
    ended: EndReason
    winners: tuple[Seat, ...]
    wrecks: tuple[WreckCause, ...]
    unsound: tuple[str, ...]


class Figures(Struct, frozen=True, kw_only=True):
    races: int
    rounds: tuple[tuple[int, int], ...]  # how many races took so many rounds, fewest first
    rounds_mean: float
    lead_changes_mean: float
    wrecks_mean: float
    decisions_mean: float
    ended: dict[str, int]
    wrecked_by: dict[str, int]
    wins: dict[str, int]  # by bot; a shared win counts for each of its winners
    starts: dict[str, int]  # by bot: the seats it drove
    shared_wins: int
    unsound: tuple[str, ...]


def field_of(seed: int) -> Field:
    """Count through player counts, bots, boards, tracks and variants, so that all of them meet."""
    seats = 2 + seed % 5
    return Field(
        bots=tuple(islice(cycle(BOTS), seed % len(BOTS), seed % len(BOTS) + seats)),
        options=RaceOptions(
            chariots="alternate" if seed // 5 % 2 else "basic",
            first_half="B" if seed // 10 % 2 else "A",
            second_half="B" if seed // 20 % 2 else "A",
            no_damage_after_line=bool(seed // 40 % 2),
        ),
    )


def drive(rules: ChariotRaceRuleset, seed: int, field: Field) -> Race:
    """Drive one race to its end, looking at the board before each decision."""
    numbers = Random(seed)  # noqa: S311 - a seed makes the race the same everywhere
    seats = tuple(Seat(seat) for seat in range(len(field.bots)))
    rehearsal = Rehearsal(rules, seats=seats, options=field.options, secret=seed.to_bytes(32, "big"))
    decisions = lead_changes = 0
    leader: Seat | None = None
    unsound: list[str] = []
    while owed := rehearsal.owed():
        [decision] = owed
        unsound += (f"race {seed}, {decision.id}: {what}" for what in find_unsound(rehearsal.board))
        view = rules.view(rehearsal.board, decision.seat)
        rehearsal.answer(decision, BOTS[field.bots[decision.seat]](view, decision.id, numbers))
        decisions += 1
        ahead = rules.ranking(rehearsal.board)[0].seat
        lead_changes += leader is not None and ahead != leader
        leader = ahead
    return Race(
        seed=seed,
        bots=field.bots,
        rounds=rehearsal.board.round,
        lead_changes=lead_changes,
        decisions=decisions,
        ended=rehearsal.board.ended,
        winners=tuple(placing.seat for placing in rules.ranking(rehearsal.board) if placing.place == 1),
        wrecks=tuple(told.cause for told in rehearsal.written if isinstance(told, ChariotWrecked)),
        unsound=tuple(unsound),
    )


def drive_all(rules: ChariotRaceRuleset, seeds: Iterable[int]) -> Iterator[Race]:
    """Drive a race for each seed, one after the other, so that a caller can show how far it is."""
    for seed in seeds:
        yield drive(rules, seed, field_of(seed))


def summarise(races: Iterable[Race]) -> Figures:
    """Add up what the races came to."""
    driven = tuple(races)
    assert driven, "no race to add up"
    return Figures(
        races=len(driven),
        rounds=tuple(sorted(Counter(race.rounds for race in driven).items())),
        lead_changes_mean=sum(race.lead_changes for race in driven) / len(driven),
        rounds_mean=sum(race.rounds for race in driven) / len(driven),
        wrecks_mean=sum(len(race.wrecks) for race in driven) / len(driven),
        decisions_mean=sum(race.decisions for race in driven) / len(driven),
        ended=_count(race.ended for race in driven),
        wrecked_by=_count(cause for race in driven for cause in race.wrecks),
        wins=_count(race.bots[seat] for race in driven for seat in race.winners),
        starts=_count(bot for race in driven for bot in race.bots),
        shared_wins=sum(len(race.winners) > 1 for race in driven),
        unsound=tuple(what for race in driven for what in race.unsound),
    )


def find_unsound(board: Board) -> tuple[str, ...]:
    """Say what no board between two decisions may be."""
    found = [f"{each.colour} is off its tracks: {each}" for each in board.chariots if not _is_within_tracks(each)]
    standing = [space_of(board, each) for each in racing(board)]
    if len(set(standing)) < len(standing):
        found.append(f"two chariots at rest on one space: {sorted(standing)}")
    if any(board.track.heaps[space] for space in standing):
        found.append("a chariot at rest on a stone heap")
    if len(set(board.caltrops)) < len(board.caltrops) or board.caltrops_left < 0:
        found.append(f"caltrops that are not there: {board.caltrops}")
    return tuple(found)


def _is_within_tracks(chariot: Chariot) -> bool:
    table = chariot.table
    return (
        0 <= chariot.damage_left <= table.damage_max
        and 0 <= chariot.speed <= table.speed_max
        and 0 <= chariot.fate <= table.fate_max
        and (chariot.damage_left == 0) == (chariot.status == "wrecked")
    )


def _count(keys: Iterable[Key]) -> dict[str, int]:
    return dict(sorted(Counter[str](keys).items()))
