"""The opening of a game: the terms for every seat, and the commitment that binds its chance.

The first line of a log names its ruleset, so it is made and read here, before there is a game to fold into.
"""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.canonical import NotCanonical, check_value
from domain.chance import Secret, commit, derive_anchors
from domain.derived_ids import derive_game, is_derived
from domain.game.commands import OpenGame
from domain.game.events import INPUT_TAGS, GameOpened
from domain.game.offers import check_offer
from domain.game.rejections import UnfitTerms, WrongSeatCount
from domain.game.state import Game, Vacant
from domain.ids import GameId, Seat, StreamVersion
from domain.log.actors import ByOrganiser, ByPlayer, name_actor
from domain.log.enact import Decided
from domain.log.entry import Entry, Input, Place, as_stored, write_entry
from domain.log.events import ORGANISERS_MAX, RulesetRef
from domain.log.fields import check_fields
from domain.log.record import GENESIS
from domain.log.rejections import NotAllowed, SignatureUnwanted, UnfitOptions
from domain.log.state import read_first
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.ruleset import AnyRuleset


def decide_opening(command: OpenGame, catalogue: Catalogue) -> Decided[Game]:
    """Decide the command that opens a game, or raise the Rejection that says why not."""
    # Options are of a type that only the ruleset knows, and are checked when it is found.
    check_fields(msgspec.structs.replace(command, options={}))
    by = _author(command)
    if command.sig is not None:
        # The server's additions cannot be signed: the commitment and the anchors.
        raise SignatureUnwanted(expected="an opening without a signature", found="a signature")
    if command.table is UNSET and is_derived(command.stream):
        raise UnfitTerms(expected="an id that no table of a tournament can have", found=command.stream)
    ruleset = catalogue.find(name=command.ruleset, version=command.ruleset_version, components=command.components)
    opened = GameOpened(
        ruleset=RulesetRef(components=command.components, name=command.ruleset, version=command.ruleset_version),
        seats=command.seats,
        options=as_stored(read_options(ruleset, command.options)),
        clock=command.clock,
        visibility=command.visibility,  # type: ignore[arg-type] # checked with all fields in check_opening
        delay_s=command.delay_s,
        demands=tuple(sorted(command.demands)),
        organisers=command.organisers,
        commit=commit(command.stream, command.secret),
        anchors=derive_anchors(command.secret, ruleset.link_chains),
        ledger=command.ledger,
        leaf_key=command.leaf_key,
        table=command.table,
        offers=command.offers if any(command.offers) else UNSET,
        rematch_of=command.rematch_of,
    )
    place = Place(stream=command.stream, version=StreamVersion(1), prev=GENESIS, at_ms=command.at_ms)
    put = Input(event=opened, by=by, at_ms=command.at_ms, command=command.id, sig=None)
    entry = write_entry(opened, place, type_=INPUT_TAGS[GameOpened], put=put)
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
    options = read_options(ruleset, opened.options)
    if as_stored(options) != opened.options:
        raise UnfitOptions(
            expected=f"every option of {ruleset.name}", found=", ".join(sorted(opened.options)) or "none"
        )
    ruleset.initial_board(tuple(Seat(place) for place in range(opened.seats)), options)
    if list(opened.demands) != sorted(set(opened.demands)):
        raise UnfitTerms(expected="demands in ascending order, none twice", found=", ".join(opened.demands))
    if len(opened.organisers) > ORGANISERS_MAX:
        raise UnfitTerms(expected=f"at most {ORGANISERS_MAX} organisers", found=f"{len(opened.organisers)}")
    if len(opened.anchors) != ruleset.link_chains:
        raise UnfitTerms(expected=f"{ruleset.link_chains} anchors", found=f"{len(opened.anchors)}")
    check_table(opened, game=GameId(entry.line.stream))
    _check_offers(opened)


def check_table(opened: GameOpened, *, game: GameId) -> None:
    """Check that a game at a table of a tournament has that table's id, and a seat for each who was drawn there."""
    table = opened.table
    if isinstance(table, UnsetType):
        return
    derived = derive_game(table.tournament, round_=table.round, table=table.table, attempt=table.attempt)
    if game != derived:
        raise UnfitTerms(expected=f"the game {derived}, as this table has", found=game)
    if len(table.seats) != opened.seats or len({each.player for each in table.seats}) != opened.seats:
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
    offers = (None,) * opened.seats if isinstance(opened.offers, UnsetType) else opened.offers
    return Game(**read_first(entry, opened, secret), ruleset=ruleset, seats=(Vacant(),) * opened.seats, offers=offers)


def _author(command: OpenGame) -> str:
    assert str(command.id) == str(command.stream), "a game's id is the id of the command that opens it"
    if not isinstance(command.actor, ByPlayer | ByOrganiser):
        raise NotAllowed(expected="a player or an organiser", found=name_actor(command.actor))
    return name_actor(command.actor)


def read_options(ruleset: AnyRuleset, options: dict[str, Any]) -> Any:
    """Read options as this ruleset does, or raise UnfitOptions."""
    try:
        check_value(options)
        return msgspec.convert(options, ruleset.options_type)
    except NotCanonical as error:
        raise UnfitOptions(expected=error.expected, found=error.found) from None
    except msgspec.ValidationError as error:
        raise UnfitOptions(expected=f"options of {ruleset.name}", found=str(error)) from None
