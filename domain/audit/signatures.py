"""Every signature: by the key that its author registered before, and for the log as it stood there."""

from domain.audit.case import AnyCase, AnyLog
from domain.audit.findings import Held, Result, broken
from domain.audit.reading import fill_line
from domain.game.events import SeatTaken
from domain.ids import LineHash
from domain.log.entry import Entry
from domain.log.state import bases_after
from domain.signature import is_signed_by, signed_input
from domain.tournament.events import EntrantEntered, EntryTaken
from domain.tournament.role_events import HelperJoined


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
        elif isinstance(entry.event, EntrantEntered | EntryTaken):
            keys[f"player:{entry.event.player}"] = entry.event.key
        elif isinstance(entry.event, HelperJoined):
            keys[f"helper:{entry.event.helper}"] = entry.event.key
        # The account that joins may have entered too, with another key.
        key = entry.event.key if isinstance(entry.event, HelperJoined) else keys.get(line.by)
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


def check_bases(case: AnyLog) -> Result:
    """Check that nothing but inputs stands between a signed input and the newest line that its signer had seen."""
    bases: tuple[LineHash, ...] = ()
    signed = 0
    for entry in case.entries:
        base = entry.line.base
        if base is not None and base not in bases:
            expected = "the hash of the last outcome before it, or of an input since"
            return broken(entry.line.version, expected=expected, found=base)
        signed += base is not None
        bases = bases_after(bases, entry)
    return Held(seen=f"{signed} signed inputs")


def _is_signed(entry: Entry, key: str) -> bool:
    line = fill_line(entry)
    if line.command is None or line.base is None or line.sig is None:
        return False
    message = signed_input(base=line.base, command=line.command, data=line.data, stream=line.stream, type_=line.type)
    return is_signed_by(message, key_hex=key, sig_hex=line.sig)
