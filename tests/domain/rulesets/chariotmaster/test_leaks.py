"""Secrecy: tokens in the mug and sealed builds show nowhere before they are opened."""

from typing import Any

import pytest

from domain.canonical import encode
from domain.chance import DiceRolled, Secret, after_dice, derive_anchors, open_chance
from domain.ids import Seat
from domain.rejection import Rejection
from domain.ruleset.playout import PLAYOUT_GAME, Playout
from domain.rulesets.chariotmaster.box.component_file import TOKENS, TokenName
from domain.rulesets.chariotmaster.race.actions import BuildChariot, PutToken
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotDrawn, TokenShown
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.race_outcomes import BuildsClosed
from tests.domain.rulesets.chariotmaster.races import RULES, answer_by_default, play_out
from tests.domain.rulesets.chariotmaster.random_races import folded, options_of, seat_count, whole_race


@pytest.mark.rule("CM-130")
@pytest.mark.parametrize("seed", range(3))
def test_the_public_view_is_the_same_bytes_with_and_without_the_secret_at_every_version(seed: int) -> None:
    race = whole_race(seed)
    secret = Secret(seed.to_bytes(32, "big"))
    chance = open_chance(PLAYOUT_GAME, derive_anchors(secret, RULES.link_chains), secret)
    knowing = RULES.initial_board(tuple(Seat(seat) for seat in range(seat_count(seed))), options_of(seed))

    for event, ignorant in folded(seed, race.written):
        chance = after_dice(chance, event) if isinstance(event, DiceRolled) else chance
        knowing = RULES.evolve(knowing, event, chance)
        assert encode(RULES.view(knowing, None)) == encode(RULES.view(ignorant, None)), event
        assert RULES.ranking(knowing) == RULES.ranking(ignorant)

    assert knowing == race.board


def sealed_race(token: TokenName, game_turn: int) -> Playout:
    """Race by default up to a game turn; there seat 0 seals this token, and all others their default."""
    race = play_out(3, secret=game_turn)
    while race.board.game_turns < game_turn:
        answer_by_default(race)
    mine, *others = race.owed()
    race.answer(mine, PutToken(token=token))
    for decision in others:
        race.answer(decision, RULES.default_action(race.board, decision))
    return race


def told_to(race: Playout, seat: Seat | None, action: Any) -> bytes:
    """Show a board to a seat: its view, and the answer to an attempt."""
    shown = encode(RULES.view(race.board, seat))
    try:
        return shown + encode(RULES.preview(race.board, race.owed()[0], action))
    except Rejection as refusal:
        return shown + encode({"code": refusal.code, "expected": refusal.expected, "found": refusal.found})


@pytest.mark.rule("CM-130")
def test_views_previews_and_refusals_do_not_depend_on_what_is_in_the_mug() -> None:
    compared = 0
    for game_turn in range(1, 5):
        races = [sealed_race(token, game_turn) for token in TOKENS]
        # Until seat 0 is drawn, the moving seat is shown the same for every token of seat 0.
        while races[0].board.active != 0:
            decision = races[0].owed()[0]
            answer = RULES.default_action(races[0].board, decision)
            for seat in (None, Seat(0), Seat(1), Seat(2)):
                for tried in (answer, PutToken(token=10)):
                    assert len({told_to(race, seat, tried) for race in races}) == 1
                    compared += 1
            for race in races:
                race.answer(decision, answer)

    assert compared > 16


def up_to(written: list[Any], kind: type, **fields: Any) -> list[Any]:
    """Return a log up to the last event of a kind with such fields."""
    places = [
        place
        for place, event in enumerate(written)
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    ]
    return written[: places[-1] + 1]


@pytest.mark.rule("CM-130")
@pytest.mark.parametrize("game_turn", [1, 3])
def test_the_log_says_nothing_of_a_token_before_it_is_drawn(game_turn: int) -> None:
    races = [sealed_race(token, game_turn) for token in TOKENS]
    for race in races:
        while race.board.active != 0:
            answer_by_default(race)

    logs = [up_to(race.written, ChariotDrawn, chariot=0) for race in races]
    shown = [event.put_in for race in races for event in race.written if isinstance(event, TokenShown)]
    assert logs[0] == logs[1] == logs[2]
    assert {0, 5, 10} <= set(shown)


@pytest.mark.rule("CM-110")
def test_nothing_is_said_of_a_build_before_all_are_in() -> None:
    told = []
    for choice in range(4):
        race = play_out(2, Options(laps=1, equipment="open"), secret=1)
        mine, other = race.owed()
        builds = RULES.legal_actions(race.board, mine).candidates
        assert isinstance(builds[choice], BuildChariot)
        race.answer(mine, builds[choice])
        views = [encode(RULES.view(race.board, seat)) for seat in (None, Seat(0), Seat(1))]
        race.answer(other, builds[0])
        told.append((views, up_to(race.written, BuildsClosed)))

    assert all(sentence == told[0] for sentence in told)
