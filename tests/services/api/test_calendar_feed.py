"""The calendar of deadlines, as a calendar program reads it: by its own secret, until that is taken back."""

from datetime import UTC, datetime
from typing import Any

import pytest
from httpx2 import Response
from icalendar import Calendar
from msgspec.structs import replace

from domain.accounts.account import Account
from domain.accounts.notice import CHOSEN
from domain.rulesets.released import KITS
from services.api.accounts.calendar_feed import LINE_BYTES_MAX, Entry, format_calendar
from services.api.http.examples import ORGANISER, TOURNAMENT
from services.api.tournaments.tournament_examples import CALL_EXAMPLE, ENTER_EXAMPLE
from services.api.tournaments.tournament_examples import OPEN_EXAMPLE as CUP_EXAMPLE
from tests.database import Database
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api, running_api

CLOCK = {"per_decision_ms": 3 * 24 * 3_600_000, "bank_ms": 0}
ENTRY = Entry(
    id=f"{GAME}-t1",
    until="2026-11-21T12:00:00.500Z",
    changed_at="2026-11-18T12:00:00.000Z",
    said="Your turn in Charioteer",
    path=f"/games/{GAME}",
)


async def add_calendar(player: Player, *kinds: str) -> Any:
    body = {"name": "Calendar", "kinds": kinds, "quiet": None, "to": {"kind": "calendar"}}
    return await expect(player.post("/account/ways", body), 201)


async def read(api: Api, key: str, **headers: str) -> Response:
    await api.project()
    return await api.client.get("/v1/account/calendar.ics", params={"key": key}, headers=headers)


def list_entries(answer: Response) -> list[Any]:
    assert answer.status_code == 200, answer.text
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


async def test_a_decision_has_its_deadline_until_it_is_made_and_the_secret_until_it_is_removed(api: Api) -> None:
    ada, bob = await seat_two(api, clock=CLOCK)
    way = await add_calendar(ada, "your_turn", "round_called")
    others = await add_calendar(bob, "round_called")

    first = await read(api, way["secret"])
    again = await read(api, way["secret"], **{"if-none-match": first.headers["etag"]})
    unwanted = await read(api, others["secret"])
    await expect(ada.resign(), 200)
    over = await read(api, way["secret"])
    await expect(ada.post("/account/ways/removals", {"way": way["id"]}), 201)
    removed = await read(api, way["secret"])

    (entry,) = list_entries(first)
    assert first.headers["content-type"] == "text/calendar; charset=utf-8"
    assert first.headers["cache-control"] == "private, no-cache"
    assert entry["summary"] == "Your turn in Torches"
    assert entry["url"] == f"http://spina.test/games/{GAME}"
    assert entry.decoded("dtstart") == datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert again.status_code == 304
    assert list_entries(unwanted) == list_entries(over) == []
    assert removed.status_code == 404


async def test_a_round_that_is_called_has_its_check_in(database: Database) -> None:
    async with running_api(database, kits=KITS) as api:
        ada, bea = await register(api, "Ada", number=1), await register(api, "Bea", number=2, links=1024)
        organiser = Player(api, await api.create_account(Account(id=ORGANISER, name="Orga", role="organiser")))
        ways = [await add_calendar(player, *kinds) for player, kinds in ((ada, CHOSEN), (bea, ("your_turn",)))]
        await expect(organiser.post("/tournaments", CUP_EXAMPLE), 201)
        before = await read(api, ways[0]["secret"])
        await expect(ada.post(f"/tournaments/{TOURNAMENT}/entries", ENTER_EXAMPLE), 200)
        entry = {"command": bea.next_id(), "entrant": 1, "anchor": bea.links[0], "links": 1024}
        await expect(bea.post(f"/tournaments/{TOURNAMENT}/entries", entry), 200)
        await expect(organiser.post(f"/tournaments/{TOURNAMENT}/rounds", CALL_EXAMPLE), 200)

        called, unwanted = [await read(api, way["secret"]) for way in ways]

    (shown,) = list_entries(called)
    assert list_entries(before) == list_entries(unwanted) == []
    assert shown["summary"] == f"Check in for round 1 of {CUP_EXAMPLE['name']}"
    assert shown["url"] == f"http://spina.test/tournaments/{TOURNAMENT}"


async def test_another_secret_opens_nothing(api: Api) -> None:
    ada = await register(api, "Ada")
    secret = (await add_calendar(ada, "your_turn"))["secret"]
    webhook = {
        "name": "Bot",
        "kinds": ["your_turn"],
        "quiet": None,
        "to": {"kind": "webhook", "url": "https://a.example"},
    }
    other = (await expect(ada.post("/account/ways", webhook), 201))["id"]
    changed = [secret[:-1], f"{secret}A", secret.replace(secret[:36], other), other, "é", "."]

    statuses = [(await read(api, item)).status_code for item in changed]

    assert statuses == [404] * len(changed)


@pytest.mark.parametrize("said", ["A, B; C\\n \\ and “D”: E", "Ü" * 200, "🏇" * 50, "x" * 75])
def test_every_name_is_read_as_it_was_written_in_lines_that_are_short_enough(said: str) -> None:
    body = format_calendar([replace(ENTRY, said=said)], "https://a.example")

    (entry,) = Calendar.from_ical(body).walk("VEVENT")
    assert entry["summary"] == said
    assert max(map(len, body.split(b"\r\n"))) <= LINE_BYTES_MAX
    assert body.count(b"\n") == body.count(b"\r\n")


def test_a_calendar_without_deadlines_is_one() -> None:
    calendar = Calendar.from_ical(format_calendar([], "https://a.example"))

    assert calendar["version"] == "2.0"
    assert calendar.walk("VEVENT") == []
