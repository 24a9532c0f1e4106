"""Every reveal against the seal that was put before it."""

from domain.audit.case import Case
from domain.audit.findings import Held, Result, broken
from domain.canonical import encode
from domain.game.answering import SEALS_MAX
from domain.game.events import ActionRevealed, ActionSealed
from domain.ids import DecisionId, GameId, Seat
from domain.seal import seal_action


def check_seals(case: Case) -> Result:
    """Check that each reveal is the last seal of its decision, and that no seat changed its mind without end."""
    seals: dict[tuple[Seat, DecisionId], list[str]] = {}
    reveals = 0
    for entry in case.entries:
        version = entry.line.version
        match entry.event:
            case ActionSealed(seat=seat, decision=decision, seal=seal):
                put = seals.setdefault((seat, decision), [])
                put.append(seal)
                if len(put) > SEALS_MAX:
                    return broken(version, expected=f"at most {SEALS_MAX} seals of {decision}", found="one more")
            case ActionRevealed(seat=seat, decision=decision, action=action, salt=salt):
                made = seal_action(
                    game=GameId(entry.line.stream), seat=seat, decision=decision, salt=salt, action=encode(action)
                )
                # A seal is opened once.
                expected = seals.pop((seat, decision), ["none, as nothing was sealed"])[-1]
                if made != expected:
                    return broken(version, expected=f"the seal {expected}", found=f"an action whose seal is {made}")
                reveals += 1
            case _:
                pass
    return Held(seen=f"{reveals} reveals")
