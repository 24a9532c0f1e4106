"""Courses that players draw: checked, kept for their account, raced on by everyone who has the hash."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.rulesets.released import KITS
from services.api.http.course_examples import COURSE_EXAMPLE, COURSE_HASH
from tests.database import Database
from tests.services.api.player import expect, register
from tests.services.api.server import Api, running_api

OTHER_GAME = "0199c0de-0000-7000-8000-00000000000b"
OVAL: dict[str, Any] = COURSE_EXAMPLE["course"]  # type: ignore[assignment]  # the example is of mixed values


@pytest.fixture
async def api(database: Database) -> AsyncIterator[Api]:
    async with running_api(database, kits=KITS) as api:
        yield api


def course(**changes: Any) -> dict[str, Any]:
    return {**COURSE_EXAMPLE, "course": {**OVAL, **changes}}


async def names(api: Api, headers: Any, *, is_own: bool) -> list[str]:
    items = (await api.client.get("/v1/courses", headers=headers)).json()["items"]
    return [item["name"] for item in items if item["is_own"] == is_own]


async def test_a_course_is_listed_for_its_account_and_read_by_everyone_who_has_its_hash(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)

    kept = await expect(ada.post("/courses", COURSE_EXAMPLE), 201)

    assert kept == {"hash": COURSE_HASH, "name": "Ada's oval"}
    assert await names(api, ada.headers, is_own=True) == ["Ada's oval"]
    assert await names(api, bob.headers, is_own=True) == []
    shown = (await api.client.get(f"/v1/courses/{COURSE_HASH}")).json()
    assert (shown["course"], shown["is_own"]) == (OVAL, False)
    assert (await api.client.get(f"/v1/courses/{'0' * 64}")).json()["type"].endswith("no-such-course")


async def test_the_courses_of_the_box_are_listed_for_everyone_and_read_by_their_hash(api: Api) -> None:
    items = (await api.client.get("/v1/courses")).json()["items"]

    assert [item["name"] for item in items] == ["circus", "trial", "bay", "hairpins", "market"]
    for item in items:
        assert (await api.client.get(f"/v1/courses/{item['hash']}")).json() == item


async def test_a_fault_is_named_with_its_place_and_the_course_is_not_kept(api: Api) -> None:
    ada = await register(api, "Ada", number=1)
    unfit = course(obstacles=[{**OVAL["obstacles"][0], "y_mm": 150}])

    checked = await expect(ada.post("/courses/checks", unfit), 200)

    assert checked["fault"]["at_mm"] == [0, 150]
    assert checked["fault"]["obstacle"] == 0
    refused = await expect(ada.post("/courses", unfit), 422)
    assert refused["type"].endswith("unfit-course")
    assert "obstacle 1 at (0, 150) mm" in refused["detail"]
    assert await names(api, ada.headers, is_own=True) == []


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"name": ""}, "$.course.name"),
        ({"pieces": []}, "$.course.pieces"),
        ({"pieces": [{"kind": "loop"}]}, "$.course.pieces[0]"),
        ({"colour": "red"}, "$.course"),
    ],
)
async def test_a_value_that_no_course_has_is_refused_with_its_field(
    api: Api, changes: dict[str, Any], place: str
) -> None:
    ada = await register(api, "Ada", number=1)

    refused = await expect(ada.post("/courses/checks", course(**changes)), 400)

    assert refused["errors"][0]["field"].startswith(place)


async def test_a_ruleset_without_courses_takes_none(api: Api) -> None:
    ada = await register(api, "Ada", number=1)

    await expect(ada.post("/courses/checks", {**COURSE_EXAMPLE, "ruleset": "charioteer@1"}), 400)


async def test_a_game_is_opened_on_a_course_of_ones_own_and_an_unfit_one_is_refused_with_its_place(api: Api) -> None:
    ada = await register(api, "Ada", number=1)
    terms = {"ruleset": "chariotmaster@1", "seats": 2, "options": {"course": OVAL}}

    game = await expect(ada.open(**terms), 201)

    shown = (await api.client.get(f"/v1/games/{game['game']}", headers=ada.headers)).json()
    assert shown["terms"]["options"]["course"] == OVAL
    wide = {**terms, "options": {"course": {**OVAL, "width_mm": 300}}, "command": OTHER_GAME}
    refused = await expect(ada.open(**wide), 422)
    assert "piece 2 at (300, 0) mm" in refused["detail"]
