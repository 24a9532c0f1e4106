"""Games between bots by variant: each preset of a ruleset with each number of seats, and the share of wins by seat."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt

import msgspec
from msgspec import Struct
from rich.table import Table

from domain.canonical import Json
from domain.ids import Seat
from domain.rejection import Rejection
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.sentences.words import Preset
from services.practice.games import Plan, Result, simulate
from services.terminal.plain_console import PlainConsole

# A fair seat is further off its share than this in about one variant of a thousand.
UNFAIR_SIGMAS = 3.3


class Variant(Struct, frozen=True, kw_only=True):
    """A preset, and how many play."""

    preset: str
    seats: int
    options: Mapping[str, Json]


class VariantFigures(Struct, frozen=True, kw_only=True):
    """The games of one variant. `wins` are by seat, a shared one for each of its seats; `unfair` names seats."""

    variant: Variant
    games: int
    length: str
    mean_length: float
    ended: Mapping[str, int]
    wins: tuple[int, ...]
    unfair: tuple[Seat, ...]
    unsound: tuple[str, ...]


def list_variants(rules: AnyRuleset, presets: Iterable[Preset]) -> list[Variant]:
    """List each preset with each number of seats that it can be played with."""
    variants = [
        Variant(preset=preset.name, seats=count, options=preset.options) for preset in presets for count in rules.seats
    ]
    return [variant for variant in variants if _is_playable(rules, variant)]


def play_variants(
    kit: Kit, rules: AnyRuleset, variants: Iterable[Variant], *, games: int, seed: int
) -> Iterator[VariantFigures]:
    """Play games of each variant between bots of one kind, so that seats differ by their number alone."""
    for variant in variants:
        bots = (kit.favourites[0],) * variant.seats
        plan = Plan(bots=bots, games=games, seed=seed, options=variant.options)
        yield sum_up(variant, tuple(simulate(kit, rules, plan)))


def sum_up(variant: Variant, results: Sequence[Result]) -> VariantFigures:
    """Sum up games of one variant; there must be at least one."""
    lengths = {name: value for name, value in results[0].figures.items() if isinstance(value, int)}
    length = next(iter(lengths))
    numbers = [value for result in results for name, value in result.figures.items() if name == length]
    ended = Counter(word for result in results for word in _words(result.figures.get("ended by", ())))
    winners = [[Seat(seat) for seat, place in enumerate(result.places) if place == 1] for result in results]
    return VariantFigures(
        variant=variant,
        games=len(results),
        length=length,
        mean_length=sum(number for number in numbers if isinstance(number, int)) / len(results),
        ended=dict(sorted(ended.items())),
        wins=tuple(sum(seat in won for won in winners) for seat in range(variant.seats)),
        unfair=tuple(find_unfair(winners, variant.seats)),
        unsound=tuple(sentence for result in results for sentence in result.unsound),
    )


def find_unfair(winners: Sequence[Sequence[Seat]], seats: int) -> Iterator[Seat]:
    """Yield the seats that won so much more or less often than their share that chance is no reason."""
    # In a game that some seats win together each seat has a chance of so many in all.
    chances = [len(won) / seats for won in winners]
    spread = sqrt(sum(chance * (1 - chance) for chance in chances))
    for seat in map(Seat, range(seats)):
        if abs(sum(seat in won for won in winners) - sum(chances)) > UNFAIR_SIGMAS * spread:
            yield seat


def print_variants(figures: Iterable[VariantFigures], *, title: str) -> None:
    console = PlainConsole()
    table = Table("table", "seats", "games", "length", "ended by", "wins by seat", "unfair", title=title)
    for found in figures:
        table.add_row(
            found.variant.preset,
            str(found.variant.seats),
            str(found.games),
            f"{found.mean_length:.1f} {found.length}",
            ", ".join(f"{word.replace('_', ' ')} {count}" for word, count in found.ended.items()),
            " ".join(map(str, found.wins)),
            ", ".join(f"seat {seat}" for seat in found.unfair),
        )
    console.print(table)


def _is_playable(rules: AnyRuleset, variant: Variant) -> bool:
    try:
        rules.initial_board(
            tuple(Seat(seat) for seat in range(variant.seats)),
            msgspec.convert(dict(variant.options), rules.options_type),
        )
    except Rejection:
        return False
    return True


def _words(value: int | tuple[str, ...]) -> tuple[str, ...]:
    return () if isinstance(value, int) else value
