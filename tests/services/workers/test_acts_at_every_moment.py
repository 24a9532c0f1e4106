"""Every act of a tournament at every moment of it and of its games: refused with the reason, or the file holds."""

from contextlib import suppress
from typing import Any

import pytest

from domain.ids import GameId, StreamId, StreamVersion
from domain.log.actors import Actor
from domain.rejection import Rejection
from domain.tournament import events
from domain.tournament.commands import TournamentCommand
from domain.tournament.rejections import GameNotOpen, TableSettled, TournamentOver
from domain.tournament.role_events import HelperJoined
from domain.tournament.ruling_events import EntrantAdmitted
from services.api.tournaments.tournament_inputs import INPUTS
from simulate.stores.event_store import MemoryEventStore
from tests.domain.audit.audited_tournament import Played, audit, broken_in, bundle
from tests.domain.tournament.tournament_harness import CUP, ORGANISER
from tests.services.workers.acts_at_moments import (
    ACTS,
    MOMENTS,
    SECRET,
    first_table,
    list_attempts,
    one_seated,
    prepare,
)
from tests.services.workers.steward_harness import LINES_MAX, Estate


async def reach(number: int) -> Estate:
    """Live a tournament until a moment."""
    estate = Estate(MemoryEventStore())
    for moment in MOMENTS[: number + 1]:
        await moment(estate)
    return estate


async def file_of(estate: Estate) -> Played:
    """Return the tournament's lines with those of all its games that were opened."""

    async def read(stream: Any) -> tuple[bytes, ...]:
        return tuple(await estate.store.read_stream(stream, after=StreamVersion(0), limit=LINES_MAX))

    drawn = [GameId(StreamId(str(line.data["game"]))) for line in await estate.lines() if line.type == "table_drawn"]
    games = {game: await read(game) for game in drawn}
    return Played(raws=await read(CUP), games={game: raws for game, raws in games.items() if raws})


async def is_accepted(estate: Estate, kind: type[Any], actor: Actor, named: dict[str, Any]) -> bool:
    """Try an act, and let the steward draw its conclusions; a refusal changes nothing."""
    before = await estate.types()
    with suppress(Rejection):
        secret = {"invitation": SECRET} if kind in {events.EntryTaken, HelperJoined} else {}
        await estate.order(kind, actor, **named, **secret)
        await estate.steward.step()
        await estate.steward.step()
        return True
    assert await estate.types() == before
    return False


@pytest.mark.parametrize("kind", ACTS, ids=lambda kind: events.TAGS[kind])
async def test_an_act_that_is_accepted_leaves_a_file_in_which_nothing_is_broken(kind: type[Any]) -> None:
    tried, accepted, broken = 0, 0, []
    for number, moment in enumerate(MOMENTS):
        estate = await reach(number)
        await prepare(estate, kind)
        for actor, named in list(list_attempts(await estate.read(), kind)):
            tried += 1
            if await is_accepted(estate, kind, actor, named):
                found = broken_in(audit(bundle(await file_of(estate))))
                broken += [(moment.__name__, named, found)] if found else []
                accepted += 1
                estate = await reach(number)
                await prepare(estate, kind)

    print(f"{events.TAGS[kind]}: {tried} tried, {accepted} accepted, {len(broken)} files fail")  # noqa: T201  the number is asked for with -s
    assert not broken
    # No entry waits for approval behind an open door.
    assert accepted or kind is EntrantAdmitted


def test_every_input_of_the_api_is_tried() -> None:
    asked = {kind for input_ in INPUTS.values() for kind in input_.kinds}

    assert asked == set(ACTS)


async def test_an_organiser_tells_no_absence_of_a_game_that_is_not_opened_has_begun_or_is_over() -> None:
    refused = []
    for number, moment in enumerate(MOMENTS):
        estate = await reach(number)
        rounds = (await estate.read()).rounds
        if not (rounds and rounds[-1].tables):
            continue
        table = rounds[-1].tables[0]
        about = {"round": len(rounds), "table": 1, "attempt": table.attempt, "entrants": table.entrants[:1]}
        try:
            await estate.order(events.NoShowTold, ORGANISER, **about, reason="did not come")
        except GameNotOpen as refusal:
            refused.append((moment.__name__, refusal.found.rpartition("which ")[2]))
        except (TableSettled, TournamentOver):
            pass

    assert refused == [
        ("drawn", "is not opened yet"),
        ("begun", "has begun"),
        ("played_for_seconds", "has begun"),
        ("played_for_a_minute", "has begun"),
        ("game_over", "is over"),
    ]


async def test_a_no_show_sent_again_gets_its_first_answer_when_its_game_is_over() -> None:
    estate = await reach(MOMENTS.index(one_seated))
    table = await first_table(estate)
    told = events.NoShowTold(round=1, table=1, attempt=1, entrants=table.entrants[:1], reason="did not come")
    command = TournamentCommand(id=estate.next_id(), stream=CUP, at_ms=estate.now_ms, actor=ORGANISER, event=told)
    answer = await estate.tournaments.handle(command)
    await estate.steward.step()

    again = await estate.tournaments.handle(command)

    assert again == answer
    assert (await estate.types(table.game))[-1] == "secret_disclosed"
