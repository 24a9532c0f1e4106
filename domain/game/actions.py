"""Actions as they are sent: JSON in any spelling, with all fields and of a limited size, logged in canonical form.

An action refused here may still be hidden from others, so that no rejection quotes a value of it.
"""

import re
from typing import Any

import msgspec

from domain.canonical import Json, NotCanonical, check_limits, encode, refuse_float
from domain.game.rejections import ActionTooLarge, UnreadableAction
from domain.log.entry import as_stored
from domain.ruleset.ruleset import AnyRuleset
from domain.spellings import list_choices, tell_refusal

# The largest real action, a chariot's build with every option, is under a kilobyte.
ACTION_SIZE_MAX = 4_096
# An action lies in the data of a line: a value that could not be written there must be refused, not fail.
ACTION_DEPTH = 2

# The decoder's message about a value or a field that it does not know, and the place of it.
_QUOTING = re.compile("(Invalid (?:enum )?value) .*?( - at `([^`]*)`)?", re.DOTALL)
_UNKNOWN_FIELD = re.compile("(Object contains unknown field) .*?( - at `[^`]*`)?", re.DOTALL)
_DECODER = msgspec.json.Decoder(float_hook=refuse_float)


def parse_action(raw: bytes) -> Json:
    """Read an action from JSON; its canonical form is logged, sealed and signed."""
    check_size(raw)
    try:
        action: Json = _DECODER.decode(raw)
        canonical = encode(action)
        check_limits(canonical, value=action, depth=ACTION_DEPTH)
    except NotCanonical as error:
        raise UnreadableAction(expected=f"JSON with {error.expected}", found="something else") from None
    except (ValueError, RecursionError):
        raise UnreadableAction(
            expected="JSON with integers within ±(2^53-1) for its numbers", found="something else"
        ) from None
    return action


def read_action(ruleset: AnyRuleset, action: Json) -> Any:
    """Decode an action with all its fields, or state which one is wrong."""
    try:
        decoded = msgspec.convert(action, ruleset.action_type)
    except msgspec.ValidationError as error:
        raise UnreadableAction(
            expected=f"an action of {ruleset.name}{_tell_choices(str(error), ruleset.action_type)}",
            found=tell_refusal(_without_values(str(error)), ruleset.action_type),
        ) from None
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


def _tell_choices(message: str, action_type: Any) -> str:
    """Name the values of which one is expected where another was sent."""
    found = _QUOTING.fullmatch(message)
    choices = [] if found is None else list_choices(action_type, found[3] or "$")
    return f", with one of {', '.join(choices)}" if choices else ""


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
