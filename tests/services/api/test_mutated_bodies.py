"""Thousands of damaged bodies, from a seed: each is answered with a typed problem, and the log stays as it was.

Their sender holds no seat, so that the game refuses any that is still a command after the damage.
"""

import random
from typing import Any

import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import Example, RequestBody

from domain.canonical import encode
from services.api.app import ALL_ROUTES
from services.api.http import examples
from services.api.http.problems import TYPE_PREFIX
from tests.services.api.player import GAME, expect, register, seat_two
from tests.services.api.server import Api

SEED = 1_795_003_200
PLACES = {"{game:str}": GAME, "{tournament:str}": examples.TOURNAMENT}


def list_bodies() -> dict[str, dict[str, Any]]:
    """List the first example of every operation with a body, by its path below `/v1`."""
    bodies = {}
    for handler in ALL_ROUTES:
        if isinstance(handler, HTTPRouteHandler) and "POST" in handler.http_methods:
            path = min(handler.paths)
            for name, value in PLACES.items():
                path = path.replace(name, value)
            request_body = handler.operation_class().request_body
            if isinstance(request_body, RequestBody):
                (example, *_) = (request_body.content["application/json"].examples or {}).values()
                assert isinstance(example, Example)
                assert isinstance(example.value, msgspec.Raw)
                bodies[path.removeprefix("/v1")] = msgspec.json.decode(example.value)
    return bodies


BODIES = list_bodies()
# No ruleset of the release is built for a body: the harness plays one of its own.
BODIES["/games"] |= {"ruleset": "torches@1", "options": {"rounds": 2, "lives": 3, "omens": 0}}
# In the place of any value: each has broken a decoder, an encoder or a database somewhere.
POISON = [
    b"null",
    b"true",
    b"-1",
    b"0",
    b"12",
    b"9007199254740993",
    b"99999999999999999999999999999999999999999",
    b"-" + b"9" * 400,
    b"1.5",
    b"1e400",
    b"-0",
    b"NaN",
    b'""',
    b'"\\u0000"',
    b'"\\ud800"',
    b'"\\ud800\\u0041"',
    b'"\\udfff\\ud800"',
    b'"\xff\xfe"',
    b'"\xed\xa0\x80"',
    b'"' + b"a" * 5_000 + b'"',
    b'"0199c0de-0000-7000-8000-000000000001\\n"',
    b"[]",
    b"[[[[[[[[]]]]]]]]",
    b"[" * 5_000 + b"]" * 5_000,
    b"{}",
    b'{"a":1,"a":2}',
    b'{"\\u0000":{"\\ud83d\\ude00":[]}}',
    b'{"__proto__":{"x":1}}',
    b"[" + b"0," * 3_000 + b"0]",
]


def mutate(rng: random.Random, body: dict[str, Any]) -> bytes:
    """Damage a body in one to three places: a value, a member, or the bytes themselves."""
    raw = encode(body)
    for _ in range(rng.randint(1, 3)):
        raw = rng.choice(MUTATIONS)(rng, raw)
    return raw


def poison_value(rng: random.Random, raw: bytes) -> bytes:
    try:
        body = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        return raw
    if not isinstance(body, dict) or not body:
        return raw
    *_, holder = walk_down(rng, body)
    key = rng.choice(sorted(holder))
    holder[key] = msgspec.Raw(rng.choice(POISON))
    return msgspec.json.encode(body)


def walk_down(rng: random.Random, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Go down into objects that have members, some of the time."""
    path = [body]
    inner = [name for name in body.values() if isinstance(name, dict) and name]
    if inner and rng.random() < 0.5:
        path += walk_down(rng, rng.choice(inner))
    return path


def add_member(rng: random.Random, raw: bytes) -> bytes:
    return raw[:-1] + b',"%b":%b}' % (rng.choice([b"more", b"command", b"seat", b"at"]), rng.choice(POISON))


def drop_member(rng: random.Random, raw: bytes) -> bytes:
    try:
        body = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        return raw
    if isinstance(body, dict) and body:
        del body[rng.choice(sorted(body))]
    return msgspec.json.encode(body)


def flip_bytes(rng: random.Random, raw: bytes) -> bytes:
    found = bytearray(raw)
    for _ in range(rng.randint(1, 4)):
        if found:
            found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found)


def cut(rng: random.Random, raw: bytes) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


def splice(rng: random.Random, raw: bytes) -> bytes:
    place = rng.randrange(len(raw) + 1)
    start = rng.randrange(len(raw) + 1)
    return raw[:place] + raw[start : start + rng.randint(1, 40)] + raw[place:]


MUTATIONS = (poison_value, poison_value, add_member, drop_member, flip_bytes, cut, splice)


@pytest.mark.parametrize(
    "path", BODIES, ids=[path.replace(GAME, "GAME").replace(examples.TOURNAMENT, "CUP") for path in BODIES]
)
async def test_a_damaged_body_is_a_typed_problem_and_changes_no_log(api: Api, path: str, bodies: int) -> None:
    await seat_two(api)
    eve = await register(api, "Eve", number=3)
    rng = random.Random(f"{SEED}{path}")  # noqa: S311  the same bodies in every run
    head, opened = await api.parts.store.read_head(), set()

    for number in range(-(-bodies // len(BODIES))):
        fresh = {"command": f"0199c0de-0000-7000-b000-{number:012d}"} if path == "/games" else {}
        body = mutate(rng, BODIES[path] | fresh)
        response = await eve.post(path, body)
        if response.is_success:
            opened.add(response.json().get("game") if response.content else None)
            continue
        said = response.json()
        assert 400 <= response.status_code < 500, (number, body, said)
        assert response.headers["content-type"] == "application/problem+json", (number, body)
        assert said["type"].startswith(TYPE_PREFIX), (number, body)

    assert await api.parts.store.read_head() == head + len(opened - {None})
    await expect((await register(api, "Finn", number=4)).get(), 200)


async def test_a_body_without_end_is_refused_before_it_is_read(api: Api) -> None:
    eve = await register(api, "Eve")

    response = await eve.post("/games", b'{"command":"' + b"a" * 10_000_000)

    assert (response.status_code, response.json()["type"]) == (413, f"{TYPE_PREFIX}body-too-large")


@pytest.mark.parametrize("media_type", ["text/plain", "multipart/form-data; boundary=x", "application/xml", "x", ""])
async def test_a_body_of_another_kind_or_of_none_is_refused(api: Api, media_type: str) -> None:
    kind = {"content-type": media_type} if media_type else {}
    eve = await register(api, "Eve")

    response = await api.client.post("/v1/games", content=b"{}", headers=eve.headers | kind)

    assert (response.status_code, response.json()["type"]) == (415, f"{TYPE_PREFIX}unsupported-media-type")
