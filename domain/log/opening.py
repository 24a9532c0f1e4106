"""The opening of a stream: the checks, the terms and the first line that a game and a tournament have alike.

The first line names its ruleset, so it is made and read before there is a stream to fold into.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import NotCanonical, check_value
from domain.chance import commit, derive_anchors
from domain.ids import Seat, StreamVersion
from domain.log.actors import name_actor
from domain.log.command import Command, OpeningCommand
from domain.log.entry import Entry, Input, Place, as_stored, write_entry
from domain.log.events import ORGANISERS_MAX, RulesetRef
from domain.log.fields import check_fields
from domain.log.record import GENESIS
from domain.log.rejections import NotAllowed, SignatureUnwanted, UnfitOptions
from domain.log.state import OpenedStream
from domain.rejection import Rejection
from domain.ruleset.ruleset import AnyRuleset
from domain.spellings import tell_refusal


def check_request(command: OpeningCommand, *, allowed: Any, expected: str) -> None:
    """Check the envelope of a command that opens a stream; `expected` names the `allowed` actors."""
    assert str(command.id) == str(command.stream), "a stream's id is the id of the command that opens it"
    # Options are of a type that only the ruleset knows, and are checked when it is found.
    check_fields(msgspec.structs.replace(command, options={}))
    if not isinstance(command.actor, allowed):
        raise NotAllowed(expected=expected, found=name_actor(command.actor))
    if command.sig is not None:
        # The server's additions cannot be signed: the commitment and the anchors.
        raise SignatureUnwanted(expected="an opening without a signature", found="a signature")


def build_terms(command: OpeningCommand, ruleset: AnyRuleset, *, link_chains: int) -> dict[str, Any]:
    """Return the terms that every opening has."""
    return {
        "ruleset": RulesetRef(components=command.components, name=command.ruleset, version=command.ruleset_version),
        "options": as_stored(read_options(ruleset, command.options)),
        "delay_s": command.delay_s,
        "demands": tuple(sorted(command.demands)),
        "organisers": command.organisers,
        "commit": commit(command.stream, command.secret),
        "anchors": derive_anchors(command.secret, link_chains),
        "ledger": command.ledger,
        "leaf_key": command.leaf_key,
    }


def write_opening(command: Command, opened: Struct) -> Entry:
    """Write the first line, which a verifier's checks have still to accept."""
    place = Place(stream=command.stream, version=StreamVersion(1), prev=GENESIS, at_ms=command.at_ms)
    by = name_actor(command.actor)
    put = Input(event=opened, by=by, at_ms=command.at_ms, command=command.id, sig=None)
    return write_entry(opened, place, type_=command.type, put=put)


def check_terms(opened: OpenedStream, *, link_chains: int, unfit: type[Rejection]) -> None:
    """Check the terms that every opening has, or raise this rejection."""
    if list(opened.demands) != sorted(set(opened.demands)):
        raise unfit(expected="demands in ascending order, none twice", found=", ".join(opened.demands))
    if len(opened.organisers) > ORGANISERS_MAX:
        raise unfit(expected=f"at most {ORGANISERS_MAX} organisers", found=f"{len(opened.organisers)}")
    if len(opened.anchors) != link_chains:
        raise unfit(expected=f"{link_chains} anchors", found=f"{len(opened.anchors)}")


def check_options(stored: dict[str, Any], ruleset: AnyRuleset, *, seats: Iterable[int]) -> None:
    """Check that a first line has every option, and that they can be played with each of these numbers of seats."""
    options = read_options(ruleset, stored)
    if as_stored(options) != stored:
        raise UnfitOptions(expected=f"every option of {ruleset.name}", found=", ".join(sorted(stored)) or "none")
    for count in seats:
        ruleset.initial_board(tuple(Seat(place) for place in range(count)), options)


def read_options(ruleset: AnyRuleset, options: dict[str, Any]) -> Any:
    """Read options as this ruleset does, or raise UnfitOptions."""
    try:
        check_value(options)
        return msgspec.convert(options, ruleset.options_type)
    except NotCanonical as error:
        raise UnfitOptions(expected=error.expected, found=error.found) from None
    except msgspec.ValidationError as error:
        names = ", ".join(field.name for field in msgspec.structs.fields(ruleset.options_type))
        raise UnfitOptions(
            expected=f"options of {ruleset.name}, which are {names}",
            found=tell_refusal(str(error), ruleset.options_type),
        ) from None
