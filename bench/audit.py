"""The cost of an audit, beside decoding and hashing alone, beside bare signatures, and for a folder on every core."""

import hashlib
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.figures import BEST, PER_S, Asked, Figures, Row, time_side_by_side
from bench.recorded_games import GAME, SECRET, play
from domain.audit.bundle import Bundle, build_howto, format_bundle
from domain.audit.case import NO_TRUST, Case
from domain.audit.deadlines import find_clock_misfit
from domain.audit.signatures import check_signatures
from domain.audit.verify import verify
from domain.audit.walk import walk
from domain.canonical import encode
from domain.chance import Secret
from domain.game.kind import GAMES
from domain.log.record import GENESIS, line_hash
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import RELEASED, Rebuilder
from domain.signature import is_signed_by, signed_input
from infra.ruleset_files import load_ruleset
from services.audits.audit import BROKEN, Terms, audit_files, sum_up
from services.audits.files import find_files

ROUNDS = 5
EVENTS_PER_S = f"events {PER_S}"


async def measure(asked: Asked) -> list[Figures]:
    return [figures for kit in asked.kits for figures in measure_audits(kit, events=asked.size(500_000, 10_000))]


def measure_audits(kit: Kit, *, events: int) -> tuple[Figures, Figures]:
    """Play one game, then audit it alone, signed, and from as many files as make up so many events."""
    ruleset = load_ruleset(kit)
    raws = play(ruleset, Secret(SECRET), options=kit.short)
    files = max(events // len(raws), 1)
    rebuilder, decode = Rebuilder(), msgspec.json.decode
    bundle, signed = _bundle(raws, ruleset), _bundle(sign_log(raws), ruleset)
    reading: dict[str, Row] = time_side_by_side(
        {
            "msgspec.json.decode + sha256": lambda: [(decode(raw), hashlib.sha256(raw).digest()) for raw in raws],
            "every check": lambda: verify(bundle, rebuilder=rebuilder),
        },
        rounds=ROUNDS,
    )
    messages = list_signed(signed.log.splitlines())
    processes = os.cpu_count() or 1
    reading["every check"][EVENTS_PER_S] = len(raws) / reading["every check"][BEST] * 1000
    elapsed_s = _time_folder(bundle, files, processes)
    reading[f"{files} files by {processes} processes"] = {EVENTS_PER_S: files * len(raws) / elapsed_s}
    title = f"verifying {kit.reference}, {len(raws)} events"
    signed_rows = _time_signed(signed, rebuilder, messages)
    return Figures(title=title, rows=reading), Figures(title=f"{title}, {len(messages)} signatures", rows=signed_rows)


def sign_log(raws: Sequence[bytes]) -> list[bytes]:
    """Give every seat a key and sign its inputs; no outcome depends on that, so the log stays as good."""
    signed: list[bytes] = []
    for raw in raws:
        fields = msgspec.json.decode(raw)
        fields["prev"] = line_hash(signed[-1]) if signed else GENESIS
        if fields["by"].startswith("seat:"):
            fields["base"] = fields["prev"]
            key = _key_of(fields["by"])
            if fields["type"] == "seat_taken":
                fields["data"]["key"] = key.public_key().public_bytes_raw().hex()
            fields["sig"] = key.sign(_message_of(fields)).hex()
        signed.append(encode(fields))
    return signed


def list_signed(raws: Sequence[bytes]) -> list[tuple[bytes, str, str]]:
    """List each message that was signed, with its key and signature."""
    found = []
    for raw in raws:
        fields = msgspec.json.decode(raw)
        if fields["sig"] is not None:
            found.append(
                (_message_of(fields), _key_of(fields["by"]).public_key().public_bytes_raw().hex(), fields["sig"])
            )
    return found


def _message_of(fields: dict[str, Any]) -> bytes:
    return signed_input(
        base=fields["base"],
        command=fields["command"],
        data=fields["data"],
        stream=fields["stream"],
        type_=fields["type"],
    )


def _time_signed(signed: Bundle, rebuilder: Rebuilder, messages: Sequence[tuple[bytes, str, str]]) -> dict[str, Row]:
    """Time the bare signatures, the three parts that take nearly all of an audit's time, and the whole."""
    case = Case(signed, rebuilder, NO_TRUST)
    return time_side_by_side(
        {
            "Ed25519 alone": lambda: [
                is_signed_by(message, key_hex=key, sig_hex=sig) for message, key, sig in messages
            ],
            "reading the lines": lambda: Case(signed, rebuilder, NO_TRUST),
            "deciding again": lambda: walk(GAMES, case.entries, case.ruleset, case.disclosed, judge=find_clock_misfit),
            "checking the signatures": lambda: check_signatures(case),
            "every check": lambda: verify(signed, rebuilder=rebuilder),
        },
        rounds=ROUNDS,
    )


def _time_folder(bundle: Bundle, files: int, processes: int) -> float:
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        for number in range(files):
            (Path(folder) / f"{number:06d}.spina.zip").write_bytes(format_bundle(bundle))
        started = time.perf_counter()
        found = find_files([Path(folder)])
        audit = sum_up(tuple(audit_files(found, Terms(trust=NO_TRUST, builders=RELEASED), processes=processes)))
        elapsed_s = time.perf_counter() - started
    assert audit.exit_code != BROKEN, "a measured bundle did not hold"
    return elapsed_s


def _bundle(raws: Sequence[bytes], ruleset: AnyRuleset) -> Bundle:
    log = b"".join(raw + b"\n" for raw in raws)
    return Bundle(log=log, components=ruleset.components, howto=build_howto(GAME))


def _key_of(by: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(by.encode()).digest())
