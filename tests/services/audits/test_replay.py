"""A replay in words: the owed decisions, and their deadlines."""

from io import StringIO

from rich.console import Console

from domain.audit.moments import Moment
from domain.game.kind import GAMES
from domain.log.replay import read_entry
from domain.rulesets.chariotmaster.kit import kit as chariotmaster
from domain.sentences import words as sentences
from infra.ruleset_files import load_ruleset, read_words
from services.audits.replay import build_board, tell_line
from tests.domain.game.game_harness import NOON, Table, with_clock
from tests.services.web.game_server import CHARIOTMASTER, read_golden


def owed_of(table: Table) -> str:
    """Return the decisions owed after the last line, as the small board lists them."""
    printed = StringIO()
    moment = Moment(entry=table.entries[-1], game=table.game, is_complete=True)
    Console(width=400, file=printed).print(build_board(moment, None))
    return next(line for line in printed.getvalue().splitlines() if "owed" in line)


def test_while_a_clock_runs_a_replay_tells_until_when_and_what_is_left_in_the_bank() -> None:
    table = Table(clock=with_clock(60, 120)).start()
    table.now = NOON + 90_000
    table.entrust(0, table.default(table.owed(0)[0]))

    owed = owed_of(table)

    assert "seat 0 r1/bid/0, seat 1" in owed
    assert "seat 1 r1/bid/1 until 12:03:00 (bank 120 s)" in owed


def test_without_a_clock_it_tells_what_is_owed() -> None:
    owed = owed_of(Table().start())

    assert "seat 0 r1/bid/0, seat 1 r1/bid/1" in owed
    assert "until" not in owed


def test_a_replay_tells_each_line_in_the_sentence_of_the_chronicle() -> None:
    rules, words = load_ruleset(chariotmaster.KIT), read_words(chariotmaster.KIT)
    entries = [read_entry(GAMES, raw, rules) for raw in read_golden(CHARIOTMASTER).lines]

    told = [tell_line(words, entry) for entry in entries]

    told_by_words = [sentences.tell_line(words, entry.line) for entry in entries]
    assert all(sentence.text[:100] in line for line, sentence in zip(told, told_by_words, strict=True))
    rolls = [line for line, each in zip(told, entries, strict=True) if each.line.type == "dice_rolled"]
    assert all("label " in line and "faces " in line for line in rolls)
