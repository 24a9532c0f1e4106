"""Templates of sentences: server and pages evaluate one file of vectors alike, and neither shows an absent value."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.sentences.templates import Name, NoSentence, Table, parse_template, tell
from tests.services.web.node import run

GIVEN: dict[str, Any] = json.loads(Path(__file__).with_name("sentences.json").read_text())
TABLE = msgspec.convert(GIVEN["table"], Table)

TELL_ALL = """
const { NoSentence, tellTemplate } = await import("./parts/templates.js");
console.log(JSON.stringify(given.vectors.map(({ template, data, names }) => {
  const named = new Map(Object.entries(names).map(([key, name]) => [/^[0-9]+$/.test(key) ? Number(key) : key, name]));
  try {
    return tellTemplate(template, data, given.table, named);
  } catch (error) {
    if (!(error instanceof NoSentence || error instanceof TypeError)) throw error;
    return null;
  }
})));
"""


def tell_vector(vector: dict[str, Any]) -> str | None:
    names = {int(key) if key.isdigit() else key: msgspec.convert(name, Name) for key, name in vector["names"].items()}
    try:
        return tell(vector["template"], vector["data"], TABLE, names)
    except NoSentence:
        return None


@pytest.mark.parametrize("vector", GIVEN["vectors"], ids=lambda vector: f"{vector['template']} {vector['data']}")
def test_a_template_gives_its_sentence(vector: dict[str, Any]) -> None:
    assert tell_vector(vector) == vector["text"]


def test_the_pages_tell_the_same_sentences() -> None:
    told = run(TELL_ALL, GIVEN)

    assert told == [vector["text"] for vector in GIVEN["vectors"]]


@pytest.mark.parametrize("text", ["{", "a {seat", "{a?{b}"])
def test_braces_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected }"):
        parse_template(text)
