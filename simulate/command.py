"""`spina simulate`: whole games between bots, by the rules alone, summed up. The same seed gives the same games."""

from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from typing import Annotated, TypeVar

import typer

from simulate.tournament.command import rehearse

simulate = typer.Typer(
    name="simulate",
    help="Play whole games between bots and sum them up. Example: spina simulate charioteer --games 200 --seats 4",
    no_args_is_help=True,
)

simulate.command(name="tournament")(rehearse)

T = TypeVar("T")
BAR_WIDTH = 50

Games = Annotated[int, typer.Option(min=1, max=1_000_000, help="How many games.")]
Seats = Annotated[int, typer.Option(min=2, max=6, help="How many seats each game has.")]
Bots = Annotated[str, typer.Option(help="Who plays, by name, with commas; repeated until every seat has one.")]
Seed = Annotated[int, typer.Option(help="What the games are drawn from.")]
Laps = Annotated[int, typer.Option(min=1, max=10, help="How many laps; the rules say three.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]


@simulate.command()
def charioteer(
    games: Games = 100,
    seats: Seats = 4,
    bots: Bots = "strategic,longest,random",
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Play Charioteer, and hold the designer's own claims against the games.

    Example: spina simulate charioteer --games 200 --seats 4 --bots strategic,longest --seed 7
    """
    from domain.rulesets.charioteer.bots.roster import BOTS
    from services.commands.rulesets import load_charioteer
    from simulate.charioteer import Plan, summarise
    from simulate.charioteer import simulate as play
    from simulate.tables import print_charioteer

    plan = Plan(bots=seated(bots, seats, known=BOTS), games=games, seed=seed)
    summary = summarise(shown(play(load_charioteer(), plan), games))
    print_charioteer(summary, as_json=as_json, width=BAR_WIDTH)


@simulate.command(name="chariot-race")
def chariot_race(
    games: Games = 100,
    seats: Seats = 4,
    bots: Bots = "careful,fast,random",
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Race Chariot Race on its basic board and track.

    Example: spina simulate chariot-race --games 200 --seats 6 --bots careful,fast --seed 7
    """
    from domain.rulesets.chariot_race.bots.roster import BOTS
    from domain.rulesets.chariot_race.options import RaceOptions
    from services.commands.rulesets import load_chariot_race
    from simulate.chariot_race import Field, drive, summarise
    from simulate.tables import print_chariot_race

    rules = load_chariot_race()
    names = seated(bots, seats, known=BOTS)
    # Bots change seats from race to race, so that none profits from its place.
    fields = (Field(bots=turned(names, race), options=RaceOptions()) for race in range(games))
    races = (drive(rules, seed * 1_000_000 + race, field) for race, field in enumerate(fields))
    print_chariot_race(summarise(shown(races, games)), seats=seats, as_json=as_json, width=BAR_WIDTH)


@simulate.command()
def chariotmaster(
    games: Games = 20,
    seats: Seats = 4,
    bots: Bots = "ruthless,steady,random",
    seed: Seed = 1,
    laps: Laps = 1,
    as_json: AsJson = False,
) -> None:
    """Race Chariotmaster with whatever equipment the bots choose.

    Example: spina simulate chariotmaster --games 50 --seats 6 --bots ruthless,steady --laps 3 --seed 7
    """
    from domain.rulesets.chariotmaster.bots.roster import BOTS
    from domain.rulesets.chariotmaster.race.options import Options
    from services.commands.rulesets import load_chariotmaster
    from simulate.chariotmaster import Field, drive, summarise
    from simulate.tables import print_chariotmaster

    rules = load_chariotmaster()
    names = seated(bots, seats, known=BOTS)
    fields = (Field(bots=turned(names, race), options=Options(laps=laps)) for race in range(games))
    races = (drive(rules, seed * 1_000_000 + race, field) for race, field in enumerate(fields))
    print_chariotmaster(summarise(shown(races, games)), seats=seats, as_json=as_json, width=BAR_WIDTH)


def seated(names: str, seats: int, *, known: Iterable[str]) -> tuple[str, ...]:
    """Return a bot's name for every seat, or refuse a name that no bot has."""
    given = [name.strip() for name in names.split(",")]
    unknown = [name for name in given if name not in set(known)]
    if unknown:
        raise typer.BadParameter(f"expected bots out of {', '.join(known)}, found {', '.join(unknown)}")
    return tuple(islice(cycle(given), seats))


def turned(names: tuple[str, ...], by: int) -> tuple[str, ...]:
    """Return the names moved on by so many seats."""
    place = by % len(names)
    return names[place:] + names[:place]


def shown(results: Iterable[T], count: int) -> Iterator[T]:
    """Pass the results on while a bar shows how far they are; on standard error, and only to a person."""
    from rich.console import Console
    from rich.progress import track

    return iter(track(results, total=count, description="playing", console=Console(stderr=True), transient=True))
