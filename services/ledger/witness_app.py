"""The HTTP of a witness: requests to cosign a checkpoint, the latest one, and the evidence against a log."""

from litestar import Litestar, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, RawBody

from domain.ledger.add_checkpoint import REQUEST_SIZE_MAX, SIZE_MEDIA_TYPE, parse_add_checkpoint
from domain.ledger.checkpoint import format_signed_checkpoint
from domain.ledger.note import format_signatures
from domain.ledger.spelling import Misspelt
from domain.ledger.witness import Cosign, LogMemory, Refuse, RefusedBecause, refuse_malformed
from infra.witness_files import format_evidence
from services.ledger.witness import Entries, EntriesUnread, Witness, judge

WITNESS_STATE, LOG_STATE = "witness", "log"
TEXT = "text/plain"


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
