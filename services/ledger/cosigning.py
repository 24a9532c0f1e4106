"""Asks witnesses to cosign: each gets the newest checkpoint with the proof that it extends the last one they saw.

A witness that is away delays its own lines and nothing else.
"""

import asyncio
from hashlib import sha256

import httpx2
import structlog
from msgspec import Struct

from domain.ledger.add_checkpoint import SIZE_MEDIA_TYPE, AddCheckpoint, format_add_checkpoint, parse_witness_size
from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.note import NOTE_SIZE_MAX, Note, format_signatures, parse_signatures
from domain.ledger.note_key import NoteKey
from domain.ledger.policy import PolicyWitness
from domain.ledger.signers import BadSignature, NoKnownSigner, check_signed
from domain.ledger.spelling import Misspelt
from infra.ledger_store import Ledger
from infra.store_faults import StoreUnavailable
from services.ledger.bounded_answers import Answer, send
from services.ledger.busy import read_pause
from services.ledger.proofs import LedgerProofs
from services.ledger.signed_memory import signed_by_log_alone

log = structlog.get_logger()

# A witness stores one small file before it answers.
ANSWER_TIMEOUT_S = 5.0
# So much of a refusal is in the log.
QUOTED_MAX = 200
# As often as there can be something new to cosign.
LOOK_EVERY_S = 1.0
# A witness that refused or was away is left alone for this time, and twice as long after each further refusal, up to
# the second. Its own rate and the pause that it asks for may be longer.
REFUSED_PAUSE_S = 15.0
REFUSED_PAUSE_MAX_S = 300.0
# One that answers 409 states where it stands, and is asked once more from there.
ATTEMPTS_MAX = 2


class WitnessRefused(Exception):
    """A witness did not cosign; it may tomorrow. `retry_after_s` is the pause that it asked for."""

    def __init__(self, witness: str, reason: str, *, retry_after_s: float = 0.0) -> None:
        self.witness = witness
        self.reason = reason
        self.retry_after_s = retry_after_s
        super().__init__(f"{witness} did not cosign: {reason}")


class Patience:
    """How long one witness is left alone: at its rate while it cosigns, longer and longer while it does not."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._refused_s = 0.0

    def after_answer(self) -> float:
        self._refused_s = 0.0
        return self._every_s

    def after_refusal(self, retry_after_s: float) -> float:
        self._refused_s = min(max(REFUSED_PAUSE_S, 2 * self._refused_s), REFUSED_PAUSE_MAX_S)
        return max(self._every_s, self._refused_s, retry_after_s)


class Cosigning(Struct, frozen=True, kw_only=True):
    """The parts with which witnesses are asked."""

    ledger: Ledger
    proofs: LedgerProofs
    client: httpx2.AsyncClient
    log_key: NoteKey
    # Between two requests to one witness. A public list of logs states how many it may have in a day.
    ask_every_s: float = LOOK_EVERY_S

    @property
    def origin(self) -> str:
        return self.log_key.name


async def ask_for_ever(cosigning: Cosigning, witness: PolicyWitness) -> None:
    """Have each newest checkpoint cosigned by one witness, for as long as the notary is the notary."""
    cosigned_size: int | None = None
    patience = Patience(cosigning.ask_every_s)
    while True:
        pause_s = LOOK_EVERY_S
        try:
            newest = await cosigning.ledger.find_checkpoint(cosigning.origin)
            if newest is not None and newest.tree_size != cosigned_size:
                signed = parse_signed_checkpoint(newest.note)
                line = await ask(cosigning, witness, signed, old_size=cosigned_size or 0)
                size = cosigned_size = newest.tree_size
                await cosigning.ledger.cosign(cosigning.origin, tree_size=size, witness=witness.name, line=line)
                pause_s = patience.after_answer()
        except WitnessRefused as refused:
            pause_s = patience.after_refusal(refused.retry_after_s)
            log.warning("cosignature_refused", witness=witness.name, reason=refused.reason, pause_s=pause_s)
        except StoreUnavailable as unavailable:
            log.warning("cosignature_not_kept", witness=witness.name, reason=str(unavailable))
        await asyncio.sleep(pause_s)


async def ask(cosigning: Cosigning, witness: PolicyWitness, signed: SignedCheckpoint, *, old_size: int) -> str:
    """Return the witness's line for a checkpoint. Raises WitnessRefused."""
    url = f"{_base(witness)}/add-checkpoint"
    shown = signed_by_log_alone(signed, cosigning.log_key)
    for _ in range(ATTEMPTS_MAX):
        proof = await cosigning.proofs.prove_consistency(old_size=old_size, new_size=signed.checkpoint.tree_size)
        request = AddCheckpoint(old_size=old_size, path=proof.path, signed=shown)
        try:
            answer = await _send(cosigning, url, format_add_checkpoint(request))
        except httpx2.HTTPError as error:
            raise WitnessRefused(witness.name, f"{type(error).__name__}: {error}") from error
        if answer.status != httpx2.codes.CONFLICT or SIZE_MEDIA_TYPE not in answer.headers.get("content-type", ""):
            break
        old_size = _read_size(answer, witness)
        if old_size > signed.checkpoint.tree_size:
            raise WitnessRefused(witness.name, f"it has seen {old_size} leaves already")
    if answer.status != httpx2.codes.OK:
        said = f"status {answer.status}: {_quote(answer)}"
        raise WitnessRefused(witness.name, said, retry_after_s=read_pause(answer.headers))
    return _read_line(answer, witness, signed)


