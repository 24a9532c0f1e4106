"""Every refusal of a game or of the world has a status and a stable type."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import msgspec
import pytest

import domain
import services
from domain.game.rejections import SeatNotVacant
from domain.ids import CommandId, GameId, StreamId
from domain.rejection import Absent, Forbidden, IllegalAction, NotNow, Rejection, Unprocessable
from infra.store_faults import StoreBusy, StoreUnavailable
from services.api.http.problems import TYPE_PREFIX, Problem
from services.api.http.rates import TooManyRequests
from services.api.http.refusals import (
    STATUSES,
    refuse_contended,
    refuse_rejection,
    refuse_store_unavailable,
    refuse_too_many_requests,
    refuse_too_many_waiting,
)
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from tests.services.api.player import expect, register
from tests.services.api.server import Api
from tests.services.api.test_problems import problem_of

KINDS: set[type[Rejection]] = {Absent, Forbidden, NotNow, Unprocessable}
GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))


def every_rejection() -> list[type[Rejection]]:
    """Find the rejections of all modules there are, rulesets included, imported or not."""
    for package in (domain, services):
        import_all(package)
    # Those of the operators' record are printed at the command line alone.
    rejections = {
        rejection for rejection in walk(Rejection) if not rejection.__module__.startswith("domain.operators.")
    }
    return sorted(rejections - KINDS, key=lambda rejection: (rejection.__module__, rejection.__qualname__))


def import_all(package: ModuleType) -> None:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def walk(rejection: type[Rejection]) -> Iterator[type[Rejection]]:
    for subclass in rejection.__subclasses__():
        yield subclass
        yield from walk(subclass)


@pytest.mark.parametrize("rejection", every_rejection())
def test_every_rejection_is_a_problem_with_a_status_and_a_type(rejection: type[Rejection]) -> None:
    assert rejection.kind in STATUSES
    assert rejection.code.replace("-", "").isalnum()
    assert rejection.code == rejection.code.lower()


def test_a_reason_of_a_ruleset_is_unprocessable_under_its_own_type() -> None:
    class TooHeavy(IllegalAction):
        code = "too-heavy"

    response = refuse_rejection(TooHeavy(expected="three cards", found="four"))

    assert response.status_code == 422
    assert response.content.type == f"{TYPE_PREFIX}too-heavy"


def test_a_rejection_says_what_was_expected_and_found() -> None:
    response = refuse_rejection(SeatNotVacant(expected="a vacant seat", found="seat 1, which is taken"))

    assert response.status_code == 409
    assert response.content == Problem(
        type="urn:spina:problem:seat-not-vacant",
        title="Seat not vacant",
        status=409,
        detail="expected a vacant seat, found seat 1, which is taken",
        expected="a vacant seat",
        found="seat 1, which is taken",
    )


@pytest.mark.parametrize(
    ("answer", "fault", "slug", "said"),
    [
        (refuse_store_unavailable, StoreUnavailable("gone"), "store-unavailable", "nothing was stored"),
        (
            refuse_store_unavailable,
            StoreUnavailable("gone", may_have_committed=True),
            "store-unavailable",
            "the command may have been accepted",
        ),
        (refuse_store_unavailable, StoreBusy(waiting_max=7), "store-busy", "nothing was stored"),
        (refuse_contended, StreamContended(GAME), "game-contended", "nothing was stored"),
        (refuse_too_many_waiting, TooManyWaiting(GAME), "too-many-waiting", "nothing was stored"),
    ],
)
def test_a_fault_says_when_to_come_again_and_that_it_is_safe(
    answer: Any, fault: Exception, slug: str, said: str
) -> None:
    response = answer(fault)

    assert response.status_code == 503
    assert response.content.type == TYPE_PREFIX + slug
    assert response.content.detail.startswith(said)
    assert response.content.may_send_again
    assert int(response.headers["retry-after"]) >= 1


def test_too_many_requests_say_when_the_next_may_come() -> None:
    response = refuse_too_many_requests(TooManyRequests(wait_s=3))

    assert (response.status_code, response.headers["retry-after"]) == (429, "3")
    assert msgspec.to_builtins(response.content)["type"] == f"{TYPE_PREFIX}too-many-requests"


async def test_a_rejection_reaches_whoever_asked(api: Api) -> None:
    ada, bob = await register(api, "Ada"), await register(api, "Bob", number=2)
    await expect(ada.open(), 201)

    responses = [
        await ada.command("seats", seat=7),
        await ada.command("ready", seat=0),
        await ada.command("rulings", ruling="seat_removed", seat=0, reason="absent"),
        await bob.command("abort", reason="tired"),
        await ada.open(command=CommandId("0199c0de-0000-7000-8000-000000000002"), ruleset="senet@1"),
        await ada.open(command=CommandId("0199c0de-0000-7000-8000-000000000003"), seats=9),
        await ada.open(seats=3),
    ]

    assert [problem_of(response) for response in responses] == [
        (422, "no-such-seat"),
        (403, "not-your-seat"),
        (403, "not-allowed"),
        (403, "not-allowed"),
        (422, "unknown-ruleset"),
        (422, "wrong-seat-count"),
        (409, "command-id-reused"),
    ]
    assert responses[0].json()["expected"] == "a seat from 0 to 1"
    assert responses[0].json()["found"] == "seat 7"
