"""Deciding: a command and the folded tournament in, lines or a named rejection out. Nothing is changed or read."""

from domain.log.command import Command
from domain.log.enact import Decided, check_author, enact
from domain.log.entry import Input
from domain.log.fields import check_fields
from domain.tournament import teams
from domain.tournament.commands import TournamentCommand
from domain.tournament.door import require_code
from domain.tournament.entering import require_handed
from domain.tournament.events import EntrantEntered, EntryTaken, find_ruling
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.role_events import HelperJoined
from domain.tournament.roles import name_author, require_invited
from domain.tournament.state import Tournament
from domain.tournament.subjects import require_unruled


def decide(tournament: Tournament, command: TournamentCommand) -> Decided[Tournament]:
    """Decide one command on a settled tournament, or raise the Rejection that states why not."""
    assert tournament.last is None, "decided on a tournament in the middle of a command"
    check_fields(command, Command)
    check_fields(command.event)
    by = name_author(tournament, command.actor, command.event)
    check_author(TOURNAMENTS, tournament, command.event, by)
    if isinstance(command.event, EntrantEntered):
        require_code(command.event.code, command.code)
        teams.require_code(command.event.team, command.team_code)
    if isinstance(command.event, EntryTaken):
        require_handed(tournament, command.event, command.invitation)
    if isinstance(command.event, HelperJoined):
        require_invited(tournament, command.event, command.invitation)
    if command.seen is not None and (ruling := find_ruling(command.event)) is not None:
        require_unruled(tournament, ruling, command.seen, by)
    put = Input(event=command.event, by=by, at_ms=command.at_ms, command=command.id, sig=command.sig, base=command.base)
    return enact(TOURNAMENTS, tournament, put)
