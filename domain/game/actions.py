"""Actions as they are sent: one spelling, all fields, a limited size.

What is refused here may still be hidden from others, so that no rejection quotes a value of it.
"""

import re
from typing import Any

import msgspec

from domain.canonical import Json, NotCanonical, check_limits, parse
from domain.game.rejections import ActionTooLarge, NotCanonicalAction, UnreadableAction
from domain.log.entry import as_stored
from domain.ruleset.ruleset import AnyRuleset

# The largest real action, a chariot's build with every option, is under a kilobyte.
ACTION_SIZE_MAX = 4_096
# An action lies in the data of a line: what could not be written there must be refused, not fail.
ACTION_DEPTH = 2
# An action of nobody's, to show what is meant; what was sent is not repeated.
SPELLED = '{"dice":[0,2],"kind":"reroll"}'
# What most libraries write between the parts of JSON.
SPACES = (b" ", b"\n", b"\r", b"\t")

# What the decoder says of a value that is none of those it knows, and where that stands.
_QUOTING = re.compile("(Invalid (?:enum )?value) .*?( - at `[^`]*`)?", re.DOTALL)
_UNKNOWN_FIELD = re.compile("(Object contains unknown field) .*?( - at `[^`]*`)?", re.DOTALL)


def parse_action(raw: bytes) -> Json:
    """Read an action from the bytes it was sent as; there is one accepted spelling."""
    check_size(raw)
    try:
        action = parse(raw)
        check_limits(raw, value=action, depth=ACTION_DEPTH)
    except NotCanonical as error:
        raise _say_spelling(error, raw) from None
    return action


def read_action(ruleset: AnyRuleset, action: Json) -> Any:
    """Decode an action with all its fields, or say which one is wrong."""
    try:
        decoded = msgspec.convert(action, ruleset.action_type)
    except msgspec.ValidationError as error:
        raise UnreadableAction(expected=f"an action of {ruleset.name}", found=_without_values(str(error))) from None
    place = _find_difference(as_stored(decoded), action, "$")
    if place is not None:
        raise UnreadableAction(
            expected=f"an action of {ruleset.name} with all its fields, as it is stored", found=f"another at `{place}`"
        )
    return decoded


def check_size(action: bytes) -> None:
    """Check how long an action is."""
    if len(action) > ACTION_SIZE_MAX:
        raise ActionTooLarge(expected=f"an action of at most {ACTION_SIZE_MAX} bytes", found=f"{len(action)} bytes")


def _say_spelling(error: NotCanonical, raw: bytes) -> NotCanonicalAction:
    if error.offset is not None:
        is_space = raw[error.offset : error.offset + 1] in SPACES
        return NotCanonicalAction(
            expected=f"canonical JSON, as in {SPELLED}: keys in order, no spaces, the shortest spelling of everything",
            found=f"{'a space at' if is_space else 'another spelling from'} byte {error.offset}",
        )
    # The decoder says what is wrong with the form by the place alone; of numbers and text it would quote a part.
    is_about_form = type(error.__cause__) is msgspec.DecodeError
    return NotCanonicalAction(
        expected=f"canonical JSON: {error.expected}", found=error.found if is_about_form else "something else"
    )


def _without_values(message: str) -> str:
    for quoting in (_QUOTING, _UNKNOWN_FIELD):
        found = quoting.fullmatch(message)
        if found is not None:
            return found[1] + (found[2] or "")
    return message


def _find_difference(stored: Any, sent: Any, place: str) -> str | None:
    """Find where an action was sent differently from how it is stored: a path of fields and places in lists."""
    if isinstance(stored, dict) and isinstance(sent, dict):
        for name in sorted(stored.keys() | sent.keys()):
            if name not in stored or name not in sent:
                return f"{place}.{name}"
            found = _find_difference(stored[name], sent[name], f"{place}.{name}")
            if found is not None:
                return found
        return None
    if isinstance(stored, list) and isinstance(sent, list) and len(stored) == len(sent):
        pairs = enumerate(zip(stored, sent, strict=True))
        found_in = (_find_difference(one, other, f"{place}[{index}]") for index, (one, other) in pairs)
        return next((found for found in found_in if found is not None), None)
    return None if stored == sent else place
