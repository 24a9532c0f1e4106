"""Python's answer to each vector, one function a kind. The browser's are in browser_reader.js."""

import base64
import hmac
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from domain.audit.archive import BadArchive
from domain.audit.bundle import parse_bundle
from domain.canonical import NotCanonical, parse
from domain.chance import (
    LINKS_PER_CHAIN,
    Chance,
    DeckShuffled,
    DiceRolled,
    DrawDoesNotFit,
    Secret,
    after_shuffle,
    check_dice,
    check_shuffle,
    commit,
    contribute,
    deck_order,
    derive_anchors,
    open_chance,
)
from domain.derived_ids import derive_record
from domain.ids import GameId
from domain.keyed_numbers import below, faces, keyed_blocks, shuffle_order, split_words
from domain.ledger.broken_proof import BrokenProof
from domain.ledger.checkpoint import parse_checkpoint
from domain.ledger.inclusion import Inclusion, check_inclusion
from domain.ledger.leaf import build_leaf, format_leaf
from domain.ledger.note import parse_note
from domain.ledger.note_key import parse_note_key
from domain.ledger.policy import has_quorum
from domain.ledger.policy_file import parse_policy
from domain.ledger.proof import check_proof, parse_proof
from domain.ledger.signers import BadSignature, find_signers
from domain.ledger.spelling import Misspelt, format_base64
from domain.links import build_links
from domain.log.record import BadLine, BrokenChain, line_hash, parse_line, read_chain
from domain.seal import seal_action
from domain.signature import encode_signed, is_signed_by, signed_input

# A vector's own fields; each kind has others, and the functions below name them.
Given: TypeAlias = dict[str, Any]

REFUSALS = (NotCanonical, BadLine, BrokenChain, DrawDoesNotFit, Misspelt, BrokenProof, BadSignature, BadArchive)


def say(kind: str, given: Given) -> Any:
    """Return the value of a vector, or "refused"."""
    try:
        return KINDS[kind](given)
    except REFUSALS:
        return "refused"


def read_canonical(given: Given) -> Any:
    return parse(bytes.fromhex(given["bytes"]))


def read_line(given: Given) -> Any:
    raw = given["text"].encode()
    line = parse_line(raw)
    return {"hash": line_hash(raw), "type": line.type, "version": line.version}


def read_lines(given: Given) -> Any:
    return [head for _, head in read_chain(line.encode() for line in given["lines"])][-1]


def make_commitment(given: Given) -> Any:
    secret = Secret(bytes.fromhex(given["secret"]))
    return {"commit": commit(GameId(given["game"]), secret), "anchors": list(derive_anchors(secret, given["chains"]))}


def make_link(given: Given) -> Any:
    last = hmac.digest(bytes.fromhex(given["secret"]), b"spina/links/v1/%d" % given["chain"], "sha256")
    return build_links(last, LINKS_PER_CHAIN)[given["index"]]


def mix_pool(given: Given) -> Any:
    chance = open_given(given, secret=None)
    return after_shuffle(chance, DeckShuffled(label="deck:1", deck="deck", size=0)).pool.hex()


def check_roll(given: Given) -> Any:
    check_dice(open_given(given, secret=None), msgspec.convert(given["rolled"], DiceRolled))
    return "fits"


def order_deck(given: Given) -> Any:
    chance = open_given(given, secret=Secret(bytes.fromhex(given["secret"])))
    shuffled = msgspec.convert(given["shuffled"], DeckShuffled)
    check_shuffle(chance, shuffled)
    return list(deck_order(after_shuffle(chance, shuffled), shuffled))


def open_given(given: Given, *, secret: Secret | None) -> Chance:
    chance = open_chance(GameId(given["game"]), tuple(given["anchors"]), secret)
    for contribution in given["contributions"]:
        chance = contribute(chance, seat=contribution["seat"], nonce=contribution["nonce"])
    return chance


def make_faces(given: Given) -> Any:
    return list(faces(bytes.fromhex(given["key"]), dice=given["dice"], sides=given["sides"]))


