"""Which games are looked at, and when: as late as may be, never too late."""

from domain.ids import GameId, LogPosition, StreamId
from infra.clock_book import GameMove
from services.workers.clock_watch import ENDED, OPENED, ClockWatch

ONE = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
TWO = GameId(StreamId("0199c0de-0000-7000-8000-000000000002"))
MINUTE = 60_000


def move(game: GameId, type_: str, at_ms: int, per_decision_ms: int | None = None) -> GameMove:
    return GameMove(position=LogPosition(1), game=game, type=type_, at_ms=at_ms, per_decision_ms=per_decision_ms)


def opened(*games: GameId, at_ms: int = 0) -> ClockWatch:
    watch = ClockWatch({}, now_ms=0)
    watch.follow(move(game, OPENED, at_ms, MINUTE) for game in games)
    return watch


def test_what_was_watched_before_is_looked_at_first_of_all() -> None:
    watch = ClockWatch({ONE: MINUTE, TWO: MINUTE}, now_ms=7)

    assert watch.take_due(6) == []
    assert watch.take_due(7) == [ONE, TWO]


def test_a_game_that_moved_is_looked_at_when_what_it_asks_for_may_run_out() -> None:
    watch = opened(ONE, TWO)
    watch.follow([move(TWO, "action_played", 30_000)])

    assert watch.take_due(MINUTE - 1) == []
    assert watch.take_due(MINUTE) == [ONE, TWO]


def test_a_later_move_does_not_put_off_what_was_planned() -> None:
    watch = opened(ONE)
    watch.follow([move(ONE, "action_played", 30_000)])

    assert watch.take_due(MINUTE) == [ONE]
    assert watch.take_due(10 * MINUTE) == []


def test_a_move_brings_a_look_forward() -> None:
    watch = opened(ONE)
    watch.take_due(MINUTE)
    watch.plan(ONE, 10 * MINUTE)

    watch.follow([move(ONE, "action_played", 2 * MINUTE)])

    assert watch.take_due(3 * MINUTE) == [ONE]
    assert watch.take_due(10 * MINUTE) == []


def test_a_game_is_looked_at_with_the_end_of_its_pause_as_its_clocks_have_run_before() -> None:
    watch = opened(ONE)
    watch.take_due(MINUTE)
    watch.plan(ONE, 100 * MINUTE)

    watch.follow([move(ONE, "pause_ended", 2 * MINUTE)])

    assert watch.take_due(2 * MINUTE) == [ONE]


def test_a_game_that_ended_is_forgotten() -> None:
    watch = opened(ONE, TWO)

    watch.follow([move(ONE, ENDED, 1)])
    watch.plan(ONE, 1)

    assert watch.list_games() == [TWO]
    assert watch.take_due(MINUTE) == [TWO]


def test_what_has_no_clock_is_not_watched() -> None:
    watch = ClockWatch({}, now_ms=0)

    watch.follow([move(ONE, OPENED, 0), move(ONE, "game_started", 1), move(TWO, "tournament_opened", 2)])

    assert len(watch) == 0
    assert watch.take_due(10 * MINUTE) == []
