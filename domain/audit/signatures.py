"""Every signature, by the key that its author registered before; and none where no key can have signed."""

from domain.audit.case import AnyCase
from domain.audit.findings import Held, Result, broken
from domain.game.events import SeatTaken
from domain.log.entry import Entry
from domain.signature import is_signed_by, signed_input
from domain.tournament.events import EntrantEntered


def check_signatures(case: AnyCase) -> Result:
    """Check each input whose author has a key, about 60 µs for each, and that no other has a signature."""
    keys: dict[str, str | None] = {}
    if case.opened is not None:
        keys |= {f"organiser:{each}": key for each, key in case.opened.organisers.items()}
    signed = 0
    for entry in case.entries[1:]:
        line = entry.line
        if isinstance(entry.event, SeatTaken):
            keys[f"seat:{entry.event.seat}"] = entry.event.key
        elif isinstance(entry.event, EntrantEntered):
            keys[f"player:{entry.event.player}"] = entry.event.key
        key = keys.get(line.by)
        if line.kind == "outcome":
            continue
        if key is None:
            if line.sig is not None:
                return broken(line.version, expected=f"no signature, as {line.by} registered no key", found="one")
            continue
        if line.sig is None:
            return broken(line.version, expected=f"a signature by the key of {line.by}", found="none")
        if not _is_signed(entry, key):
            expected = f"a signature by {key}, the key of {line.by}, over this input of this game"
            return broken(line.version, expected=expected, found=line.sig)
        signed += 1
    return Held(seen=f"{signed} signatures")


def _is_signed(entry: Entry, key: str) -> bool:
    line = entry.line
    if line.command is None or line.sig is None:
        return False
    message = signed_input(command=line.command, data=line.data, stream=line.stream, type_=line.type)
    return is_signed_by(message, key_hex=key, sig_hex=line.sig)
