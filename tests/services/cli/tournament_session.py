"""A tournament of three, organised from a terminal to its end, with the output of every command."""

from pathlib import Path

from msgspec import Struct

from tests.services.cli.tournament_terminal import Ended, Guest, Hall


class Cup(Struct, frozen=True, kw_only=True):
    id: str
    printed: dict[str, Ended]
    bundle: Path
    policy: Path


def play_cup(hall: Hall) -> Cup:
    """Play two rounds at tables of two, with a bye in each, an award and a replaced result."""
    cup = hall.open()
    told: dict[str, Ended] = {}
    guests: list[Guest] = hall.enter(cup, "Ada", "=Bob", "Cleo <b>")
    told["closed entries"] = hall.organise("close-entries", cup)
    told["called"] = hall.organise("round", cup)
    hall.check_in(cup, guests[0])
    told["due at check-in"] = hall.spina("due", cup)
    told["entrants at check-in"] = hall.spina("entrants", cup)
    hall.check_in(cup, *guests[1:])
    told["due at tables"] = hall.spina("due", cup, "--json")
    told["entrants at tables"] = hall.spina("entrants", cup, "--json")
    hall.play(cup, *guests)
    award = ("--ruling", "points_ruled", "--entrant", "=Bob", "--round", "1", "--points", "7")
    told["award"] = hall.organise("rule", cup, *award, "--reason", 'Swept the track, "unasked"', "--yes")
    hall.organise("round", cup)
    hall.check_in(cup, *guests)
    hall.play(cup, *guests)
    replacement = ("--ruling", "result_replaced", "--round", "2", "--table", "1", "--places", "1,1")
    told["replacement"] = hall.organise("rule", cup, *replacement, "--reason", "A dead heat.", "--yes")
    told["closed"] = hall.organise("close", cup)
    hall.until_listed(cup, "finished")
    told["due at the end"] = hall.spina("due", cup)
    bundle = hall.folder / "cup.tournament.zip"
    hall.until_proven(cup)
    told["bundle"] = hall.spina("bundle", cup, "--to", str(bundle))
    return Cup(id=cup, printed=told, bundle=bundle, policy=hall.data / "ledger")
