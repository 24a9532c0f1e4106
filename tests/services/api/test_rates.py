"""The limit on requests: who is held back, and the answer; with Redis, without it, and when it goes away."""

import socket
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from infra.networks import network_of
from infra.redis.client import build_redis
from infra.redis.rate_limit import SECOND_US, RateLimitAway, RedisRateLimit
from infra.unshared import MemoryRateLimit
from services.api.http.examples import ADD_WAY_EXAMPLE
from services.api.http.rates import (
    ACCOUNTS,
    AWAY_US,
    BURST_FACTOR,
    NETWORK_BURST,
    NETWORK_FACTOR,
    OUTSIDERS,
    PACE_WAIT_US_MAX,
    WAY_TESTS,
    Rates,
    RateTerms,
    TooManyRequests,
)
from tests.database import Database
from tests.services.api.player import GAME, Player, register
from tests.services.api.server import running_api
from tests.services.api.test_problems import problem_of
from tests.valkey import watched_valkey

SLOW = RateTerms(per_s=1)
NOWHERE = "redis://127.0.0.1:1/0"


async def count_until_refused(rates: Rates, who: str) -> int:
    for number in range(1000):
        try:
            await rates.count(who)
        except TooManyRequests:
            return number
    raise AssertionError("never refused")


async def test_without_a_limit_nobody_is_counted() -> None:
    rates = Rates(RateTerms(per_s=0), shared=None, now_us=lambda: 0)

    for _ in range(1000):
        await rates.count("ada")


async def test_two_processes_share_one_count_while_redis_is_there(redis_url: str, redis_prefix: str) -> None:
    async with build_redis(redis_url) as redis:
        shared = RedisRateLimit(redis, prefix=redis_prefix)
        here, there = (Rates(SLOW, shared=shared, now_us=lambda: 0) for _ in range(2))

        passed = await count_until_refused(here, "ada")

        assert BURST_FACTOR <= passed <= BURST_FACTOR + 2
        with pytest.raises(TooManyRequests):
            await there.count("ada")


async def test_with_redis_away_a_process_counts_alone() -> None:
    async with build_redis(NOWHERE) as redis:
        rates = Rates(SLOW, shared=RedisRateLimit(redis), now_us=lambda: 0)

        assert await count_until_refused(rates, "ada") == BURST_FACTOR


class FlakyRateLimit(MemoryRateLimit):
    """Answers or not, as it is set, and counts how often it was asked."""

    is_away = True
    asked = 0

    async def take(self, who: str, *, interval_us: int, burst: int, cost: float) -> int:
        self.asked += 1
        if self.is_away:
            raise RateLimitAway("gone")
        return await super().take(who, interval_us=interval_us, burst=burst, cost=cost)


async def test_a_redis_that_is_away_is_left_alone_for_a_moment_and_then_asked_again() -> None:
    now = [0]
    flaky = FlakyRateLimit(now_us=lambda: now[0])
    rates = Rates(RateTerms(per_s=100), shared=flaky, now_us=lambda: now[0])
    for _ in range(10):
        await rates.count("ada")
    asked_while_away = flaky.asked

    flaky.is_away = False
    now[0] += AWAY_US
    for _ in range(10):
        await rates.count("ada")

    assert (asked_while_away, flaky.asked) == (1, 11)


async def test_an_outage_is_logged_once_when_it_lasts_and_its_end_too() -> None:
    now = [0]
    flaky = FlakyRateLimit(now_us=lambda: now[0])
    rates = Rates(RateTerms(per_s=100), shared=flaky, now_us=lambda: now[0])

    with capture_logs() as logged:
        for _ in range(4):
            await rates.count("ada")
            now[0] += AWAY_US
        flaky.is_away = False
        await rates.count("ada")

    assert [(record["event"], record.get("reason")) for record in logged] == [
        ("rate_limit_disconnected", "gone"),
        ("rate_limit_connected", None),
    ]


async def test_an_answer_that_is_missed_now_and_then_is_no_news() -> None:
    now = [0]
    flaky = FlakyRateLimit(now_us=lambda: now[0])
    rates = Rates(RateTerms(per_s=100), shared=flaky, now_us=lambda: now[0])

    with capture_logs() as logged:
        for number in range(10):
            flaky.is_away = number % 2 == 0
            await rates.count("ada")
            now[0] += AWAY_US

    assert logged == []


async def test_a_redis_that_is_not_there_says_why() -> None:
    async with build_redis(NOWHERE) as redis:
        with pytest.raises(RateLimitAway, match="ConnectionError"):
            await RedisRateLimit(redis).take("ada", interval_us=1, burst=1, cost=1)


async def test_a_redis_that_says_nothing_is_away_for_that_reason() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with build_redis(f"redis://127.0.0.1:{silent.getsockname()[1]}/0") as redis:
            with pytest.raises(RateLimitAway, match="no answer within"):
                await RedisRateLimit(redis).take("ada", interval_us=1, burst=1, cost=1)


async def test_the_refusal_says_when_to_come_again() -> None:
    rates = Rates(SLOW, shared=None, now_us=lambda: 0)
    await count_until_refused(rates, "ada")

    with pytest.raises(TooManyRequests) as refused:
        await rates.count("ada")

    assert refused.value.wait_s == 1


