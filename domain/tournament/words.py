"""What people say in a tournament: announcements of organisers, calls of entrants, and their answers."""

from msgspec.structs import replace

from domain.log.entry import Entry
from domain.log.rejections import UnfitEvent
from domain.tournament.entering import require_entrant, require_in_field
from domain.tournament.rejections import CallsExhausted, NoSuchCall
from domain.tournament.state import Announcement, Call, Tournament
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled

# More than one for every table of a day.
ANNOUNCEMENTS_MAX = 512
# Who waits for an answer has room for a second thought; in all an entrant is heard so often.
CALLS_OPEN_MAX = 2
CALLS_MAX = 32


def admit_announcement(tournament: Tournament, announced: Announced) -> None:
    """Check that those it is for are entrants, and that there is room for one more."""
    for entrant in announced.entrants:
        require_entrant(tournament, entrant)
    if list(announced.entrants) != sorted(set(announced.entrants)):
        raise UnfitEvent(expected="entrants, ascending, none twice", found=str(list(announced.entrants)))
    if len(tournament.announcements) >= ANNOUNCEMENTS_MAX:
        raise CallsExhausted(expected=f"at most {ANNOUNCEMENTS_MAX} announcements", found="one more")


def admit_call(tournament: Tournament, called: OrganiserCalled) -> None:
    """Check that the entrant is still there, and does not call without an end."""
    require_in_field(tournament, called.entrant)
    own = [call for call in tournament.calls if call.entrant == called.entrant]
    if sum(call.answer is None for call in own) >= CALLS_OPEN_MAX:
        raise CallsExhausted(expected=f"at most {CALLS_OPEN_MAX} calls without an answer", found="one more")
    if len(own) >= CALLS_MAX:
        raise CallsExhausted(expected=f"at most {CALLS_MAX} calls of one entrant", found="one more")


def admit_answer(tournament: Tournament, answered: CallAnswered) -> None:
    """Check that the line is a call that has no answer yet."""
    call = next((call for call in tournament.calls if call.line == answered.line), None)
    if call is None or call.answer is not None:
        found = f"line {answered.line}, which is {'none' if call is None else 'answered'}"
        raise NoSuchCall(expected="the line of a call without an answer", found=found)


def apply_word(tournament: Tournament, entry: Entry) -> Tournament:
    """Keep an announcement, a call or an answer."""
    event, line = entry.event, entry.line
    match event:
        case Announced(text=text, entrants=entrants):
            said = Announcement(line=line.version, at_ms=tournament.at_ms, by=line.by, text=text, entrants=entrants)
            return replace(tournament, announcements=(*tournament.announcements, said))
        case OrganiserCalled(entrant=entrant, text=text):
            call = Call(line=line.version, at_ms=tournament.at_ms, entrant=entrant, text=text)
            return replace(tournament, calls=(*tournament.calls, call))
        case CallAnswered(line=of, text=text):
            calls = tuple(
                replace(call, answer=text, answered_by=line.by) if call.line == of else call
                for call in tournament.calls
            )
            return replace(tournament, calls=calls)
        case _:
            raise AssertionError(event)
