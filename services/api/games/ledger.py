"""The public ledger over HTTP, at the paths and in the forms of C2SP tiled logs, and proofs for single events.

Leaves are blinded, so checkpoint, tiles and entries are public. A proof names the place of an event: a caller who may
not see the event gets none.
"""

from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, PathParameter

from domain.ledger.checkpoint import format_signed_checkpoint
from domain.ledger.policy_file import format_policy
from domain.ledger.proof import format_proof
from domain.ledger.spelling import Misspelt
from domain.ledger.tiles import parse_tile_path
from services.api.http.documented import Described, gives
from services.api.http.parts import Parts
from services.api.http.versions import NoSuchVersion, look, require_version
from services.ledger.public_ledger import PublicLedger
from services.reading.access import Caller

LEDGER_STATE = "ledger"
# The framework adds that it is UTF-8.
TEXT = "text/plain"
BINARY = "application/octet-stream"
# A new checkpoint comes about once a second.
FRESH = "public, max-age=1"
# A tile of a width never changes.
FOR_EVER = "public, max-age=31536000, immutable"
# An event gets its proof once and for all, except that a witness may still be missing.
PROOF_AGE = "max-age=60"


class NotYetInLedger(NoSuchVersion):
    """The event is there, and no checkpoint covers it yet: in a second or two, unless the notary is stopped."""

    code = "not-yet-in-ledger"


@get(
    "/v1/ledger/checkpoint",
    operation_class=Described,
    operation_id="read_checkpoint",
    summary="Read the newest signed checkpoint",
    description="A C2SP checkpoint: the size and the root of the log, signed by its ledger and its witnesses.",
    tags=["ledger"],
    responses=gives(str, "A signed note", TEXT),
)
async def read_checkpoint(ledger: NamedDependency[PublicLedger]) -> Response[bytes]:
    signed = await ledger.find_checkpoint()
    if signed is None:
        raise NotFoundException
    return _answer(format_signed_checkpoint(signed), TEXT, FRESH)


@get(
    "/v1/ledger/tile/{path:path}",
    operation_class=Described,
    operation_id="read_tile",
    summary="Read a tile of hashes, or a bundle of entries",
    description="`<level>/<index>` or `entries/<index>`, with `.p/<width>` where it is partial.",
    tags=["ledger"],
    responses=gives(bytes, "A tile or a bundle", BINARY),
)
async def read_tile(path: Annotated[str, PathParameter()], ledger: NamedDependency[PublicLedger]) -> Response[bytes]:
    try:
        wanted = parse_tile_path(f"tile/{str(path).removeprefix('/')}")
    except Misspelt:
        raise NotFoundException from None
    found = await ledger.find_file(wanted)
    if found is None:
        raise NotFoundException
    return _answer(found, BINARY, FOR_EVER)


@get(
    "/v1/ledger/policy",
    operation_class=Described,
    operation_id="read_policy",
    summary="Read the log's key and its witnesses, as a trust policy",
    description="A convenience. What a verifier trusts must come from elsewhere.",
    tags=["ledger"],
    responses=gives(str, "A tlog-policy", TEXT),
)
async def read_policy(ledger: NamedDependency[PublicLedger]) -> Response[bytes]:
    return _answer(format_policy(ledger.policy), TEXT, FRESH)


@get(
    "/v1/ledger/proofs/{game:str}/{version:int}",
    operation_class=Described,
    operation_id="read_proof",
    summary="Read the proof that an event is in the ledger",
    description="A `.tlog-proof` file, under the first checkpoint that covers the event and has the quorum.",
    tags=["ledger"],
    responses=gives(str, "A tlog-proof", TEXT),
)
async def read_proof(
    game: FromPath[str],
    version: FromPath[int],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    ledger: NamedDependency[PublicLedger],
) -> Response[bytes]:
    sight = await look(parts, game, caller)
    proof = await ledger.find_proof(sight.game, require_version(sight, version))
    if proof is None:
        raise NotYetInLedger(expected="an event under a published checkpoint", found=f"{sight.game} {version}")
    age = f"public, {PROOF_AGE}" if caller.is_anyone else f"private, {PROOF_AGE}"
    name = f'attachment; filename="{sight.game}-{version}.tlog-proof"'
    return _answer(format_proof(proof), TEXT, age, disposition=name)


LEDGER_ROUTES: tuple[HTTPRouteHandler, ...] = (read_checkpoint, read_tile, read_policy, read_proof)


def _answer(content: bytes, media_type: str, cached: str, *, disposition: str | None = None) -> Response[Any]:
    headers = {"cache-control": cached}
    if disposition is not None:
        headers["content-disposition"] = disposition
    return Response(content, media_type=media_type, headers=headers)
