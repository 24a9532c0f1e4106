"""The same trees, tiles and notes by golang.org/x/mod/sumdb, which other people wrote (golang/main.go asks it)."""

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from domain.ledger.consistency import prove_consistency
from domain.ledger.inclusion import prove_inclusion
from domain.ledger.merkle import Subtree, root_hash
from domain.ledger.note import parse_note
from domain.ledger.note_key import format_note_key, parse_note_key, parse_note_seed, public_half
from domain.ledger.signers import BadSignature, NoKnownSigner, check_signed
from domain.ledger.spelling import Misspelt
from domain.ledger.tiles import Tile, format_tile_path, parse_tile_path, tiles_between
from tests.domain.ledger.reference_tree import leaf, read_from


class GoInclusion(Struct):
    tree_size: int
    index: int
    path: str


class GoConsistency(Struct):
    new_size: int
    old_size: int
    path: str


class GoTiles(Struct):
    old_size: int
    new_size: int
    count: int
    paths: str
    hashes: str


class GoTilePath(Struct):
    path: str
    valid: bool


class GoNote(Struct):
    note: str
    verdict: str
    signers: list[str]


class GoVectors(Struct):
    roots: dict[int, str]
    inclusions: list[GoInclusion]
    consistencies: list[GoConsistency]
    tiles: list[GoTiles]
    tile_paths: list[GoTilePath]
    keys: list[str]
    notes: list[GoNote]


GO = msgspec.json.decode((Path(__file__).parent / "golang" / "vectors.json").read_bytes(), type=GoVectors)
READ = read_from([leaf(index) for index in range(70_000)])


def test_roots_are_the_same() -> None:
    assert {size: root_hash(READ, size).hex() for size in GO.roots} == GO.roots


def test_inclusion_proofs_are_the_same() -> None:
    assert len(GO.inclusions) > 100
    for go in GO.inclusions:
        proof = prove_inclusion(READ, index=go.index, tree_size=go.tree_size)
        assert sha256(b"".join(proof.path)).hexdigest() == go.path, go


def test_consistency_proofs_are_the_same() -> None:
    assert len(GO.consistencies) > 100
    for go in GO.consistencies:
        proof = prove_consistency(READ, old_size=go.old_size, new_size=go.new_size)
        assert sha256(b"".join(proof.path)).hexdigest() == go.path, go


def test_tiles_are_the_same() -> None:
    for go in GO.tiles:
        tiles = list(tiles_between(go.old_size, go.new_size))
        paths = "".join(f"{format_tile_path(tile)}\n" for tile in tiles)
        hashes = b"".join(contents(tile) for tile in tiles)

        assert len(tiles) == go.count
        assert sha256(paths.encode()).hexdigest() == go.paths
        assert sha256(hashes).hexdigest() == go.hashes


@pytest.mark.parametrize("go", GO.tile_paths, ids=lambda go: go.path)
def test_the_same_paths_are_tiles(go: GoTilePath) -> None:
    try:
        parse_tile_path(go.path)
    except Misspelt:
        assert not go.valid
    else:
        assert go.valid


def test_keys_are_the_same() -> None:
    for private, public in zip(GO.keys[::2], GO.keys[1::2], strict=True):
        seed = parse_note_seed(private)
        public_key = Ed25519PrivateKey.from_private_bytes(seed.seed).public_key().public_bytes_raw()

        assert format_note_key(public_half(seed, public_key=public_key)) == public


@pytest.mark.parametrize("go", GO.notes, ids=lambda go: go.verdict)
def test_notes_are_judged_the_same(go: GoNote) -> None:
    ada, bob = parse_note_key(GO.keys[1]), parse_note_key(GO.keys[3])

    verdict, signers = "signed", []
    try:
        signers = [signer.key.name for signer in check_signed(parse_note(go.note.encode()), [ada, bob])]
    except Misspelt:
        verdict = "malformed"
    except BadSignature:
        verdict = "bad"
    except NoKnownSigner:
        verdict = "unknown"

    assert (verdict, signers) == (go.verdict, go.signers)


def contents(tile: Tile) -> bytes:
    first = tile.index * 256
    return b"".join(READ(Subtree(level=8 * tile.level, index=place)) for place in range(first, first + tile.width))
