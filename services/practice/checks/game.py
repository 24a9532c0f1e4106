"""One random game of a ruleset under check: every call of the contract, at every decision, with legal and odd answers.

The same number gives the same game on every machine; its digest stands for all that was written, shown and offered.
"""

import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from domain.ids import DecisionIdField, Seat
from domain.rejection import Rejection
from domain.ruleset.decision import Decision
from domain.ruleset.kit import Kit
from domain.ruleset.playout import Playout
from domain.ruleset.ruleset import AnyRuleset
from services.practice.checks.findings import Findings
from services.practice.checks.mutants import Odd
from services.practice.checks.variants import Variant

T = TypeVar("T")
DECISIONS_MAX = 5_000
# Of long lists of answers some are tried: other games try others.
TRIED_MAX = 12
LISTED_MAX = 400
# An event is a line of a log, with some words around it.
EVENT_SIZE_MAX = 60_000
SHOWN_SIZE_MAX = 1_000_000
CALL_S_MAX = 1.0
# In a wild game one step of so many is no answer.
WILD = 12


class Asked(Struct, frozen=True, kw_only=True):
    """A game to be played. A wild one has seats that resign, and seals that are withheld."""

    number: int
    variant: Variant
    seats: int
    call_s_max: float = CALL_S_MAX
    decisions_max: int = DECISIONS_MAX

    @property
    def is_wild(self) -> bool:
        return self.number % 2 == 1

    @property
    def name(self) -> str:
        return f"game {self.number} ({self.variant.name}, {self.seats} seats)"


class Played(Struct, frozen=True, kw_only=True):
    """A game as it ended; `offers` are the decisions with the seat's view and its choices, as bytes."""

    secret: bytes
    written: Sequence[Struct]
    decisions: int
    shown_size: int
    digest: str
    offers: Sequence[tuple[str, bytes, bytes]]
    board: Any


