"""Whether a proof includes a game's first line: its leaf at its index under the root of the checkpoint inside.

Who signed that checkpoint is not asked here: a log does not say whose keys to trust, so the audit judges that by its
reader's policy.
"""

from domain.game.state import Game
from domain.ids import StreamVersion
from domain.ledger.leaf import build_leaf, format_leaf
from domain.ledger.proof import check_proof, parse_proof


def check_opening_proof(game: Game, proof: str) -> None:
    """Check the proof that the ledger has line 1 of this game; raises Misspelt or BrokenProof."""
    leaf = build_leaf(
        bytes.fromhex(game.opened.leaf_key), stream=game.id, version=StreamVersion(1), line=game.opening_hash
    )
    check_proof(parse_proof(proof.encode()), format_leaf(leaf))
