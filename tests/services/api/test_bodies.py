"""Bodies as they are read: what people write for everybody to read for ever is shown as it is, or refused."""

from typing import Any

import msgspec
import pytest

from services.api import examples, tournament_examples
from services.api.bodies import AbortBody, BodyReader, FieldRefused, RulingBody
from services.api.tournament_bodies import CloseBody, TournamentRulingBody
from tests.services.api.test_commands import RULING

REFUSED = {
    "Late \u202eby it": r"U\+202E",
    "Late\u2066": r"U\+2066",
    "La\u200bte": r"U\+200B",
    "Late\u2028by it": r"U\+2028",
    "Late\nby it": "matching regex",
    " Late": "without space around it",
    "  ": "without space around it",
}
BODIES: list[tuple[Any, dict[str, Any]]] = [
    (RulingBody, {**examples.EXTEND_EXAMPLE, **RULING}),
    (RulingBody, examples.REMOVE_EXAMPLE),
    (AbortBody, examples.ABORT_EXAMPLE),
    (CloseBody, tournament_examples.CLOSE_EXAMPLE),
    *((TournamentRulingBody, each) for each in tournament_examples.RULING_EXAMPLES),
]


def read(kind: Any, body: dict[str, Any]) -> Any:
    return BodyReader[Any](kind).read(msgspec.json.encode(body))


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_a_reason_that_is_not_shown_as_it_is_is_refused_whatever_it_is_of(kind: Any, body: dict[str, Any]) -> None:
    for reason, found in REFUSED.items():
        with pytest.raises(FieldRefused, match=found) as refused:
            read(kind, {**body, "reason": reason})

        assert refused.value.place == "$.reason"


@pytest.mark.parametrize("reason", ["Came late twice.", "Ἐλθὼν ὀψέ: «δίς»", "جاء متأخرا", "🏇"])
def test_a_reason_in_any_language_is_kept_as_it_was_sent(reason: str) -> None:
    assert read(AbortBody, {**examples.ABORT_EXAMPLE, "reason": reason}).reason == reason


def test_no_reason_where_none_is_owed_is_none() -> None:
    assert read(CloseBody, {**tournament_examples.CLOSE_EXAMPLE, "reason": None}).reason is None
