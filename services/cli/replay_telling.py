"""A bundle shown in the terminal: as sentences and a board, or as frames."""

import msgspec

from domain.audit.bundle import Bundle
from domain.audit.moments import NotReplayable, replay_moments
from domain.ids import Seat
from domain.rulesets.released import Rebuilder
from infra.ruleset_files import read_words
from services.audits.replay import build_board, build_frame, tell_line
from services.terminal.kits import require_kit
from services.terminal.plain_console import PlainConsole
from services.terminal.printing import say_json


def tell_bundle(read: Bundle, seat: Seat | None, *, at: int | None, as_json: bool) -> None:
    """Print it up to a line, or whole. Raises NotReplayable."""
    console = PlainConsole(soft_wrap=True, highlight=False)
    last = words = None
    for last in replay_moments(read, Rebuilder(), seat):
        is_last = last.entry.line.version == at
        if as_json and (at is None or is_last):
            say_json(msgspec.Raw(build_frame(last, seat)))
        elif not as_json:
            words = words or read_words(require_kit(last.game.ruleset.name))
            console.print(tell_line(words, last.entry), markup=False)
        if is_last:
            break
    if last is not None and at is not None and last.entry.line.version < at:
        raise NotReplayable(version=last.entry.line.version, reason=f"the log ends here, before line {at}")
    if last is not None and not as_json:
        console.print(build_board(last, seat))
