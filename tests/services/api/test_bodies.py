"""Bodies as they are read: text published for ever is shown as it is, or refused."""

from typing import Any

import msgspec
import pytest

from domain.ids import OrganiserId
from services.api.games.game_inputs import INPUTS
from services.api.http import examples
from services.api.http.bodies import FieldRefused
from services.api.http.inputs import Input
from services.api.tournaments import tournament_examples, tournament_inputs
from services.reading.access import Caller
from tests.services.api.test_commands import RULING

REFUSED = {
    "Late \u202eby it": "visible characters",
    "Late\u2066": "visible characters",
    "La\u200bte": "visible characters",
    "Late\u2028by it": "visible characters",
    "Late\nby it": "text of 1 to 500 visible characters in one line",
    " Late": "without space around it",
    "  ": "without space around it",
}
TOURNAMENT = tournament_inputs.INPUTS
BODIES: list[tuple[Input[Any], dict[str, Any]]] = [
    (INPUTS["rulings"], {**examples.EXTEND_EXAMPLE, **RULING}),
    (INPUTS["rulings"], examples.REMOVE_EXAMPLE),
    (INPUTS["abort"], examples.ABORT_EXAMPLE),
    (TOURNAMENT["close"], tournament_examples.CLOSE_EXAMPLE),
    *((TOURNAMENT["rulings"], example) for example in tournament_examples.RULING_EXAMPLES),
]
ORGANISER = Caller(organiser=OrganiserId(examples.ORGANISER))


def read(input_: Input[Any], body: dict[str, Any]) -> Any:
    """Return the event that a body asks for."""
    return input_.build(input_.read(msgspec.json.encode(body)), ORGANISER)


@pytest.mark.parametrize(("input_", "body"), BODIES)
def test_a_reason_that_is_not_shown_as_it_is_is_refused_whatever_it_is_of(
    input_: Input[Any], body: dict[str, Any]
) -> None:
    for reason, found in REFUSED.items():
        with pytest.raises(FieldRefused, match=found) as refused:
            read(input_, {**body, "reason": reason})

        assert refused.value.place == "$.reason"


@pytest.mark.parametrize("reason", ["Came late twice.", "Ἐλθὼν ὀψέ: «δίς»", "جاء متأخرا", "🏇"])
def test_a_reason_in_any_language_is_kept_as_it_was_sent(reason: str) -> None:
    assert read(INPUTS["abort"], {**examples.ABORT_EXAMPLE, "reason": reason}).reason == reason


@pytest.mark.parametrize("ruling", ["nope", 3])
@pytest.mark.parametrize(
    ("input_", "names"),
    [
        (INPUTS["rulings"], "clock_extended, seat_removed"),
        (TOURNAMENT["rulings"], "no_show_told"),
    ],
    ids=["a game", "a tournament"],
)
def test_an_unknown_ruling_is_refused_with_the_rulings_that_there_are(
    input_: Input[Any], names: str, ruling: str | int
) -> None:
    body = {**examples.REMOVE_EXAMPLE, "ruling": ruling}

    with pytest.raises(FieldRefused, match=f"Expected one of .*{names}") as refused:
        input_.read(msgspec.json.encode(body))

    assert refused.value.place == "$.ruling"


def test_no_reason_where_none_is_owed_is_none() -> None:
    assert read(TOURNAMENT["close"], {**tournament_examples.CLOSE_EXAMPLE, "reason": None}).reason is None
