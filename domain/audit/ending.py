"""How a game ends: decided again, ranked, and with the one secret that everything was drawn from."""

from domain.audit.case import AnyCase, Case
from domain.audit.findings import Held, Result, Unchecked, broken
from domain.canonical import encode
from domain.chance import commit, derive_anchors
from domain.game.events import GameFinished, Unranked
from domain.log.events import SecretDisclosed
from domain.tournament.events import TournamentAborted, TournamentFinished

_GOES_ON = "the game is not over"
_ENDS = GameFinished | Unranked | TournamentFinished | TournamentAborted


def check_secret(case: AnyCase) -> Result:
    """Check the disclosed secret against the commitment and the anchors of the first line."""
    if case.disclosed is None:
        return Unchecked(reason="the secret is not disclosed yet")
    if case.opened is None or case.stream is None:
        return Unchecked(reason="the line with the commitment cannot be read")
    last = next(line.version for line in case.lines if line.entry and isinstance(line.entry.event, SecretDisclosed))
    made = commit(case.stream, case.disclosed)
    if made != case.opened.commit:
        return broken(last, expected=f"the secret of the commitment {case.opened.commit}", found=f"that of {made}")
    anchors = derive_anchors(case.disclosed, len(case.opened.anchors))
    for chain, (expected, found) in enumerate(zip(case.opened.anchors, anchors, strict=True), start=1):
        if expected != found:
            return broken(last, expected=f"the secret of anchor {expected} of chain {chain}", found=f"that of {found}")
    return Held(seen=f"the commitment and {'the anchor' if len(anchors) == 1 else f'all {len(anchors)} anchors'}")


def check_ending(case: AnyCase) -> Result:
    """Check that the game ends once, by its rules or by an abort, that the secret follows at once, and nothing else."""
    ends = [entry for entry in case.entries if isinstance(entry.event, _ENDS)]
    shown = [entry for entry in case.entries if isinstance(entry.event, SecretDisclosed)]
    if not ends and not shown:
        return Unchecked(reason="it is not over")
    if shown and (not ends or shown[0].line.version < ends[0].line.version):
        return broken(shown[0].line.version, expected="no secret before the game is over", found="secret_disclosed")
    after = ends[0].line.version + 1
    if len(case.lines) < after:
        return broken(after, expected="secret_disclosed", found="the end of the log")
    entry = case.entries[after - 1] if len(case.entries) >= after else None
    if entry is None:
        return Unchecked(reason=f"line {after} cannot be read")
    if not isinstance(entry.event, SecretDisclosed):
        return broken(after, expected="secret_disclosed", found=entry.line.type)
    if len(case.lines) > after:
        return broken(after + 1, expected="nothing after the secret", found="another line")
    return Held(seen=f"{ends[0].line.type} and secret_disclosed")


def check_ranking(case: Case) -> Result:
    """Check the ranking in the log against the one that the rules give for the last board."""
    told = next((entry for entry in case.entries if isinstance(entry.event, GameFinished)), None)
    if told is None or not isinstance(told.event, GameFinished):
        is_aborted = any(isinstance(entry.event, Unranked) for entry in case.entries)
        return Held(seen="an aborted game, which has none") if is_aborted else Unchecked(reason=_GOES_ON)
    last = case.walk.last
    if last is None or case.ruleset is None or last.version < told.line.version:
        return Unchecked(reason="the last board cannot be told")
    expected = case.ruleset.ranking(last.board)
    if expected != told.event.ranking:
        found = encode(told.event.ranking).decode()
        return broken(told.line.version, expected=encode(expected).decode(), found=found)
    return Held(seen=f"{len(expected)} places")


def check_redecision(case: Case) -> Result:
    """Report the result of deciding every input again."""
    result = case.walk.redecision
    if isinstance(result, Unchecked) and case.disclosed is None and case.entries:
        return Unchecked(reason=f"{_GOES_ON}: without its secret, nothing can be drawn again")
    return result
