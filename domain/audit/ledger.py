"""The ledger's word on a game, judged by the keys that the reader trusts, never by those in the bundle."""

from msgspec import Struct

from domain.audit.bundle import LAST_PROOF
from domain.audit.case import AnyLog
from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.game.events import SeatTaken
from domain.ids import LineHash, StreamVersion
from domain.ledger.broken_proof import BrokenProof
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.leaf import build_leaf, format_leaf
from domain.ledger.policy import Standing, evaluate
from domain.ledger.proof import LedgerProof, check_proof, parse_proof
from domain.ledger.signers import BadSignature
from domain.ledger.spelling import Misspelt
from domain.log.entry import Entry
from domain.log.events import OpeningWitnessed
from domain.tournament.events import EntrantEntered

_NO_PROOF = "the bundle has no proof that the ledger has its last line"
NO_POLICY = "no key or policy was given to judge the checkpoint by"
_NO_OPENING = "the line with the leaf key cannot be read"


def check_inclusion(case: AnyLog, *, version: StreamVersion | None = None) -> Result:
    """Check that the last line is at the proof's place in the signed tree; that covers every line before.

    `version` is that of the last line, where the file has not every line before it.
    """
    if case.bundle.last_proof is None:
        return Unchecked(reason=_NO_PROOF)
    if not case.lines:
        return Unchecked(reason="the log has no line")
    last = case.lines[-1]
    found = _read_included(case, case.bundle.last_proof, version=version or last.version, line=last.hash)
    return _held(found) if isinstance(found, LedgerProof) else found


def check_checkpoint(case: AnyLog) -> Result:
    """Check that a ledger one trusts has signed the checkpoint in the proof of the last line."""
    standing = judge_last(case)
    if not isinstance(standing, Standing):
        return standing
    if case.opened is not None and standing.log is not None and standing.log.name != case.opened.ledger:
        expected = f"a checkpoint of {case.opened.ledger}, as the first line names its ledger"
        return broken(1, expected=expected, found=standing.log.name)
    if standing.log is None:
        origins = " or ".join(log.key.name for log in case.policy.logs) if case.policy is not None else ""
        return broken(None, expected=f"a checkpoint signed by {origins or 'a ledger'}", found="none by a key of it")
    return Held(seen=f"{standing.log.name}+{standing.log.key_id.hex()}")


def check_witnesses(case: AnyLog) -> Result:
    """Check that as many witnesses have seen that checkpoint as the reader's policy asks for."""
    standing = judge_last(case)
    if not isinstance(standing, Standing):
        return standing
    seen = ", ".join(sighting.witness for sighting in standing.sightings) or "none"
    if not standing.has_quorum:
        wanted = case.policy.quorum if case.policy is not None else ""
        return broken(None, expected=f"the quorum {wanted}", found=f"cosignatures of {seen}")
    return Held(seen=f"cosignatures: {seen}")


def check_opening_witness(case: AnyLog) -> Result:
    """Check the proof that the opening was in a signed ledger, and the first seat not yet."""
    witnessed = find_entry(case, OpeningWitnessed)
    if witnessed is None or not isinstance(witnessed.event, OpeningWitnessed):
        return Held(seen="an opening that nobody claims to have witnessed")
    raw = witnessed.event.proof.encode()
    opening = _read_included(case, raw, version=StreamVersion(1), line=case.lines[0].hash)
    if not isinstance(opening, LedgerProof):
        return _at(opening, witnessed)
    standing = _judge(case, opening)
    if not isinstance(standing, Standing):
        return _at(standing, witnessed)
    if not standing.is_trusted or (case.opened is not None and opening.signed.checkpoint.origin != case.opened.ledger):
        expected = "a checkpoint that meets the policy of the reader"
        return broken(witnessed.line.version, expected=expected, found="one that does not")
    return _check_first_seat(case, opening)


