"""Deciding: a command and the folded tournament in, lines or a named rejection out. Nothing is changed or read."""

from domain.log.actors import name_actor
from domain.log.command import Command
from domain.log.enact import Decided, check_author, enact
from domain.log.entry import Input
from domain.log.fields import check_fields
from domain.tournament.commands import TournamentCommand
from domain.tournament.door import require_code
from domain.tournament.entering import require_handed
from domain.tournament.events import EntrantEntered, EntryTaken
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.state import Tournament


def decide(tournament: Tournament, command: TournamentCommand) -> Decided[Tournament]:
    """Decide one command on a settled tournament, or raise the Rejection that states why not."""
    assert tournament.last is None, "decided on a tournament in the middle of a command"
    check_fields(command, Command)
    check_fields(command.event)
    by = name_actor(command.actor)
    check_author(TOURNAMENTS, tournament, command.event, by)
    if isinstance(command.event, EntrantEntered):
        require_code(command.event.code, command.code)
    if isinstance(command.event, EntryTaken):
        require_handed(tournament, command.event, command.invitation)
    put = Input(event=command.event, by=by, at_ms=command.at_ms, command=command.id, sig=command.sig, base=command.base)
    return enact(TOURNAMENTS, tournament, put)
