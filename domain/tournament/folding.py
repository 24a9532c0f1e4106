"""A tournament with one of its parts replaced."""

import msgspec

from domain.tournament.contender import Entrant
from domain.tournament.state import Entered, Round, Table, Tournament

_replace = msgspec.structs.replace


def with_entry(tournament: Tournament, entrant: Entrant, entry: Entered) -> Tournament:
    entries = tournament.entries
    return _replace(tournament, entries=(*entries[:entrant], entry, *entries[entrant + 1 :]))


def with_round(tournament: Tournament, round_: Round) -> Tournament:
    place = round_.number - 1
    return _replace(tournament, rounds=(*tournament.rounds[:place], round_, *tournament.rounds[place + 1 :]))


def with_table(tournament: Tournament, number: int, table: Table) -> Tournament:
    """Return it with a table of the round of this number, the next one or one that was there."""
    round_ = tournament.rounds[number - 1]
    place = table.number - 1
    return with_round(tournament, _replace(round_, tables=(*round_.tables[:place], table, *round_.tables[place + 1 :])))
