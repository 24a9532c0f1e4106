"""Deciding: a command and the folded tournament in, lines or a named rejection out. Nothing is changed or read."""

from domain.log.actors import name_actor
from domain.log.command import Command
from domain.log.entry import Author
from domain.log.fields import check_fields
from domain.tournament.admission import Input
from domain.tournament.commands import TournamentCommand
from domain.tournament.enact import Decided, enact
from domain.tournament.state import Tournament


def decide(tournament: Tournament, command: TournamentCommand) -> Decided:
    """Decide one command on a settled tournament, or raise the Rejection that says why not."""
    assert tournament.last is None, "decided on a tournament in the middle of a command"
    check_fields(command, Command)
    author = Author(by=name_actor(command.actor), command=command.id, sig=command.sig)
    return enact(tournament, Input(event=command.event, author=author, at_ms=command.at_ms))
