"""Lists: rules keep tuples, a log keeps lists, and the two are one value wherever they meet."""

import pytest

from domain.game.commands import GameCommand
from domain.game.custody import hold
from domain.game.events import ActionRevealed
from domain.game.kind import GAMES
from domain.game.rejections import UnreadableAction
from domain.ids import DecisionId, Seat
from domain.log.replay import replay
from tests.domain.game.fake_ruleset_mug import Value
from tests.domain.game.game_harness import CATALOGUE, SALT, SECRET, Table, mug_terms
from tests.domain.log.redeciding import redecide


def test_an_action_with_a_list_is_played_from_either_custody() -> None:
    table = Table(links=0, **mug_terms(opens_together=True)).start()
    marked = Value(value=2, marks=(1, 2))
    for _ in range(2):
        table.entrust(0, marked)
        table.seal(1, marked)

    action = {"kind": "value", "marks": [1, 2], "value": 2}
    for token in "ab":
        decision = DecisionId(f"m1/1/{token}")
        command = GameCommand(
            event=ActionRevealed(seat=Seat(1), decision=decision, action=action, salt=SALT, nonce=None),
            **table.player(1),
        )
        table.put(command)

    assert "action_forfeited" not in table.types
    assert [fields["marks"] for fields in table.data("token_shown")] == [[1, 2]] * 4
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_game_taken_up_from_its_log_goes_on_after_a_default_with_a_list() -> None:
    table = Table(links=0, **mug_terms()).start()
    for seat in (0, 0, 1, 1):
        table.entrust(seat, Value(value=1))
    table.resign(table.owed()[0].seat)
    while "action_defaulted" not in table.types or not table.owed()[0].id.count("parry"):
        table.answer_by_default(table.owed()[0])

    folded = hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), table.held)
    table.take_up(folded)

    assert table.finish().game.status == "finished"
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_what_is_written_is_what_is_read() -> None:
    table = Table(**mug_terms()).start()

    (opened,) = table.data("game_opened")

    assert opened["options"]["colours"] == ["red", "green"]
    assert table.data("game_started") == [{"seats": [0, 1]}]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_field_that_the_rules_could_guess_must_be_there_all_the_same() -> None:
    table = Table(links=0, **mug_terms(opens_together=True)).start()
    short = {"kind": "value", "value": 2}

    with pytest.raises(UnreadableAction):
        table.entrust(0, short)
    table.seal(0, short)
    table.entrust(0, Value(value=1))
    for _ in range(2):
        table.entrust(1, Value(value=1))
    table.reveal(0, short)

    assert table.data("action_forfeited") == [{"seat": 0, "decision": "m1/0/a", "reason": "illegal"}]
