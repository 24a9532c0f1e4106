"""Whether a proof includes a stream's first line: its leaf at its index under the root of the checkpoint inside.

Who signed that checkpoint is not asked here: a log does not state whose keys to trust, so the audit judges that by its
reader's policy.
"""

from domain.ids import StreamVersion
from domain.ledger.broken_proof import BrokenProof
from domain.ledger.leaf import build_leaf, format_leaf
from domain.ledger.proof import check_proof, parse_proof
from domain.ledger.spelling import Misspelt
from domain.log.events import PROOF_CHARS_MAX
from domain.log.rejections import UnfitProof
from domain.log.state import StreamState


def check_opening_proof(state: StreamState, proof: str) -> None:
    """Check the proof that the ledger has line 1 of this stream, or raise UnfitProof."""
    if len(proof.encode()) > PROOF_CHARS_MAX:
        raise UnfitProof(expected=f"a proof of at most {PROOF_CHARS_MAX} bytes", found="a longer one")
    leaf = build_leaf(
        bytes.fromhex(state.opened.leaf_key), stream=state.id, version=StreamVersion(1), line=state.opening_hash
    )
    try:
        check_proof(parse_proof(proof.encode()), format_leaf(leaf))
    except (Misspelt, BrokenProof) as error:
        raise UnfitProof(expected=f"a proof that the ledger has line 1: {error.expected}", found=error.found) from None