async def test_whoever_asks_too_often_is_told_and_others_are_served(database: Database) -> None:
    async with running_api(database, per_s=10, monotonic_us=lambda: 0) as api:
        ada, bob = await register(api, "Ada"), await register(api, "Bob")
        for player in (ada, bob):
            await player.get()

        answers = [await ada.get() for _ in range(10 * BURST_FACTOR + 5)]
        nobody = await Player(api, None).get()
        other = await bob.get()

    assert problem_of(answers[0]) == (404, "no-such-game")
    assert problem_of(answers[-1]) == (429, "too-many-requests")
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert {problem_of(response) for response in (nobody, other)} == {(404, "no-such-game")}


async def test_made_up_tokens_are_counted_for_their_address(database: Database) -> None:
    async with running_api(database, per_s=2, monotonic_us=lambda: 0) as api:
        answers = [await Player(api, f"spina_made-up-{number}").get() for number in range(2 * BURST_FACTOR + 1)]

    assert problem_of(answers[0]) == (401, "not-authenticated")
    assert problem_of(answers[-1]) == (429, "too-many-requests")


@pytest.mark.parametrize("path", [f"/games/{GAME}", f"/embed/games/{GAME}", "/v1/sessions/end"])
async def test_pages_of_games_and_sessions_are_counted_for_their_address(database: Database, path: str) -> None:
    method = "POST" if path.startswith("/v1") else "GET"
    async with running_api(database, per_s=1, monotonic_us=lambda: 0) as api:
        headers = {"authorization": "Session player"} if method == "POST" else {}
        body = {"role": "player"} if method == "POST" else None
        answers = [await api.client.request(method, path, json=body, headers=headers) for _ in range(BURST_FACTOR + 1)]

    assert answers[0].status_code < 429
    assert problem_of(answers[-1]) == (429, "too-many-requests")


async def test_accounts_are_made_a_few_at_a_time(database: Database) -> None:
    async with running_api(database, per_s=50, monotonic_us=lambda: 0) as api:
        await api.parts.rates.spend(ACCOUNTS, "127.0.0.1", cost=ACCOUNTS.at_once - 1)
        answers = [await api.client.post("/v1/players", json={"name": "Eve"}) for _ in range(2)]

    assert answers[0].status_code == 201
    assert problem_of(answers[1]) == (429, "too-many-requests")


async def test_ways_are_tested_a_few_times_at_once(database: Database) -> None:
    async with running_api(database, per_s=100, monotonic_us=lambda: 0) as api:
        ada = await register(api, "Ada")
        way = (await ada.post("/account/ways", ADD_WAY_EXAMPLE)).json()["id"]

        answers = [
            (await ada.post("/account/ways/tests", {"way": way})).status_code for _ in range(WAY_TESTS.at_once + 1)
        ]

    # The first one waits.
    assert answers == [201, *[409] * (WAY_TESTS.at_once - 1), 429]


async def test_a_stranger_s_refused_commands_are_counted_and_a_player_s_are_not(database: Database) -> None:
    async with running_api(database, per_s=1_000, monotonic_us=lambda: 0) as api:
        ada, eve = await register(api, "Ada"), await register(api, "Eve", number=1)
        await ada.open()
        await ada.take()
        await api.parts.rates.spend(OUTSIDERS, f"127.0.0.1:{ada.game}", cost=OUTSIDERS.at_once - 1)
        strangers = [await eve.command("leave", seat=0) for _ in range(2)]
        own = [await ada.command("ready", seat=0, nonce=None) for _ in range(2)]

    assert [problem_of(stranger) for stranger in strangers] == [(403, "not-your-seat"), (429, "too-many-requests")]
    assert {problem_of(response) for response in own} == {(409, "seats-vacant")}


async def test_a_network_keeps_its_pace_however_many_accounts_it_has() -> None:
    now_us = 0
    rates = Rates(RateTerms(per_s=1_000), shared=None, now_us=lambda: now_us)
    network, elsewhere = network_of("2001:db8::1"), network_of("2001:db8:0:1::1")
    pace = rates.pace(network, cost=NETWORK_BURST)

    await pace
    with pytest.raises(TooManyRequests):
        await rates.pace(network, cost=PACE_WAIT_US_MAX // (SECOND_US // (1_000 * NETWORK_FACTOR)) + 1)

    await rates.pace(elsewhere, cost=NETWORK_BURST)
    now_us += SECOND_US
    await rates.pace(network_of("2001:db8::2"), cost=NETWORK_BURST)


async def test_health_is_answered_whatever_the_limit(database: Database) -> None:
    async with running_api(database, per_s=1) as api:
        answers = [await api.client.get("/v1/health") for _ in range(20)]

    assert {answer.status_code for answer in answers} == {200}


async def test_no_command_is_refused_while_another_master_takes_over(database: Database, tmp_path: Path) -> None:
    async with watched_valkey(tmp_path) as watched, running_api(database, watched.url, per_s=50) as api:
        ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
        await watched.master.kill()

        answers = [
            await coroutine
            for coroutine in (ada.open(), ada.take(0), bob.take(1), ada.ready(), bob.ready(), ada.resign())
        ]

        assert [answer.status_code for answer in answers] == [201, 200, 200, 200, 200, 200]