def _check_first_seat(case: AnyLog, opening: LedgerProof) -> Result:
    taken = find_entry(case, SeatTaken, EntrantEntered)
    if taken is None:
        return Held(seen="a stream in which nobody took a seat or entered")
    if case.bundle.first_seat_proof is None:
        return Unchecked(reason=f"the bundle has no proof of line {taken.line.version}, {taken.line.type}")
    seat = _read_included(case, case.bundle.first_seat_proof, version=taken.line.version, line=taken.hash)
    if not isinstance(seat, LedgerProof):
        return _at(seat, taken)
    tree_size = opening.signed.checkpoint.tree_size
    if seat.index < tree_size:
        return broken(
            taken.line.version, expected=f"index {tree_size} or later, behind that checkpoint", found=f"{seat.index}"
        )
    return _held(opening)


def _read_included(
    case: AnyLog, raw: bytes, *, version: StreamVersion, line: LineHash
) -> LedgerProof | Broken | Unchecked:
    """Read a proof and check that it leads from this line to its root; who signed that is another question."""
    if case.opened is None or case.stream is None:
        return Unchecked(reason=_NO_OPENING)
    leaf = build_leaf(bytes.fromhex(case.opened.leaf_key), stream=case.stream, version=version, line=line)
    try:
        proof = parse_proof(raw)
        check_proof(proof, format_leaf(leaf))
    except (Misspelt, BrokenProof) as error:
        return broken(version, expected=error.expected, found=error.found)
    return proof


def judge_opening(case: AnyLog) -> Standing | Result | None:
    """Judge the checkpoint over a witnessed opening; None where there is none, or none that can be read."""
    witnessed = find_entry(case, OpeningWitnessed)
    if witnessed is None or not isinstance(witnessed.event, OpeningWitnessed):
        return None
    try:
        return _judge(case, parse_proof(witnessed.event.proof.encode()))
    except Misspelt:
        return None


def read_last(case: AnyLog) -> LedgerProof | Unchecked:
    """Read the proof of the last line; that it cannot be read is reported by the check of inclusion."""
    if case.bundle.last_proof is None:
        return Unchecked(reason=_NO_PROOF)
    try:
        return parse_proof(case.bundle.last_proof)
    except Misspelt as error:
        return Unchecked(reason=f"{LAST_PROOF} cannot be read: {error}")


def judge_last(case: AnyLog) -> Standing | Result:
    """Judge the checkpoint over the last line by the reader's policy."""
    proof = read_last(case)
    return _judge(case, proof) if isinstance(proof, LedgerProof) else proof


def find_stranger(case: AnyLog, seen: SignedCheckpoint) -> Broken | Unchecked | None:
    """Name a checkpoint that no ledger of the reader's policy has signed: nothing can be held against it."""
    if case.policy is None:
        return Unchecked(reason=NO_POLICY)
    try:
        standing = evaluate(case.policy, seen)
    except BadSignature as error:
        return broken(None, expected=f"a signature by {error.key.name} under what was seen before", found="another")
    if standing.log is None:
        return broken(None, expected="a checkpoint seen before that a ledger you trust has signed", found="none by it")
    return None


def _judge(case: AnyLog, proof: LedgerProof) -> Standing | Result:
    if case.policy is None:
        return Unchecked(reason=NO_POLICY)
    try:
        return evaluate(case.policy, proof.signed)
    except BadSignature as error:
        expected = f"a signature by {error.key.name}+{error.key.key_id.hex()}"
        return broken(None, expected=expected, found="one that is not by it")


def find_entry(case: AnyLog, *event_types: type[Struct]) -> Entry | None:
    """Find the first line of one of these types."""
    return next((entry for entry in case.entries if isinstance(entry.event, event_types)), None)


def _at(result: Result, entry: Entry) -> Result:
    if not isinstance(result, Broken):
        return result
    return broken(entry.line.version, expected=result.expected, found=result.found)


def _held(proof: LedgerProof) -> Held:
    return Held(seen=f"index {proof.index} of {proof.signed.checkpoint.tree_size}")
