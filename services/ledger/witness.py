"""A witness: cosigns a checkpoint that extends the last one it saw, once it has read every entry under it.

A log that forked is refused for ever, and one that has a line twice as long as it has. The memory is stored before an
answer, and one log is decided about one request at a time.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import structlog
from litestar import Litestar, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, RawBody
from msgspec import Struct

from domain.ledger.add_checkpoint import (
    REQUEST_SIZE_MAX,
    SIZE_MEDIA_TYPE,
    AddCheckpoint,
    parse_add_checkpoint,
)
from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint, format_signed_checkpoint
from domain.ledger.note import NoteSignature, format_signatures
from domain.ledger.spelling import Misspelt
from domain.ledger.witness import (
    Answer,
    Cosign,
    LogMemory,
    Refuse,
    RefusedBecause,
    WatchedLog,
    decide_cosigning,
    refuse_entries,
    refuse_malformed,
)
from infra.ledger_keys import WitnessSigner
from infra.witness_files import WitnessFiles, format_evidence, hash_origin

log = structlog.get_logger()

WITNESS_STATE, LOG_STATE = "witness", "log"
TEXT = "text/plain"


class Watcher(Struct, frozen=True, kw_only=True):
    """Judges the checkpoints of logs by its memory of them."""

    logs: Sequence[WatchedLog]
    files: WitnessFiles

    def find_log(self, origin: str) -> WatchedLog | None:
        return next((log for log in self.logs if log.origin == origin), None)

    def find_origin(self, origin_hash: str) -> str | None:
        return next((log.origin for log in self.logs if hash_origin(log.origin) == origin_hash), None)

    def recall(self, origin: str) -> LogMemory:
        return self.files.read_memory(hash_origin(origin))

    def foresee(self, request: AddCheckpoint) -> Answer:
        """Judge a request by the memory, and remember nothing of it."""
        origin = request.signed.checkpoint.origin
        watched = self.find_log(origin)
        memory = LogMemory() if watched is None else self.recall(origin)
        return decide_cosigning(watched, memory, request).answer

    def decide(self, request: AddCheckpoint) -> Answer:
        """Judge a request by the memory, and store the new memory before answering."""
        origin = request.signed.checkpoint.origin
        watched = self.find_log(origin)
        if watched is None:
            # No file for made-up names.
            return decide_cosigning(None, LogMemory(), request).answer
        name = hash_origin(origin)
        with self.files.held(name):
            memory = self.files.read_memory(name)
            verdict = decide_cosigning(watched, memory, request)
            if verdict.memory != memory:
                self.files.store_memory(name, verdict.memory)
        if verdict.memory.fork is not None:
            log.error("log_has_forked", origin=origin, evidence=str(self.files.evidence_path(name)))
        return verdict.answer


class Witness(Watcher, frozen=True, kw_only=True):
    """A watcher that signs its judgement."""

    signer: WitnessSigner
    now_s: Callable[[], int]

    def cosign(self, signed: SignedCheckpoint) -> NoteSignature:
        return self.signer.cosign(signed.note.text, time_s=self.now_s())


class EntriesRefused(Exception):
    """The entries of a log are not those of its checkpoint, or one is out of turn: no cosignature."""


class EntriesUnread(Exception):
    """The entries of a log cannot be read now: nothing speaks against them, and nothing for them."""


class Entries(Protocol):
    """The entries of the log that is watched."""

    async def check_entries(self, checkpoint: Checkpoint) -> None:
        """Read every entry up to a checkpoint, or raise EntriesRefused or EntriesUnread."""


async def judge(watcher: Watcher, log: Entries, request: AddCheckpoint) -> Answer:
    """Decide about a request; the entries that it would cosign are read first. Raises EntriesUnread."""
    answer = watcher.foresee(request)
    if isinstance(answer, Cosign):
        try:
            await log.check_entries(request.signed.checkpoint)
        except EntriesRefused as refused:
            return refuse_entries(str(refused))
    return watcher.decide(request)


def build_witness_app(witness: Witness, log: Entries) -> Litestar:
    return Litestar(
        route_handlers=[add_checkpoint, read_latest, read_fork],
        state=State({WITNESS_STATE: witness, LOG_STATE: log}),
        request_max_body_size=REQUEST_SIZE_MAX,
        openapi_config=None,
        logging_config=None,
    )


@post("/add-checkpoint")
async def add_checkpoint(body: RawBody, state: State) -> Response[bytes]:
    witness: Witness = state[WITNESS_STATE]
    try:
        answer = await judge(witness, state[LOG_STATE], parse_add_checkpoint(body))
    except Misspelt as error:
        answer = refuse_malformed(error)
    except EntriesUnread as unread:
        return Response(f"{unread}\n".encode(), media_type=TEXT, status_code=503)
    match answer:
        case Cosign(signed):
            lines = format_signatures((witness.cosign(signed),))
            return Response(lines.encode(), media_type=TEXT, status_code=200)
        case Refuse(reason, refusal):
            media_type = SIZE_MEDIA_TYPE if reason is RefusedBecause.OTHER_SIZE else TEXT
            return Response(refusal, media_type=media_type, status_code=int(reason))


@get("/{origin_hash:str}/checkpoint")
async def read_latest(origin_hash: FromPath[str], state: State) -> Response[bytes]:
    """Give the latest checkpoint with the log's signature and, as of now, the witness's."""
    witness, memory = _recall(state, origin_hash)
    # A client that asks about a forked log gets no answer that could be taken for a yes.
    if memory.latest is None or memory.fork is not None:
        raise NotFoundException
    lines = format_signatures((witness.cosign(memory.latest),)).encode()
    return Response(format_signed_checkpoint(memory.latest) + lines, media_type=TEXT)


@get("/{origin_hash:str}/fork")
async def read_fork(origin_hash: FromPath[str], state: State) -> Response[bytes]:
    """Show the evidence against a log."""
    _, memory = _recall(state, origin_hash)
    if memory.fork is None:
        raise NotFoundException
    return Response(format_evidence(memory.fork), media_type=TEXT)


def _recall(state: State, origin_hash: str) -> tuple[Witness, LogMemory]:
    witness: Witness = state[WITNESS_STATE]
    origin = witness.find_origin(origin_hash)
    if origin is None:
        raise NotFoundException
    return witness, witness.recall(origin)