def make_order(given: Given) -> Any:
    return list(shuffle_order(bytes.fromhex(given["key"]), given["size"]))


def digest_numbers(given: Given) -> Any:
    """Hash many numbers below a bound at which some words are passed over."""
    words = split_words(keyed_blocks(bytes.fromhex(given["key"])))
    return digest(str(below(words, given["below"])) for _ in range(given["count"]))


def digest(numbers: Iterable[str]) -> str:
    return sha256(",".join(numbers).encode()).hexdigest()


def make_seal(given: Given) -> Any:
    return seal_action(
        game=GameId(given["game"]),
        seat=given["seat"],
        decision=given["decision"],
        salt=given["salt"],
        action=bytes.fromhex(given["action"]),
    )


def check_signature(given: Given) -> Any:
    message = encode_signed(given["payload_type"], given["body"].encode())
    return is_signed_by(message, key_hex=given["key"], sig_hex=given["sig"])


def encode_input(given: Given) -> Any:
    return signed_input(
        base=given["base"], command=given["command"], data=given["data"], stream=given["stream"], type_=given["type"]
    ).decode()


def make_leaf(given: Given) -> Any:
    leaf = build_leaf(
        bytes.fromhex(given["leaf_key"]), stream=given["stream"], version=given["version"], line=given["hash"]
    )
    return format_leaf(leaf).decode()


def make_record_id(given: Given) -> Any:
    return derive_record(given["ledger"])


def read_policy(given: Given) -> Any:
    policy = parse_policy(given["policy"].encode())
    return {
        "logs": [log.key.name for log in policy.logs],
        "witnesses": [witness.name for witness in policy.witnesses],
        "quorum": policy.quorum,
        "is_met": has_quorum(policy, given["seen"]),
    }


def read_note_key(given: Given) -> Any:
    key = parse_note_key(given["key"])
    return {"name": key.name, "kind": key.kind, "id": key.key_id.hex(), "public": key.public_key.hex()}


def list_signers(given: Given) -> Any:
    note = parse_note(given["note"].encode())
    signers = find_signers(note, [parse_note_key(key) for key in given["keys"]])
    return [f"{signer.key.name}+{signer.key.key_id.hex()}" for signer in signers]


def read_checkpoint(given: Given) -> Any:
    checkpoint = parse_checkpoint(given["text"])
    return {
        "origin": checkpoint.origin,
        "tree_size": str(checkpoint.tree_size),
        "root": format_base64(checkpoint.root),
    }


def check_path(given: Given) -> Any:
    path = tuple(base64.b64decode(each) for each in given["path"])
    inclusion = Inclusion(index=int(given["index"]), tree_size=int(given["tree_size"]), path=path)
    check_inclusion(inclusion, leaf=base64.b64decode(given["leaf"]), root=base64.b64decode(given["root"]))
    return "included"


def read_proof(given: Given) -> Any:
    proof = parse_proof(given["proof"].encode())
    check_proof(proof, bytes.fromhex(given["entry"]))
    return {"index": str(proof.index), "tree_size": str(proof.signed.checkpoint.tree_size)}


def read_bundle(given: Given) -> Any:
    bundle = parse_bundle(base64.b64decode(given["bundle"]))
    return {"log": bundle.log.decode(), "has_proof": bundle.last_proof is not None}


KINDS: dict[str, Callable[[Given], Any]] = {
    "canonical": read_canonical,
    "line": read_line,
    "chain": read_lines,
    "commitment": make_commitment,
    "link": make_link,
    "pool": mix_pool,
    "roll": check_roll,
    "shuffle": order_deck,
    "faces": make_faces,
    "order": make_order,
    "numbers": digest_numbers,
    "seal": make_seal,
    "signature": check_signature,
    "signed-input": encode_input,
    "leaf": make_leaf,
    "record-id": make_record_id,
    "note-key": read_note_key,
    "policy": read_policy,
    "signers": list_signers,
    "checkpoint": read_checkpoint,
    "inclusion": check_path,
    "proof": read_proof,
    "bundle": read_bundle,
}
