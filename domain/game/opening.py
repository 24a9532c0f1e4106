"""The opening of a game: the terms for every seat, and the commitment that binds its chance."""

from msgspec import UNSET, UnsetType

from domain.chance import Secret
from domain.derived_ids import derive_game, is_derived
from domain.game.commands import OpenGame
from domain.game.events import GameOpened
from domain.game.offers import check_offer, list_first_offers
from domain.game.rejections import UnfitTerms, WrongSeatCount
from domain.game.stand_in import check_stand_in
from domain.game.state import Game, Vacant
from domain.ids import GameId
from domain.log.actors import ByOrganiser, ByPlayer
from domain.log.enact import Decided
from domain.log.entry import Entry
from domain.log.fields import check_fields
from domain.log.opening import build_terms, check_options, check_request, check_terms, write_opening
from domain.log.state import read_first
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.ruleset import AnyRuleset


def decide_opening(command: OpenGame, catalogue: Catalogue) -> Decided[Game]:
    """Decide the command that opens a game, or raise the Rejection that states why not."""
    check_request(command, allowed=ByPlayer | ByOrganiser, expected="a player or an organiser")
    if command.table is UNSET and command.rematch_of is UNSET and is_derived(command.stream):
        raise UnfitTerms(expected="an id that no table of a tournament and no rematch can have", found=command.stream)
    ruleset = catalogue.find(name=command.ruleset, version=command.ruleset_version, components=command.components)
    opened = GameOpened(
        **build_terms(command, ruleset, link_chains=ruleset.link_chains),
        seats=command.seats,
        clock=command.clock,
        visibility=command.visibility,  # type: ignore[arg-type] # checked with all fields in check_opening
        table=command.table,
        offers=command.offers if any(command.offers) else UNSET,
        rematch_of=command.rematch_of,
        stand_in=command.stand_in,
    )
    entry = write_opening(command, opened)
    check_opening(entry, ruleset)
    return Decided(state=begin_game(entry, ruleset, command.secret), entries=(entry,))


def check_opening(entry: Entry, ruleset: AnyRuleset) -> None:
    """Check the terms of a game: a verifier checks those of a first line, and the server those that it is to store."""
    opened = entry.event
    assert isinstance(opened, GameOpened), f"a log begins with game_opened, not {entry.line.type}"
    check_fields(opened)
    if opened.seats not in ruleset.seats:
        counts = f"{ruleset.seats.start} to {ruleset.seats.stop - 1} seats for {ruleset.name}"
        raise WrongSeatCount(expected=counts, found=f"{opened.seats}")
    check_options(opened.options, ruleset, seats=(opened.seats,))
    check_terms(opened, link_chains=ruleset.link_chains, unfit=UnfitTerms)
    check_table(opened, game=GameId(entry.line.stream))
    _check_offers(opened)
    check_stand_in(opened)


def check_table(opened: GameOpened, *, game: GameId) -> None:
    """Check that a game at a table of a tournament has that table's id, and a seat for each who was drawn there."""
    table = opened.table
    if isinstance(table, UnsetType):
        return
    derived = derive_game(table.tournament, round_=table.round, table=table.table, attempt=table.attempt)
    if game != derived:
        raise UnfitTerms(expected=f"the game {derived}, as this table has", found=game)
    if len(table.seats) != opened.seats or len({seat.player for seat in table.seats}) != opened.seats:
        raise UnfitTerms(expected=f"{opened.seats} players of the table, none twice", found=f"{len(table.seats)}")


def _check_offers(opened: GameOpened) -> None:
    if isinstance(opened.offers, UnsetType):
        return
    if len(opened.offers) != opened.seats or not any(opened.offers):
        raise UnfitTerms(expected=f"an offer or null for each of {opened.seats} seats", found=f"{len(opened.offers)}")
    for offer in opened.offers:
        check_offer(opened, offer)


def begin_game(entry: Entry, ruleset: AnyRuleset | None, secret: Secret | None) -> Game:
    """Fold the first line. With the secret, hidden decks can be drawn from; without it, they stay unknown."""
    opened = entry.event
    assert isinstance(opened, GameOpened), f"a log begins with game_opened, not {entry.line.type}"
    assert ruleset is not None, "a game is played by its rules"
    return Game(
        **read_first(entry, opened, secret),
        ruleset=ruleset,
        seats=(Vacant(),) * opened.seats,
        offers=list_first_offers(opened),
    )
