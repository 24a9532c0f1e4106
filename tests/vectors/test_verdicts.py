"""First lines of reports: server and pages describe one file of verdicts alike, by the one table of words."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.audit.tournament import CHECKS as OF_TOURNAMENTS
from domain.audit.verify import CHECKS as OF_GAMES
from domain.sentences.templates import Name, tell
from infra.ruleset_files import read_verdict_words
from tests.services.web.node import run

GIVEN: list[dict[str, Any]] = json.loads(Path(__file__).with_name("verdicts.json").read_text())
SENTENCES = ("first", "why", "holders")

TELL_ALL = """
const { tellTemplate } = await import("./parts/templates.js");
const { words, vectors } = given;
console.log(JSON.stringify(vectors.map((vector) => {
  const named = new Map(Object.entries(vector.names).map(([seat, name]) => [Number(seat), name]));
  const tell = (name) => vector[name] && tellTemplate(words.sentences[name], vector.verdict, words, named);
  return ["first", "why", "holders"].map(tell);
})));
"""


@pytest.mark.parametrize("vector", GIVEN, ids=lambda vector: vector["about"])
def test_a_verdict_has_its_sentences(vector: dict[str, Any]) -> None:
    words = read_verdict_words()
    names = {int(seat): msgspec.convert(name, Name) for seat, name in vector["names"].items()}

    told = {name: tell(words.sentences[name], vector["verdict"], words, names) for name in SENTENCES if vector[name]}

    assert told == {name: vector[name] for name in SENTENCES if vector[name]}


def test_the_pages_tell_the_same_sentences() -> None:
    told = run(TELL_ALL, {"words": msgspec.to_builtins(read_verdict_words()), "vectors": GIVEN})

    assert told == [[vector[name] for name in SENTENCES] for vector in GIVEN]


def test_every_check_that_can_fail_has_a_sentence() -> None:

    failing = read_verdict_words().tables["failing"]

    assert failing.keys() == {game.name for game in OF_GAMES} | {tournament.name for tournament in OF_TOURNAMENTS}
