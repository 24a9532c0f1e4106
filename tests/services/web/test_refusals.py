"""Refusals to an entrant: each that a person can meet is shown in words that name the next step."""

from domain.game.rejections import AlreadyStarted, GameOver, SeatOfAnother
from domain.tournament import rejections as tournament
from services.api.http.problems import TYPE_PREFIX
from tests.services.web.node import run

TELL = """
const { tellRefusal } = await import("./tournament/refusals.js");
console.log(JSON.stringify(given.map((type) => tellRefusal({ type, message: "expected one, found another" }))));
"""
MET = (
    tournament.CheckInTooLate,
    tournament.NoCheckIn,
    tournament.NotExpected,
    tournament.EntrantLeft,
    tournament.EntriesAreClosed,
    tournament.TournamentFull,
    tournament.AlreadyEntered,
    tournament.TournamentOver,
    SeatOfAnother,
    AlreadyStarted,
    GameOver,
)


def test_refusals_are_told_in_words_and_others_in_those_of_the_server() -> None:
    told = run(TELL, [f"{TYPE_PREFIX}{each.code}" for each in (*MET, tournament.NoSuchTable)])

    assert [sentence for sentence in told if sentence == "expected one, found another"] == told[-1:]
    assert (
        told[0] == "You are too late: the time to check in for this round is over. You can check in for the next one."
    )
