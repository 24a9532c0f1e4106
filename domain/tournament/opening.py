"""How a tournament comes into being: the terms of all its games, and the commitment that binds its lots."""

from domain.chance import Secret
from domain.derived_ids import is_derived
from domain.log.actors import ByOrganiser
from domain.log.enact import Decided
from domain.log.entry import Entry
from domain.log.fields import check_fields
from domain.log.opening import build_terms, check_options, check_request, check_terms, write_opening
from domain.log.state import read_first
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.ruleset import AnyRuleset
from domain.tournament import teams
from domain.tournament.commands import OpenTournament
from domain.tournament.door import check_door, find_door
from domain.tournament.events import TournamentOpened
from domain.tournament.formats import fits_sizes
from domain.tournament.rejections import UnfitTournament
from domain.tournament.state import Tournament

# Lots are rolled once a round, and there are fewer rounds than links in one chain.
LINK_CHAINS = 1


def decide_opening(command: OpenTournament, catalogue: Catalogue) -> Decided[Tournament]:
    """Decide the command that opens a tournament, or raise the Rejection that states why not."""
    check_request(command, allowed=ByOrganiser, expected="an organiser")
    if is_derived(command.stream):
        raise UnfitTournament(expected="an id that no stream of the server's can have", found=command.stream)
    ruleset = catalogue.find(name=command.ruleset, version=command.ruleset_version, components=command.components)
    opened = TournamentOpened(
        **build_terms(command, ruleset, link_chains=LINK_CHAINS),
        name=command.name,
        clock=command.clock,
        format=command.format,
        tables=command.tables,
        points=command.points,
        bye_points=command.bye_points,
        tie_breaks=command.tie_breaks,
        entries_max=command.entries_max,
        check_in_ms=command.check_in_ms,
        sit_down_ms=command.sit_down_ms,
        door=command.door,
        about=command.about,
        teams=command.teams,
    )
    entry = write_opening(command, opened)
    check_opening(entry, ruleset)
    return Decided(state=begin_tournament(entry, ruleset, command.secret), entries=(entry,))


def check_opening(entry: Entry, ruleset: AnyRuleset) -> None:
    """Check the terms of a tournament: a verifier those of a first line, the server those that it is to store."""
    opened, by = entry.event, entry.line.by
    assert isinstance(opened, TournamentOpened), f"a tournament begins with its opening, not {entry.line.type}"
    check_fields(opened)
    _check_tables(opened, ruleset)
    _check_points(opened)
    if by not in {f"organiser:{organiser}" for organiser in opened.organisers}:
        raise UnfitTournament(expected="organisers, one of whom opens it", found=by)
    if len(set(opened.tie_breaks)) != len(opened.tie_breaks):
        raise UnfitTournament(expected="tie-breaks, none twice", found=", ".join(opened.tie_breaks))
    check_terms(opened, link_chains=LINK_CHAINS, unfit=UnfitTournament)
    check_door(find_door(opened.door))
    teams.check_terms(opened, ruleset)


def begin_tournament(entry: Entry, _ruleset: AnyRuleset | None, secret: Secret | None) -> Tournament:
    """Fold the first line, for which the rules need not be known. With the secret, lots can be drawn."""
    opened = entry.event
    assert isinstance(opened, TournamentOpened), f"a tournament begins with its opening, not {entry.line.type}"
    return Tournament(**read_first(entry, opened, secret))


def _check_tables(opened: TournamentOpened, ruleset: AnyRuleset) -> None:
    sizes = opened.tables
    if not sizes.min <= sizes.preferred <= sizes.max:
        raise UnfitTournament(
            expected="min ≤ preferred ≤ max of tables", found=f"{sizes.min}, {sizes.preferred}, {sizes.max}"
        )
    if not (sizes.min in ruleset.seats and sizes.max in ruleset.seats):
        counts = f"tables of {ruleset.seats.start} to {ruleset.seats.stop - 1} for {ruleset.name}"
        raise UnfitTournament(expected=counts, found=f"{sizes.min} to {sizes.max}")
    if not fits_sizes(opened.format, sizes):
        raise UnfitTournament(expected="a format that tables of these sizes can play", found=f"{opened.format}")
    check_options(opened.options, ruleset, seats=range(sizes.min, sizes.max + 1))


def _check_points(opened: TournamentOpened) -> None:
    sizes = [str(size) for size in range(opened.tables.min, opened.tables.max + 1)]
    if sorted(opened.points) != sorted(sizes):
        found = ", ".join(sorted(opened.points)) or "none"
        raise UnfitTournament(expected=f"points for tables of {', '.join(sizes)}", found=found)
    for size, row in opened.points.items():
        if len(row) != int(size) or list(row) != sorted(row, reverse=True):
            found = ", ".join(map(str, row)) or "none"
            raise UnfitTournament(expected=f"points of {size} places, none more than the one before", found=found)
