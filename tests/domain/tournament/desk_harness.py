"""Acts at the desk of a club: rulings, seats by hand, and an entry that is handed on and taken."""

from hashlib import sha256
from typing import Any

from domain.log.actors import ByPlayer
from domain.tournament import ruling_events as rulings
from domain.tournament.events import EntryTaken
from domain.tournament.ruling_events import SeatedTable
from tests.domain.tournament.tournament_harness import ORGANISER, PAIRS, Club, own_links, player

SECRET = "5e" * 32
LINK = sha256(bytes.fromhex(SECRET)).hexdigest()


def rule(club: Club, kind: type[Any], **fields: Any) -> list[str]:
    """Rule, and return the types of the lines."""
    before = len(club.entries)
    club.do(kind, ORGANISER, reason="as seen by all", **fields)
    return club.types(before)


def seat(club: Club, *tables: tuple[int, tuple[int, ...]], **fields: Any) -> list[str]:
    """Seat tables of the last round by hand."""
    named = tuple(
        SeatedTable(table=number, attempt=club.table(number).attempt, entrants=entrants) for number, entrants in tables
    )
    return rule(club, rulings.TablesSeated, **({"round": club.round.number, "tables": named} | fields))


def drawn(count: int, **terms: Any) -> Club:
    club = Club(**({"tables": PAIRS} | terms))
    club.enter(count)
    club.draw()
    return club


def hand(club: Club, entrant: int, game: str = "again") -> None:
    rule(club, rulings.EntryHanded, entrant=entrant, link=LINK, game=game)


def take(club: Club, entrant: int, by: int, secret: str | None = SECRET, **fields: Any) -> list[str]:
    """Go on with an entry as another player."""
    before = len(club.entries)
    brought = {"anchor": own_links(by)[0], "links": 64, "key": None} | fields
    taker = player(by)
    club.do(EntryTaken, ByPlayer(player=taker), entrant=entrant, player=taker, invitation=secret, **brought)
    return club.types(before)