class CheckedGame:
    """One game, and the findings to which its faults are added."""

    def __init__(self, kit: Kit, rules: AnyRuleset, asked: Asked, findings: Findings, odd: Odd) -> None:
        self._kit, self._rules, self._asked, self._findings, self._odd = kit, rules, asked, findings, odd
        self._secret = sha256(f"spina/check/{asked.number}".encode()).digest()
        self._numbers = Random(self._secret)  # noqa: S311  the same choices in every run
        self._digest = sha256()
        self._answered: dict[str, str] = {}
        self._closed: dict[str, Any] = {}
        self._offers: list[tuple[str, bytes, bytes]] = []
        self._shown_size = 0

    def play(self) -> Played | None:
        """Play to the end; None where the rules broke on the way, which is found."""
        where, check = self._asked.name, "leaving" if self._asked.is_wild else "ends"
        decisions = 0
        game: Playout | None = None
        with self._findings.watching(check, where):
            game = self._begin()
            while owed := game.owed():
                decisions += 1
                if decisions > self._asked.decisions_max:
                    self._findings.add(check, f"{where}: no end after {self._asked.decisions_max} decisions")
                    return None
                self._step(game, self._numbers.choice(owed))
            for decision in self._rules.decisions(game.board):
                self._findings.add("decisions", f"{where}: {decision.id} is owed at the end, and was answered before")
            self._check_ranking(game.board)
            self._digest.update(msgspec.json.encode((game.written, self._rules.ranking(game.board))))
            return Played(
                secret=self._secret,
                written=game.written,
                decisions=decisions,
                shown_size=self._shown_size,
                digest=self._digest.hexdigest(),
                offers=self._offers,
                board=game.board,
            )
        return None

    def _begin(self) -> Playout:
        seats = tuple(Seat(seat) for seat in range(self._asked.seats))
        options = msgspec.convert(dict(self._asked.variant.options), self._rules.options_type)
        rules: Any = _Closing(self._rules, self._note_closed)
        return Playout(rules, seats=seats, options=options, secret=self._secret)

    def _note_closed(self, board: Any) -> None:
        """Check that no id is sealed twice; a play that runs again closes the same board again."""
        for decision in self._rules.decisions(board):
            if self._closed.setdefault(decision.id, board) != board:
                self._findings.add("decisions", f"{self._asked.name}: {decision.id} is sealed a second time")

    def _step(self, game: Playout, decision: Decision) -> None:
        where = f"{self._asked.name}, {decision.id}"
        self._check_decision(game, decision, where)
        self._check_ranking(game.board)
        choices = self._timed("legal_actions", lambda: self._rules.legal_actions(game.board, decision))
        self._note_shown(game.board, decision, choices)
        for fault in self._kit.find_unsound(self._rules, game.board):
            self._findings.add("ends", f"{where}: {fault}")
        answers = tuple(islice(self._kit.list_answers(choices), LISTED_MAX))
        default = self._timed("default_action", lambda: self._rules.default_action(game.board, decision))
        self._check_answers(game.board, decision, (*self._sample(answers), default), where)
        if self._kit.offers_all_answers and len(answers) < LISTED_MAX:
            self._check_complete(game.board, decision, answers, default, where)
        if self._asked.is_wild and self._numbers.randrange(WILD) == 0 and self._leave(game, decision):
            return
        action = self._choose(game, decision, choices, answers or (default,))
        self._timed("play", lambda: game.answer(decision, action))

    def _check_decision(self, game: Playout, decision: Decision, where: str) -> None:
        if game.owed() != game.owed():
            self._findings.add("decisions", f"{where}: other decisions when asked again")
        if self._answered.get(decision.id) is not None:
            self._findings.add("decisions", f"{where}: the id was answered before")
        self._answered[decision.id] = decision.kind
        try:
            msgspec.convert(decision.id, DecisionIdField)
        except msgspec.ValidationError as error:
            self._findings.add("decisions", f"{where}: {error}")
        if decision.seat not in range(self._asked.seats):
            self._findings.add("decisions", f"{where}: seat {decision.seat} is none of the game's")

    def _check_ranking(self, board: Any) -> None:
        ranking = self._rules.ranking(board)
        seats = sorted(placing.seat for placing in ranking)
        places = sorted(placing.place for placing in ranking)
        if seats != list(range(self._asked.seats)):
            self._findings.add("ranking", f"{self._asked.name}: expected every seat once, found {seats}")
        elif places[0] < 1 or places[-1] > self._asked.seats + 1:
            self._findings.add(
                "ranking", f"{self._asked.name}: expected places from 1, or from 2 where none is first, found {places}"
            )

    def _note_shown(self, board: Any, decision: Decision, choices: Any) -> None:
        view = self._timed("view", lambda: self._rules.view(board, decision.seat))
        seen, offered = msgspec.json.encode(view), msgspec.json.encode(choices)
        self._digest.update(seen + offered)
        self._shown_size = max(self._shown_size, len(seen), len(offered))
        self._offers.append((decision.id, seen, offered))

    def _check_answers(self, board: Any, decision: Decision, answers: Sequence[Any], where: str) -> None:
        for answer in answers:
            with self._findings.watching("offers", f"{where}, {answer!r}"):
                self._rules.check(board, decision, answer)
                again = msgspec.convert(msgspec.to_builtins(answer), self._rules.action_type)
                if again != answer:
                    self._findings.add("offers", f"{where}: {answer!r} is read as {again!r}")
                self._timed("preview", lambda answer=answer: self._rules.preview(board, decision, answer))  # type: ignore[misc]  # bound at once

    def _check_complete(self, board: Any, decision: Decision, answers: Sequence[Any], default: Any, where: str) -> None:
        if default not in answers:
            self._findings.add("complete", f"{where}: the default {default!r} is not offered")
        for mutant in self._odd.make(answers, self._numbers):
            try:
                self._rules.check(board, decision, mutant)
            except Rejection:
                continue
            except Exception as error:  # noqa: BLE001  the code under test may raise anything
                self._findings.add("refusals", f"{where}, {mutant!r}: {type(error).__name__}: {error}")
                continue
            if mutant not in answers:
                self._findings.add("complete", f"{where}: {mutant!r} is legal and not offered")

    def _leave(self, game: Playout, decision: Decision) -> bool:
        """Withhold a sealed answer or resign, where the game may be left now; return whether it was."""
        if decision.kind == "sealed" and self._numbers.randrange(2):
            game.withhold(decision)
            return True
        if game.is_asked_within:
            return False
        game.resign(decision.seat)
        return True

    def _choose(self, game: Playout, decision: Decision, choices: Any, answers: Sequence[Any]) -> Any:
        """Choose by chance, or as one of the bots."""
        names = sorted(self._kit.bots)
        if not names or self._numbers.randrange(3):
            return self._numbers.choice(answers)
        name = self._numbers.choice(names)
        view, where = self._rules.view(game.board, decision.seat), f"{self._asked.name}, {decision.id}, {name}"
        with self._findings.watching("bots", where):
            action = self._kit.bots[name](view, choices, self._numbers)
            self._rules.check(game.board, decision, action)
            return msgspec.convert(msgspec.to_builtins(action), self._rules.action_type)
        return self._numbers.choice(answers)

    def _sample(self, answers: Sequence[Any]) -> Sequence[Any]:
        return answers if len(answers) <= TRIED_MAX else self._numbers.sample(answers, TRIED_MAX)

    def _timed(self, name: str, call: Callable[[], T]) -> T:
        started = time.process_time()
        result = call()
        took_s = time.process_time() - started
        if took_s > self._asked.call_s_max:
            limit_s = self._asked.call_s_max
            self._findings.add("speed", f"{self._asked.name}: {name}: expected at most {limit_s} s, found {took_s:.2f}")
        return result


class _Closing:
    """The rules, with an eye on `close`, after which sealed decisions go by the same ids as openings."""

    def __init__(self, rules: AnyRuleset, on_close: Callable[[Any], None]) -> None:
        self._rules = rules
        self._on_close = on_close

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def close(self, script: Any) -> None:
        self._on_close(script.board)
        self._rules.close(script)
