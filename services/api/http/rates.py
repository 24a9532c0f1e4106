"""The limits on requests: of an account or of a network without one, and of a network with all its accounts.

The first counts in Redis for all processes; with Redis away each process counts alone. The second is a pace that each
process keeps by itself: requests beyond it wait for one another, and only after that are they refused.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from typing import Protocol

import structlog
from msgspec import Struct

from infra.networks import Network
from infra.redis.rate_limit import SECOND_US, RateLimitAway
from infra.unshared import MemoryRateLimit

log = structlog.get_logger()

# A bot that plays six games at full speed stays below; a page that loads all boards of a game does so in one burst.
BURST_FACTOR = 4
# Requests a second of one network, as a multiple of those of one account: a club plays behind one address.
NETWORK_FACTOR = 4
# So many of them at once; later ones wait, up to so long.
NETWORK_BURST = 100
PACE_WAIT_US_MAX = 2 * SECOND_US
# How long Redis is not asked after it did not answer: a request then costs no wait, and the limit is back soon after.
AWAY_US = 2 * SECOND_US


class TooManyRequests(Exception):
    """The limit is used up; nothing was looked at."""

    def __init__(self, *, wait_s: int, what: str = "requests") -> None:
        self.wait_s = wait_s
        super().__init__(f"expected fewer {what}, found too many; the next one may come in {wait_s} s")


class RateTerms(Struct, frozen=True, kw_only=True):
    """So many requests a second in the long run, or 0 for no limit."""

    per_s: int

    @property
    def burst(self) -> int:
        return self.per_s * BURST_FACTOR


class Quota(Struct, frozen=True, kw_only=True):
    """So many at once, and one more in every interval; `what` names them in a refusal."""

    name: str
    at_once: int
    interval_s: float
    what: str = "requests"


# Commands of accounts without a part in a stream, for each network and stream: entries of a club, and their races.
OUTSIDERS = Quota(name="outsider", at_once=100, interval_s=0.1)
# An account stays for ever. A whole club joins in one evening, and a program under test makes some for each run.
ACCOUNTS = Quota(name="register", at_once=100, interval_s=10)
# Each tries a secret; one of a code's 2^100 is found by none of them. A club signs in within one evening.
SIGN_INS = Quota(name="sign-in", at_once=50, interval_s=5)
# Each sends a request to an address of the account's choice.
WAY_TESTS = Quota(name="way-test", at_once=10, interval_s=60)
# A game stays for ever as well. A delayed one is shown by more work, and counts as several.
OPENINGS = Quota(name="open", at_once=30, interval_s=10, what="games opened by this account")
NETWORK_OPENINGS = Quota(name="open-network", at_once=100, interval_s=5, what="games opened from this network")
DELAYED_COST = 5
# Seats offered to players by name, each of which may wake a person. Friends play one rematch after the other; a club
# sets up its evening at once.
OFFERS = Quota(name="offer", at_once=40, interval_s=10, what="seats offered by this account")
NETWORK_OFFERS = Quota(name="offer-network", at_once=200, interval_s=5, what="seats offered from this network")
OFFERS_TO_ONE = Quota(name="offer-one", at_once=10, interval_s=60, what="seats offered to this player")
NETWORK_OFFERS_TO_ONE = Quota(
    name="offer-one-network", at_once=20, interval_s=300, what="seats offered to this player from this network"
)
# Commands in games that have not started, whose lines stay for ever: sitting down and getting ready at a few tables.
UNSTARTED = Quota(name="unstarted", at_once=100, interval_s=2, what="commands of this account in games not started")
NETWORK_UNSTARTED = Quota(
    name="unstarted-network", at_once=500, interval_s=0.5, what="commands from this network in games not started"
)
# Games for which house bots are called. As many games of one network as this, and those of the hour after which a left
# game counts no more, are a third of all that the house plays.
HOUSE_CALLS = Quota(name="house-network", at_once=30, interval_s=120, what="games with house bots from this network")
# Courses that are kept: an author tries one after the other, and a club draws together.
COURSES = Quota(name="course", at_once=30, interval_s=20, what="courses kept by this account")
NETWORK_COURSES = Quota(name="course-network", at_once=100, interval_s=10, what="courses kept from this network")
# Ways of notices that are added: a person's own, and those of a club.
WAYS = Quota(name="way", at_once=20, interval_s=60, what="ways of notices added by this account")
NETWORK_WAYS = Quota(name="way-network", at_once=60, interval_s=30, what="ways of notices added from this network")


class RateLimit(Protocol):
    """Counts in one step, in Redis or in memory. Raises RateLimitAway where it cannot."""

    async def take(self, who: str, *, interval_us: int, burst: int, cost: float) -> int: ...


class _Outage:
    """The log of a Redis that does not answer: once, when it still does not the next time it is asked.

    A single missed answer is no news: on a busy machine, at its start above all, one is late now and then.
    """

    def __init__(self) -> None:
        self._since_us: int | None = None
        self._is_told = False

    def on_away(self, now_us: int, *, reason: str) -> None:
        if self._since_us is None:
            self._since_us = now_us
        elif not self._is_told and now_us >= self._since_us + AWAY_US:
            self._is_told = True
            log.warning("rate_limit_disconnected", reason=reason)

    def on_answer(self) -> None:
        if self._is_told:
            log.info("rate_limit_connected")
        self._since_us, self._is_told = None, False


class Rates:
    def __init__(self, terms: RateTerms, *, shared: RateLimit | None, now_us: Callable[[], int]) -> None:
        self._terms = terms
        self._shared = shared
        self._now_us = now_us
        self._own = MemoryRateLimit(now_us=now_us)
        self._paces = MemoryRateLimit(now_us=now_us)
        self._away_until_us = 0
        self._outage = _Outage()

    @property
    def is_limiting(self) -> bool:
        return self._terms.per_s > 0

    async def count(self, who: str, *, cost: float = 1) -> None:
        """Count a request, or raise TooManyRequests."""
        if not self.is_limiting:
            return
        missing_us = await self._take(
            who,
            min(cost, self._terms.burst),
            interval_us=SECOND_US // self._terms.per_s,
            burst=self._terms.burst,
        )
        if missing_us:
            raise TooManyRequests(wait_s=-(-missing_us // SECOND_US))

    async def spend(self, quota: Quota, who: str, *, cost: float = 1) -> None:
        """Count something that is rarer than requests, or raise TooManyRequests."""
        if not self.is_limiting:
            return
        missing_us = await self._take(
            f"{quota.name}:{who}", cost, interval_us=round(quota.interval_s * SECOND_US), burst=quota.at_once
        )
        if missing_us:
            raise TooManyRequests(wait_s=-(-missing_us // SECOND_US), what=quota.what)

    async def spend_offers(self, account: str | None, network: Network, players: Collection[str]) -> None:
        """Count seats that are offered to players by name, or raise TooManyRequests."""
        if not players:
            return
        await self.spend(OFFERS, str(account), cost=len(players))
        await self.spend(NETWORK_OFFERS, network, cost=len(players))
        for player, seats in Counter(players).items():
            await self.spend(OFFERS_TO_ONE, f"{account}:{player}", cost=seats)
            await self.spend(NETWORK_OFFERS_TO_ONE, f"{network}:{player}", cost=seats)

    async def spend_unstarted(self, account: str | None, network: Network) -> None:
        """Count a command in a game that has not started, or raise TooManyRequests."""
        await self.spend(UNSTARTED, str(account))
        await self.spend(NETWORK_UNSTARTED, network)

    async def spend_opening(self, account: str | None, network: Network, *, is_delayed: bool) -> None:
        """Count the opening of a game, or raise TooManyRequests."""
        cost = DELAYED_COST if is_delayed else 1
        await self.spend(OPENINGS, str(account), cost=cost)
        await self.spend(NETWORK_OPENINGS, network, cost=cost)

    def charge(self, network: Network, *, cost: float) -> None:
        """Count work that is done already: later requests of the network wait for it."""
        if self.is_limiting and cost > 0:
            self._paces.add(network, round(self._pace_interval_us * cost))

    def list_headers(self, network: Network) -> tuple[tuple[bytes, bytes], ...]:
        """List the headers of an answer, in the form of the IETF's draft: the limits, and the room of the network.

        `q` units may be spent at once and come back within `w` seconds; `r` are left, all of them after `t` seconds.
        """
        if not self.is_limiting:
            return ()
        ahead_us, interval_us = self._paces.ahead_us(network), self._pace_interval_us
        left, reset_s = max(NETWORK_BURST - ahead_us // interval_us, 0), -(-ahead_us // SECOND_US)
        network_s = -(-NETWORK_BURST * interval_us // SECOND_US)
        policy = f'"account";q={self._terms.burst};w={BURST_FACTOR}, "network";q={NETWORK_BURST};w={network_s}'
        return (b"ratelimit-policy", policy.encode()), (b"ratelimit", b'"network";r=%d;t=%d' % (left, reset_s))

    @property
    def _pace_interval_us(self) -> int:
        return max(SECOND_US // (self._terms.per_s * NETWORK_FACTOR), 1)

    async def pace(self, network: Network, *, cost: float = 1) -> None:
        """Wait for a network's own requests before this one, or raise TooManyRequests where these are too many."""
        if not self.is_limiting or cost <= 0:
            return
        interval_us = self._pace_interval_us
        waiting_max = PACE_WAIT_US_MAX // interval_us
        missing_us = await self._paces.take(
            network, interval_us=interval_us, burst=NETWORK_BURST + waiting_max, cost=cost
        )
        if missing_us:
            raise TooManyRequests(wait_s=-(-missing_us // SECOND_US))
        ahead_us = self._paces.ahead_us(network) - interval_us * NETWORK_BURST
        if ahead_us > 0:
            await asyncio.sleep(ahead_us / SECOND_US)

    async def _take(self, who: str, cost: float, *, interval_us: int, burst: int) -> int:
        if self._shared is not None and self._now_us() >= self._away_until_us:
            try:
                missing_us = await self._shared.take(who, interval_us=interval_us, burst=burst, cost=cost)
            except RateLimitAway as away:
                self._outage.on_away(self._now_us(), reason=str(away))
                self._away_until_us = self._now_us() + AWAY_US
            else:
                self._outage.on_answer()
                return missing_us
        return await self._own.take(who, interval_us=interval_us, burst=burst, cost=cost)
