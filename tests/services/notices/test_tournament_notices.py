"""Notices of a tournament: a round that is called, a table that is drawn, a ruling, each to those it concerns."""

from collections.abc import Collection, Sequence

from domain.accounts.notice import Notice
from domain.ids import LogPosition, PlayerId
from domain.log.actors import ByPlayer
from domain.tournament.role_events import HelperJoined
from domain.tournament.ruling_events import RULING_TYPES, EntrantRemoved, HelperInvited, PointsRuled
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled
from services.commands.arena import Arena
from services.notices.composing import Composer
from services.notices.finding import OF_TOURNAMENTS, NoticeFinder
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories
from simulate.stores.announcer import MemoryAnnouncer
from simulate.stores.event_store import MemoryEventStore
from tests.domain.tournament.desk_harness import LINK, SECRET
from tests.domain.tournament.tournament_harness import CATALOGUE, CUP, ORGA, ORGANISER, player
from tests.services.api.server import VAULT, memory_parts
from tests.services.workers.steward_harness import Estate

LINES_MAX = 1_000


class Post:
    """A tournament and its notices, each found once, as every player were told of it."""

    def __init__(self) -> None:
        self.store = MemoryEventStore()
        self.estate = Estate(self.store)
        self._position = LogPosition(0)
        games = GameHistories(store=self.store, catalogue=CATALOGUE, vault=VAULT)
        tournaments = TournamentHistories(self.store)
        arena = Arena(store=self.store, announcer=MemoryAnnouncer(), catalogue=CATALOGUE, vault=VAULT)
        self._finder = NoticeFinder(games, tournaments)
        self.composer = Composer(games, arena.load, tournaments, memory_parts().games.words)

    async def find(self) -> Sequence[Notice]:
        events = await self.store.read_log(after=self._position, limit=LINES_MAX)
        self._position = events[-1].position
        return await self._finder.find(events, find_all)


async def find_all(accounts: Collection[PlayerId]) -> set[PlayerId]:
    return set(accounts)


def list_current(notices: Sequence[Notice]) -> set[tuple[str, str]]:
    return {(notice.kind, notice.account) for notice in notices}


async def test_a_round_is_told_to_entrants_and_a_table_to_those_drawn_there() -> None:
    post = Post()
    await post.estate.open(4)
    await post.find()

    await post.estate.call()
    called = await post.find()
    told_call = await post.composer.compose(called[0])
    await post.estate.check_in(0, 1, 2, 3)
    drawn = await post.find()
    first = next(notice for notice in drawn if notice.account == player(0))
    told_table = await post.composer.compose(first)

    assert list_current(called) == {("round_called", player(number)) for number in range(4)}
    assert list_current(drawn) == {("table_drawn", player(number)) for number in range(4)}
    assert told_call is not None
    assert told_call.text == "Round 1 of Cup of the Spina is called: check in, until 2026-11-18 13:00 UTC."
    assert told_table is not None
    table = next(table for table in (await post.estate.round()).tables if 0 in table.entrants)
    found = told_table.data
    assert (found.game, found.table, found.seat) == (table.game, table.number, table.entrants.index(0))


async def test_a_ruling_is_told_to_those_it_is_about() -> None:
    post = Post()
    await post.estate.open(4)
    await post.estate.draw()
    await post.find()

    await post.estate.order(PointsRuled, ORGANISER, entrant=1, round=1, points=-2, reason="Late.")
    await post.estate.order(EntrantRemoved, ORGANISER, entrant=2, reason="Left the hall.")
    found = await post.find()
    told = [await post.composer.compose(finding) for finding in found]

    assert list_current(found) == {("ruling", player(1)), ("ruling", player(2))}
    assert [None if sentence is None else sentence.text for sentence in told] == [
        "A ruling in Cup of the Spina is about you."
    ] * 2
    assert "Late" not in str(told)


async def test_a_call_is_told_no_more_once_the_entrant_has_checked_in() -> None:
    post = Post()
    await post.estate.open(4)
    await post.estate.call()
    called = await post.find()

    await post.estate.check_in(1)
    told = {notice.account: await post.composer.compose(notice) for notice in called}

    assert told[player(1)] is None
    assert told[player(2)] is not None


async def test_a_call_is_told_no_more_once_another_round_is_called() -> None:
    post = Post()
    await post.estate.open(4)
    await post.estate.draw()
    called = [notice for notice in await post.find() if notice.kind == "round_called"]
    for table in (await post.estate.round()).tables:
        await post.estate.finish(table.number)
    await post.estate.steward.step()

    await post.estate.call()
    called_again = await post.find()

    assert [await post.composer.compose(notice) for notice in called] == [None] * 4
    assert None not in [await post.composer.compose(notice) for notice in called_again if notice.kind == "round_called"]


async def test_lines_that_are_read_again_in_other_parts_give_the_same_notices() -> None:
    post, other = Post(), Post()
    await post.estate.open(4)
    await post.estate.draw()
    whole = {notice.id for notice in await post.find()}

    parts: set[str] = set()
    await other.estate.open(4)
    for step in (other.estate.call, lambda: other.estate.check_in(0, 1), lambda: other.estate.check_in(2, 3)):
        await step()
        parts |= {notice.id for notice in await other.find()}

    assert parts == whole


async def test_an_announcement_is_told_with_its_words_to_those_whom_it_is_for() -> None:
    post = Post()
    await post.estate.open(3)
    await post.find()

    await post.estate.order(Announced, ORGANISER, text="Round two begins at nine.", entrants=())
    await post.estate.order(Announced, ORGANISER, text="Bring your badge.", entrants=(1,))
    found = await post.find()
    told = [await post.composer.compose(notice) for notice in found if notice.account == player(1)]

    assert list_current(found) == {("announced", player(number)) for number in range(3)}
    assert len(found) == 4
    assert [None if content is None else content.text for content in told] == [
        "Cup of the Spina: Round two begins at nine.",
        "Cup of the Spina: Bring your badge.",
    ]


async def test_a_call_is_told_to_those_who_may_answer_until_one_did_and_the_answer_to_the_caller() -> None:
    post = Post()
    await post.estate.open(3)
    helper = ByPlayer(player=player(21))
    invited = {"role": "desk", "link": LINK, "reason": "she helps"}
    await post.estate.order(HelperInvited, ORGANISER, **invited)
    await post.estate.order(HelperJoined, helper, helper=0, player=helper.player, key=None, invitation=SECRET)
    await post.find()

    await post.estate.order(OrganiserCalled, ByPlayer(player=player(2)), entrant=2, text="Who was first?")
    called = await post.find()
    content = await post.composer.compose(next(notice for notice in called if notice.account == helper.player))
    line = (await post.estate.read()).calls[0].line
    await post.estate.order(CallAnswered, helper, line=line, text="You were.")
    answered = await post.find()
    answer = await post.composer.compose(answered[0])

    assert list_current(called) == {("organiser_called", account) for account in (ORGA, helper.player)}
    assert content is not None
    assert (content.text, content.path) == (
        "A call in Cup of the Spina waits for an answer.",
        f"/tournaments/{CUP}/organise",
    )
    assert list_current(answered) == {("announced", player(2))}
    assert answer is not None
    assert answer.text == "Cup of the Spina: You were."
    assert [await post.composer.compose(notice) for notice in called] == [None, None]


def test_every_kind_of_ruling_is_looked_at_for_notices() -> None:
    assert RULING_TYPES.keys() <= OF_TOURNAMENTS
