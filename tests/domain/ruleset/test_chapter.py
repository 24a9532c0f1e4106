"""Rulesets made of chapters: every duty about a decision is passed on to the one chapter that owes it."""

from collections.abc import Callable, Sequence
from types import UnionType
from typing import Any, get_args

import msgspec
import pytest

from domain.ids import DecisionId, Seat
from domain.ruleset.chapter import Chapter, ChapteredRuleset, NotDueNow, WrongAction
from domain.ruleset.decision import Decision
from domain.ruleset.kit import Kit
from domain.ruleset.playout import Playout
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset
from tests.rulesets.dash.kit import KIT as DASH

DUTIES = {"decisions", "check", "close", "play", "forfeit", "legal_actions", "preview", "default_action"}
# Enough for a whole turn of every seat.
ANSWERS_MAX = 24
NOWHERE = Decision(id=DecisionId("nowhere"), seat=Seat(0), kind="plain")

of_every_ruleset = pytest.mark.parametrize("kit", [*KITS, DASH], ids=lambda kit: kit.name)


def begin(kit: Kit) -> Playout:
    rules = load_ruleset(kit)
    options = msgspec.convert(dict(kit.short), rules.options_type)
    return Playout(rules, seats=(Seat(0), Seat(1)), options=options, secret=bytes(32))


def load_chapters(kit: Kit) -> Sequence[Chapter[Any, Any]]:
    rules: Any = load_ruleset(kit)
    chapters: Sequence[Chapter[Any, Any]] = rules.chapters
    return chapters


def list_types(action_type: Any) -> set[Any]:
    return set(get_args(action_type)) if isinstance(action_type, UnionType) else {action_type}


@of_every_ruleset
def test_a_ruleset_leaves_every_duty_of_a_decision_to_its_chapters(kit: Kit) -> None:
    assert isinstance(load_ruleset(kit), ChapteredRuleset)
    assert DUTIES.isdisjoint(vars(kit.ruleset))


@of_every_ruleset
def test_every_action_answers_a_chapter_and_every_answer_is_an_action(kit: Kit) -> None:
    answers = {answer for chapter in load_chapters(kit) for answer in chapter.answers}

    assert answers == list_types(kit.ruleset.action_type)


@of_every_ruleset
def test_one_chapter_at_a_time_owes_decisions_and_takes_no_answer_of_another(kit: Kit) -> None:
    rules, chapters, game = load_ruleset(kit), load_chapters(kit), begin(kit)
    actions: dict[type, Any] = {}

    answers = 0
    while game.owed() and answers < ANSWERS_MAX:
        answers += 1
        decision = game.owed()[0]
        [chapter] = [chapter for chapter in chapters if decision in chapter.owed(game.board)]
        action = rules.default_action(game.board, decision)
        actions[type(action)] = action
        assert isinstance(action, chapter.answers)
        for wrong in (action for action in actions.values() if not isinstance(action, chapter.answers)):
            with pytest.raises(WrongAction, match=str(decision.id)):
                rules.check(game.board, decision, wrong)
        game.answer(decision, action)


@of_every_ruleset
def test_a_decision_that_no_chapter_owes_is_refused_by_every_duty(kit: Kit) -> None:
    rules, game = load_ruleset(kit), begin(kit)
    action = rules.default_action(game.board, game.owed()[0])

    refused: list[Callable[[], object]] = [
        lambda: rules.check(game.board, NOWHERE, action),
        lambda: rules.preview(game.board, NOWHERE, action),
        lambda: rules.legal_actions(game.board, NOWHERE),
        lambda: rules.default_action(game.board, NOWHERE),
    ]
    for duty in refused:
        with pytest.raises(NotDueNow, match="found nowhere"):
            duty()
