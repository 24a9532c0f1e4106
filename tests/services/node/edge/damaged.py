"""Damaged requests as bytes, from a seed: heads, halves and pipelines, handshakes and frames."""

import json
import random
from collections.abc import Callable

from websockets.frames import Frame, Opcode

from domain.canonical import encode
from tests.services.api.player import GAME
from tests.services.api.test_mutated_bodies import BODIES, POISON, cut, flip_bytes, mutate, splice

Random = random.Random
# Ends a connection whose other requests have all been answered.
LAST = b"GET /v1/health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
READS = (
    b"/v1/health",
    b"/v1/games?status=finished&limit=5",
    b"/v1/account/games",
    b"/v1/tournaments",
    b"/v1/rulesets",
    b"/web/game.css",
    b"/games/" + GAME.encode(),
    *(
        b"/v1/games/" + GAME.encode() + rest
        for rest in (b"", b"?at=1", b"/boards?from=1", b"/events?after=0", b"/audit")
    ),
)
# In the place of a target, of a field's value, or of a whole line: each has broken a parser somewhere.
TARGETS = (
    b"*",
    b"//",
    b"/v1/games/../players",
    b"/v1/games/%00",
    b"/v1/games/%ff%fe",
    b"/v1/games/%2e%2e%2fplayers",
    b"/v1/games?at=%d9%a3&after=-1&limit=1e9",
    b"/v1/games?" + b"a=1&" * 500,
    b"/" + b"x" * 40_000,
    b"http://elsewhere:99999/v1/games",
    b"/\xff\xfe",
    b"elsewhere:443",
    b"",
)
VALUES = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b"-1",
    b"+5",
    b"0x10",
    b"1e3",
    b"5, 5",
    b"99999999999999999999999999",
    b"chunked",
    b"chunked, identity",
    b"gzip",
    b"100-continue",
    b"bytes=0-0,1-1,5-",
    b'W/"x", "y"',
    b"application/json; charset=\xff",
    b"Bearer " + b"x" * 5_000,
    b"spina=" + b"=;" * 2_000,
    b"x" * 40_000,
)
LINES = (
    b": no name",
    b"no colon",
    b" folded",
    b"content-length: 3",
    b"transfer-encoding: chunked",
    b"transfer-encoding : chunked",
    b"upgrade: h2c\r\nconnection: upgrade",
    b"connection: close",
    b"expect: 100-continue",
    b"host: b",
    b"x\x00y: z",
)
METHODS = (b"GET", b"HEAD", b"OPTIONS", b"PUT", b"TRACE", b"CONNECT", b"BREW", b"get", b"PRI")
VERSIONS = (b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/1.1 ", b"http/1.1", b"")
HANDSHAKE = [
    b"GET /v1/games/" + GAME.encode() + b"/socket HTTP/1.1",
    b"host: a",
    b"connection: upgrade",
    b"upgrade: websocket",
    b"sec-websocket-version: 13",
    b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
]


def write_request(rng: Random, token: str) -> bytes:
    """Write a request that may be whole, with a damaged head or with a damaged body."""
    fields = [b"host: a", b"accept: application/json"]
    if rng.random() < 0.5:
        fields.append(b"authorization: Bearer " + token.encode())
    body = b""
    if rng.random() < 0.5:
        target = b" /v1" + rng.choice(sorted(BODIES)).encode()
        body = mutate(rng, BODIES[target.decode().removeprefix(" /v1")])
        fields += [b"content-type: application/json", b"content-length: %d" % len(body)]
        lines = [b"POST" + target + b" HTTP/1.1", *fields]
        if rng.random() < 0.2:
            lines[-1], body = b"transfer-encoding: chunked", chunk(rng, body)
    else:
        lines = [b"GET " + rng.choice(READS) + b" HTTP/1.1", *fields]
    return write_head(rng, lines) + body


def write_handshake(rng: Random) -> bytes:
    lines = list(HANDSHAKE)
    return write_head(rng, lines) if rng.random() < 0.3 else b"\r\n".join([*lines, b"", b""])


def write_head(rng: Random, lines: list[bytes]) -> bytes:
    for _ in range(rng.randint(0, 2)):
        rng.choice(OF_LINES)(rng, lines)
    head = b"\r\n".join([*lines, b"", b""])
    if rng.random() < 0.3:
        head = rng.choice((flip_bytes, cut, splice))(rng, head)
    return head if rng.random() < 0.95 else head.replace(b"\r\n", b"\n")


def poison_first(rng: Random, lines: list[bytes]) -> None:
    parts = [*lines[0].split(b" "), b"", b""][:3]
    place = rng.randrange(3)
    parts[place] = rng.choice((METHODS, TARGETS, VERSIONS)[place])
    lines[0] = b" ".join(parts)


def poison_field(rng: Random, lines: list[bytes]) -> None:
    place = rng.randrange(1, len(lines)) if len(lines) > 1 else 0
    lines[place] = lines[place].partition(b":")[0] + b": " + rng.choice(VALUES)


def drop_line(rng: Random, lines: list[bytes]) -> None:
    if len(lines) > 1:
        del lines[rng.randrange(len(lines))]


def add_line(rng: Random, lines: list[bytes]) -> None:
    lines.insert(rng.randrange(len(lines) + 1), rng.choice((*LINES, rng.choice(lines))))


OF_LINES: tuple[Callable[[Random, list[bytes]], None], ...] = (poison_first, poison_field, drop_line, add_line)


def chunk(rng: Random, body: bytes) -> bytes:
    """Write a body in two chunks, whose sizes may be wrong."""
    half = len(body) // 2
    chunks = [b"%x\r\n%b\r\n" % (len(each), each) for each in (body[:half], body[half:]) if each]
    whole = b"".join(chunks) + b"0\r\n\r\n"
    return rng.choice((flip_bytes, cut, splice))(rng, whole) if rng.random() < 0.5 else whole


def write_frame(rng: Random) -> bytes:
    """Write a frame: a command with a damaged body or an odd frame; its bytes may be damaged too."""
    raw = rng.choice((write_command, write_odd_frame))(rng)
    return rng.choice((flip_bytes, cut, splice))(rng, raw) if rng.random() < 0.3 else raw


def write_command(rng: Random) -> bytes:
    do = rng.choice(("seals", "resign", "previews", "actions", "rulings", "nothing"))
    body = mutate(rng, BODIES.get(f"/games/{GAME}/{do}", {}))
    number = rng.choice((b"1", rng.choice(POISON)))
    text = b'{"request":%b,"do":%b,"body":%b}' % (number, json.dumps(do).encode(), body)
    return Frame(Opcode.TEXT, text).serialize(mask=True)


def write_odd_frame(rng: Random) -> bytes:
    opcode = rng.choice(list(Opcode))
    data = rng.choice(
        (b"", b"\x03", b"\x03\xee\xff", b"\x00\x00", b"\xff\xfe", encode({"do": 1}), b"x" * 200, b"x" * 70_000)
    )
    raw = bytearray(
        b"%c%c" % (opcode | rng.choice((0x80, 0x80, 0x80, 0x00, 0xC0, 0xF0)), rng.choice((0x80, 0x80, 0x00)))
    )
    size = rng.choice((len(data), len(data), len(data), 2**63, 2**64 - 1, 0))
    if size < 126:
        raw[1] |= size
    elif size < 2**16:
        raw[1] |= 126
        raw += size.to_bytes(2, "big")
    else:
        raw[1] |= 127
        raw += size.to_bytes(8, "big")
    return bytes(raw) + (b"\0\0\0\0" if raw[1] & 0x80 else b"") + data
