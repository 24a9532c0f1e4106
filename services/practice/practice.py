"""Practice: a guest plays many games against house bots, by the rules alone; its places, and its losses as it saw them.

The same plan and the same guest give the same games on every machine.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.canonical import Json
from domain.rejection import Rejection
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from services.practice.games import Plan, Result, play_game
from services.practice.guest import ChooseJson, Guest, GuestFault, Sight
from services.practice.interval import Interval, find_interval

GUEST = "guest"


class Practised(Struct, frozen=True, kw_only=True):
    """One game. `place` is None where the guest broke off, and `fault` its reason."""

    number: int
    seat: int
    decisions: int
    place: int | None = None
    places: tuple[int, ...] = ()
    fault: str | None = None
    measures: Mapping[str, tuple[str, ...]] = {}
    sights: tuple[Sight, ...] = ()

    @property
    def is_won(self) -> bool:
        """Return whether the guest is ahead of every rival."""
        return self.place is not None and sum(place <= self.place for place in self.places) == 1

    @property
    def is_lost(self) -> bool:
        return self.place is None or min(self.places) < self.place


class Row(Struct, frozen=True, kw_only=True):
    """A count of games out of some, with the interval of its share."""

    name: str
    count: int
    of: int
    interval: Interval


class Report(Struct, frozen=True, kw_only=True):
    """`won` is ahead of all rivals; a shared best place is neither won nor lost. `words` count words of measures."""

    games: int
    decisions: int
    won: Row
    lost: Row
    places: tuple[Row, ...]
    won_by_seat: tuple[Row, ...]
    words: Mapping[str, Mapping[str, int]]
    faults: tuple[str, ...]


def practise(
    kit: Kit, rules: AnyRuleset, choose: ChooseJson, rivals: tuple[str, ...], plan: Plan
) -> Iterator[Practised]:
    """Play the games of a plan, whose bots are replaced by the guest and its rivals; yield them one by one."""
    guest = Guest(choose, rules.action_type)
    seated = msgspec.structs.replace(kit, bots={**kit.bots, GUEST: guest})
    filled = msgspec.structs.replace(plan, bots=(GUEST, *rivals))
    for number in range(plan.games):
        guest.forget()
        seat = -number % len(filled.bots)
        try:
            result = play_game(seated, rules, filled, number)
        except (GuestFault, Rejection) as fault:
            yield _break_off(number, seat, guest, str(fault))
        else:
            yield _end(number, seat, guest, result)


def _break_off(number: int, seat: int, guest: Guest, fault: str) -> Practised:
    return Practised(number=number, seat=seat, decisions=len(guest.sights), fault=fault, sights=tuple(guest.sights))


def _end(number: int, seat: int, guest: Guest, result: Result) -> Practised:
    assert result.bots[seat] == GUEST, result.bots
    words = {name: value for name, value in result.figures.items() if isinstance(value, tuple)}
    decisions = result.figures["decisions"]
    assert isinstance(decisions, int), decisions
    played = Practised(
        number=number,
        seat=seat,
        decisions=decisions,
        place=result.places[seat],
        places=result.places,
        measures=words,
    )
    # A thousand games as the guest saw them fill a gigabyte; of the lost ones alone there is something to learn.
    return msgspec.structs.replace(played, sights=tuple(guest.sights)) if played.is_lost else played


def sum_up(played: Iterable[Practised]) -> Report:
    """Sum up games of one plan; there must be at least one."""
    games = tuple(played)
    counts: dict[str, Counter[str]] = {}
    for game in games:
        for name, words in game.measures.items():
            counts.setdefault(name, Counter()).update(words)
    places = Counter(game.place for game in games)
    seats = Counter(game.seat for game in games)
    won = Counter(game.seat for game in games if game.is_won)
    return Report(
        games=len(games),
        decisions=sum(game.decisions for game in games),
        won=_count("won", won.total(), len(games)),
        lost=_count("lost", sum(game.is_lost for game in games), len(games)),
        places=tuple(
            _count(f"place {place}" if place else "broke off", places[place], len(games))
            for place in sorted(places, key=lambda place: place or len(games))
        ),
        won_by_seat=tuple(_count(f"seat {seat}", won[seat], seats[seat]) for seat in sorted(seats)),
        words={name: dict(sorted(counted.items())) for name, counted in counts.items()},
        faults=tuple(f"game {game.number}: {game.fault}" for game in games if game.fault is not None),
    )


def _count(name: str, count: int, of: int) -> Row:
    return Row(name=name, count=count, of=of, interval=find_interval(count, of))


def write_loss(folder: Path, game: Practised) -> Path:
    """Write a lost game as the guest saw it: a line of JSON for each decision, with its answer."""
    path = folder / f"{game.number:06}.ndjson"
    lines: list[Json | Sight] = [*game.sights, {"places": list(game.places), "seat": game.seat, "fault": game.fault}]
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return path