async def fetch_latest(cosigning: Cosigning, witness: PolicyWitness) -> Checkpoint | None:
    """Return the newest checkpoint the witness has cosigned, None if it has none or cannot be asked now."""
    name = sha256(cosigning.origin.encode()).hexdigest()
    try:
        answer = await _send(cosigning, f"{_base(witness)}/{name}/checkpoint")
        if answer.status == httpx2.codes.OK:
            signed = parse_signed_checkpoint(answer.content)
            check_signed(signed.note, (cosigning.log_key,))
            return signed.checkpoint
        reason = f"status {answer.status}"
    except (httpx2.HTTPError, Misspelt, BadSignature, NoKnownSigner) as error:
        reason = f"{type(error).__name__}: {error}"
    # A witness that is down must not keep the server down; the file beside the key has been asked as well.
    log.warning("witness_not_asked", witness=witness.name, reason=reason)
    return None


async def _send(cosigning: Cosigning, url: str, content: bytes | None = None) -> Answer:
    return await send(cosigning.client, url, size_max=NOTE_SIZE_MAX, timeout_s=ANSWER_TIMEOUT_S, content=content)


def _quote(answer: Answer) -> str:
    return repr(answer.content[:QUOTED_MAX].decode(errors="replace"))


def _base(witness: PolicyWitness) -> str:
    assert witness.url is not None, "only witnesses with an address are asked"
    return witness.url.removesuffix("/")


def _read_size(answer: Answer, witness: PolicyWitness) -> int:
    try:
        return parse_witness_size(answer.content)
    except Misspelt as error:
        raise WitnessRefused(witness.name, str(error)) from error


def _read_line(answer: Answer, witness: PolicyWitness, signed: SignedCheckpoint) -> str:
    """Keep the one line that is by the witness's key, once it is known to be."""
    try:
        lines = parse_signatures(answer.content.decode())
        check_signed(Note(text=signed.note.text, signatures=lines), (witness.key,))
    except (Misspelt, BadSignature, NoKnownSigner, UnicodeDecodeError) as error:
        raise WitnessRefused(witness.name, str(error)) from error
    own = tuple(line for line in lines if (line.name, line.key_id) == (witness.key.name, witness.key.key_id))
    return format_signatures(own[:1])
