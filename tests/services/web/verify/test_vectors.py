"""The browser's implementation agrees with Python's on every vector, in a plain engine and in a real browser."""

import json
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Page

import tests.vectors
from tests.services.web.node import run
from tests.vectors.vectors import VECTORS, Vector

READER = Path(tests.vectors.__path__[0], "browser_reader.js").read_text()


def asked(vectors: list[Vector]) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = msgspec.to_builtins(vectors)
    return asked


def assert_said(said: list[Any], vectors: list[Vector]) -> None:
    wrong = [
        f"{vector.kind}, {vector.about}: gives {vector.gives!r}, said {found!r}"
        for vector, found in zip(vectors, said, strict=True)
        if found != vector.gives
    ]
    assert wrong == []


def test_the_engine_says_what_the_vectors_give() -> None:
    said = run(f"console.log(JSON.stringify(await ({READER})('./verify', given)));", asked(list(VECTORS)))

    assert_said(said, list(VECTORS))


async def test_a_real_browser_says_what_the_vectors_give(served: str, page: Page) -> None:
    await page.goto(served)

    # As text: the transport of values out of the page drops a member named __proto__.
    script = f"async (vectors) => JSON.stringify(await ({READER})('/web/verify', vectors))"
    said = await page.evaluate(script, asked(list(VECTORS)))

    assert_said(json.loads(said), list(VECTORS))
