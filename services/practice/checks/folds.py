"""A played game read again from its stored outcomes, with its secret, without one, and under another one."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import (
    Chance,
    DeckShuffled,
    DiceRolled,
    Secret,
    after_dice,
    after_shuffle,
    derive_anchors,
    open_chance,
)
from domain.ids import Seat
from domain.ruleset.playout import PLAYOUT_GAME
from domain.ruleset.ruleset import AnyRuleset
from services.practice.checks.findings import Findings
from services.practice.checks.game import EVENT_SIZE_MAX, SHOWN_SIZE_MAX, Asked, Played

# So many values that are the same for two seats are no chance.
TWINS_MIN = 4
# Views of seats change slowly.
TWINS_STEP = 5
# A log has 50,000 lines; inputs take their share.
OUTCOMES_MAX = 25_000
DRAWS: Mapping[str, type[Struct]] = {"dice_rolled": DiceRolled, "deck_shuffled": DeckShuffled}


class Fold:
    """A board folded outcome by outcome, with the knowledge of a secret or without."""

    def __init__(self, rules: AnyRuleset, asked: Asked, anchors: tuple[str, ...], secret: bytes | None) -> None:
        seats = tuple(Seat(seat) for seat in range(asked.seats))
        self._rules = rules
        self.board: Any = rules.initial_board(seats, msgspec.convert(dict(asked.variant.options), rules.options_type))
        self._chance = open_chance(PLAYOUT_GAME, anchors, None if secret is None else Secret(secret))

    def take(self, event: Struct) -> None:
        if isinstance(event, DiceRolled):
            self._chance = after_dice(self._chance, event)
        elif isinstance(event, DeckShuffled):
            self._chance = after_shuffle(self._chance, event)
        self.board = self._rules.evolve(self.board, event, self._known())

    def show(self, seat: Seat | None) -> bytes:
        return msgspec.json.encode(self._rules.view(self.board, seat))

    def _known(self) -> Chance | None:
        return self._chance if self._chance.secret is not None else None


class Twins:
    """Hidden values at one place of the views of two seats: that are the same in every game are one secret for two."""

    def __init__(self) -> None:
        self._same: dict[tuple[int, int, str], set[str]] = {}
        self._apart: set[tuple[int, int, str]] = set()

    def note(self, hidden: Sequence[Mapping[str, str]]) -> None:
        """Compare the hidden values that seats see at one moment, by their places."""
        for one, other in combinations(range(len(hidden)), 2):
            for path in hidden[one].keys() & hidden[other].keys():
                key = one, other, path
                if hidden[one][path] == hidden[other][path]:
                    self._same.setdefault(key, set()).add(hidden[one][path])
                else:
                    self._apart.add(key)

    def judge(self, findings: Findings) -> None:
        for key, values in self._same.items():
            one, other, path = key
            if len(values) >= TWINS_MIN and key not in self._apart:
                findings.add(
                    "leaks", f"seats {one} and {other} see the same hidden values at {path}, and the public none"
                )


def check_folds(rules: AnyRuleset, asked: Asked, played: Played, twins: Twins, findings: Findings) -> None:
    """Fold a game three times over, and compare what the seats and the public see after every outcome."""
    with findings.watching("folds", asked.name):
        stored = list(_store(rules, played.written, asked, findings))
        other = sha256(b"another secret" + played.secret).digest()
        chains = rules.link_chains
        known = Fold(rules, asked, derive_anchors(Secret(played.secret), chains), played.secret)
        blind = Fold(rules, asked, derive_anchors(Secret(played.secret), chains), None)
        beside = Fold(rules, asked, derive_anchors(Secret(other), chains), other)
        folds = (known, blind, beside)
        for number, event in enumerate(stored, 1):
            for fold in folds:
                fold.take(event)
            where = f"{asked.name}, outcome {number} ({type(event).__name__})"
            _check_shown(folds, where, findings)
            if number % TWINS_STEP == 0:
                twins.note([dict(_list_hidden(known, beside, Seat(seat))) for seat in range(asked.seats)])
            rules.decisions(known.board)
            rules.ranking(known.board)
        if rules.decisions(known.board) or stored != list(played.written):
            findings.add("folds", f"{asked.name}: its stored outcomes are read as another game")


def _store(rules: AnyRuleset, written: Sequence[Struct], asked: Asked, findings: Findings) -> Iterator[Struct]:
    types = {kind: tag for tag, kind in {**DRAWS, **rules.outcome_types}.items()}
    for event in written:
        tag = types.get(type(event))
        if tag is None:
            findings.add("form", f"{asked.name}: {type(event).__name__} is none of the outcome types")
            continue
        raw = msgspec.json.encode(event)
        if len(raw) > EVENT_SIZE_MAX:
            findings.add(
                "sizes", f"{asked.name}: expected outcomes of {EVENT_SIZE_MAX} bytes, found {tag} of {len(raw)}"
            )
        yield msgspec.json.decode(raw, type={**DRAWS, **rules.outcome_types}[tag])
    if len(written) > OUTCOMES_MAX:
        findings.add("sizes", f"{asked.name}: expected fewer outcomes than a log has lines, found {len(written)}")


def _check_shown(folds: tuple[Fold, Fold, Fold], where: str, findings: Findings) -> None:
    known, blind, beside = folds
    public = known.show(None)
    if len(public) > SHOWN_SIZE_MAX:
        findings.add("sizes", f"{where}: expected views of {SHOWN_SIZE_MAX} bytes, found {len(public)}")
    if public != blind.show(None):
        findings.add("leaks", f"{where}: the public sees other things with the secret than without")
    if public != beside.show(None):
        findings.add("leaks", f"{where}: the public sees other things under another secret")


def _list_hidden(known: Fold, beside: Fold, seat: Seat) -> Iterator[tuple[str, str]]:
    """List the values in a seat's view that depend on the secret."""
    shown, compared = known.show(seat), beside.show(seat)
    if shown != compared:
        yield from _differ(msgspec.json.decode(shown), msgspec.json.decode(compared), "board")


def _differ(value: Any, other: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and isinstance(other, dict) and value.keys() == other.keys():
        for name in value:
            yield from _differ(value[name], other[name], f"{path}.{name}")
    elif isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        for place, (one, two) in enumerate(zip(value, other, strict=True)):
            yield from _differ(one, two, f"{path}.{place}")
    elif value != other:
        yield path, repr(value)
