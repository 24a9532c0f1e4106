"""How a tournament comes into being: the terms of all its games, and the commitment that binds its lots."""

import msgspec

from domain.chance import Secret, commit, derive_anchors
from domain.game.opening import read_options
from domain.ids import Seat, StreamVersion
from domain.log.actors import ByOrganiser, name_actor
from domain.log.enact import Decided
from domain.log.entry import Entry, Input, Place, as_stored, write_entry
from domain.log.events import ORGANISERS_MAX, RulesetRef
from domain.log.fields import check_fields
from domain.log.record import GENESIS
from domain.log.rejections import NotAllowed, SignatureUnwanted, UnfitOptions
from domain.log.state import read_first
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.ruleset import AnyRuleset
from domain.tournament.commands import OpenTournament
from domain.tournament.events import TAGS, TournamentOpened
from domain.tournament.formats import fits_sizes
from domain.tournament.rejections import UnfitTournament
from domain.tournament.state import Tournament

# Lots are rolled once a round, and there are fewer rounds than links in one chain.
LINK_CHAINS = 1


def decide_opening(command: OpenTournament, catalogue: Catalogue) -> Decided[Tournament]:
    """Decide the command that opens a tournament, or raise the Rejection that says why not."""
    assert str(command.id) == str(command.stream), "a tournament's id is the id of the command that opens it"
    check_fields(msgspec.structs.replace(command, options={}))
    if not isinstance(command.actor, ByOrganiser):
        raise NotAllowed(expected="an organiser", found=name_actor(command.actor))
    if command.sig is not None:
        # The server's additions cannot be signed: the commitment and the anchors.
        raise SignatureUnwanted(expected="an opening without a signature", found="a signature")
    ruleset = catalogue.find(name=command.ruleset, version=command.ruleset_version, components=command.components)
    opened = _build_terms(command, ruleset)
    place = Place(stream=command.stream, version=StreamVersion(1), prev=GENESIS, at_ms=command.at_ms)
    put = Input(event=opened, by=name_actor(command.actor), at_ms=command.at_ms, command=command.id, sig=None)
    entry = write_entry(opened, place, type_=TAGS[TournamentOpened], put=put)
    check_opening(entry, ruleset)
    return Decided(state=begin_tournament(entry, ruleset, command.secret), entries=(entry,))


def check_opening(entry: Entry, ruleset: AnyRuleset) -> None:
    """Check the terms of a tournament: a verifier those of a first line, the server those that it is to store."""
    opened, by = entry.event, entry.line.by
    assert isinstance(opened, TournamentOpened), f"a tournament begins with its opening, not {entry.line.type}"
    check_fields(opened)
    _check_tables(opened, ruleset)
    _check_points(opened)
    if by not in {f"organiser:{each}" for each in opened.organisers} or len(opened.organisers) > ORGANISERS_MAX:
        raise UnfitTournament(expected=f"1 to {ORGANISERS_MAX} organisers, one of whom opens it", found=by)
    if list(opened.demands) != sorted(set(opened.demands)):
        raise UnfitTournament(expected="demands in ascending order, none twice", found=", ".join(opened.demands))
    if len(set(opened.tie_breaks)) != len(opened.tie_breaks):
        raise UnfitTournament(expected="tie-breaks, none twice", found=", ".join(opened.tie_breaks))
    if len(opened.anchors) != LINK_CHAINS:
        raise UnfitTournament(expected=f"{LINK_CHAINS} anchor", found=f"{len(opened.anchors)}")


def begin_tournament(entry: Entry, _ruleset: AnyRuleset | None, secret: Secret | None) -> Tournament:
    """Fold the first line, for which the rules need not be known. With the secret, lots can be drawn."""
    opened = entry.event
    assert isinstance(opened, TournamentOpened), f"a tournament begins with its opening, not {entry.line.type}"
    return Tournament(**read_first(entry, opened, secret))


def _build_terms(command: OpenTournament, ruleset: AnyRuleset) -> TournamentOpened:
    named = RulesetRef(components=command.components, name=command.ruleset, version=command.ruleset_version)
    return TournamentOpened(
        name=command.name,
        ruleset=named,
        options=as_stored(read_options(ruleset, command.options)),
        clock=command.clock,
        delay_s=command.delay_s,
        demands=tuple(sorted(command.demands)),
        organisers=command.organisers,
        format=command.format,
        tables=command.tables,
        points=command.points,
        bye_points=command.bye_points,
        tie_breaks=command.tie_breaks,
        entries_max=command.entries_max,
        check_in_ms=command.check_in_ms,
        sit_down_ms=command.sit_down_ms,
        commit=commit(command.stream, command.secret),
        anchors=derive_anchors(command.secret, LINK_CHAINS),
        ledger=command.ledger,
        leaf_key=command.leaf_key,
    )


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
    options = read_options(ruleset, opened.options)
    if as_stored(options) != opened.options:
        found = ", ".join(sorted(opened.options)) or "none"
        raise UnfitOptions(expected=f"every option of {ruleset.name}", found=found)
    for size in range(sizes.min, sizes.max + 1):
        ruleset.initial_board(tuple(Seat(place) for place in range(size)), options)


def _check_points(opened: TournamentOpened) -> None:
    sizes = [str(size) for size in range(opened.tables.min, opened.tables.max + 1)]
    if sorted(opened.points) != sorted(sizes):
        found = ", ".join(sorted(opened.points)) or "none"
        raise UnfitTournament(expected=f"points for tables of {', '.join(sizes)}", found=found)
    for size, row in opened.points.items():
        if len(row) != int(size) or list(row) != sorted(row, reverse=True):
            found = ", ".join(map(str, row)) or "none"
            raise UnfitTournament(expected=f"points of {size} places, none more than the one before", found=found)
