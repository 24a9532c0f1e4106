"""The cost of one ruleset: games by bots and by defaults, answers, offers, folds, and recorded games.

Time of one processor, without a store; other work of the machine is left out.
"""

import cProfile
import pstats
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from bench.figures import VALUE, Asked, Figures, Row, build_rate, time_side_by_side
from bench.recorded_games import measure_recorded_games
from domain.chance import DeckShuffled, DiceRolled, Secret, after_dice, after_shuffle, derive_anchors, open_chance
from domain.ids import Seat
from domain.ruleset.decision import Decision
from domain.ruleset.kit import Kit
from domain.ruleset.playout import PLAYOUT_GAME, Playout
from domain.ruleset.ruleset import AnyRuleset
from infra.ruleset_files import load_ruleset

# The usual table of all rulesets.
SEATS = tuple(Seat(seat) for seat in range(4))
WORKLOADS = 200
# Games of some rulesets take a hundred times as long as those of others; at least one is played.
FIGURE_S = 20

Choose = Callable[[Playout, Decision], Any]
Answers = list[tuple[Decision, Any]]


class Played(Struct, frozen=True, kw_only=True):
    """Games played one way: the time of each, and of each answer; the last one's answers and outcomes."""

    games_s: list[float]
    answers_s: list[float]
    answers: Answers
    written: list[Struct]


async def measure(asked: Asked) -> list[Figures]:
    return [figures for kit in asked.kits for figures in measure_ruleset(kit, games=asked.size(100, 4))]


def measure_ruleset(kit: Kit, *, games: int) -> list[Figures]:
    """Measure rates of games and answers, the folders' shares in the rules alone, folds, and recorded games."""
    rules, numbers = load_ruleset(kit), Random(7)  # noqa: S311 - the same games in every run
    bot = kit.bots[kit.favourites[0]]

    def by_bot(game: Playout, decision: Decision) -> Any:
        return bot(rules.view(game.board, decision.seat), rules.legal_actions(game.board, decision), numbers)

    def by_default(game: Playout, decision: Decision) -> Any:
        return rules.default_action(game.board, decision)

    bots, absent = play(kit, rules, by_bot, games), play(kit, rules, by_default, games)
    known = iter(bots.answers)
    again = play(kit, rules, lambda *_: next(known)[1], 1, first=len(bots.games_s) - 1)
    written, number = absent.written, len(absent.games_s) - 1
    rates = {
        f"games of bots ({kit.favourites[0]}), with views": bots.games_s,
        "games of absent seats": absent.games_s,
        "answers by the rules alone": again.answers_s,
        "listing the legal answers to a decision": list(_time_offers(kit, rules, absent.answers, number)),
    }
    for name, prepare in kit.workloads.items():
        rates[name] = list(_time_runs(prepare(rules, numbers) for _ in range(WORKLOADS)))
    shares = _share_time(kit, rules, bots.answers, len(bots.games_s) - 1)
    folds: dict[str, Row] = time_side_by_side(
        {
            "fold with the secret": lambda: fold(kit, rules, written, _secret(number), knows=True),
            "fold without": lambda: fold(kit, rules, written, _secret(number), knows=False),
        }
    )
    folds["bytes that board and chance keep"] = {VALUE: _weigh_fold(kit, rules, written, _secret(number))}
    return [
        Figures(
            title=f"{kit.reference}, four seats, time of one processor",
            rows={name: build_rate(latencies_s) for name, latencies_s in rates.items()},
        ),
        Figures(
            title=f"{kit.reference}: shares of its folders in the rules alone",
            rows={folder: {VALUE: share} for folder, share in shares.items()},
        ),
        Figures(title=f"{kit.reference}: folding {len(written)} outcomes", rows=folds),
        measure_recorded_games(rules, games=len(absent.games_s), options=kit.short),
    ]


def play(kit: Kit, rules: AnyRuleset, choose: Choose, games: int, *, first: int = 0) -> Played:
    """Play some games, fewer where they take long; an answer's time is choosing and playing it."""
    games_s: list[float] = []
    answers_s: list[float] = []
    answers: Answers = []
    game = begin(kit, rules, first)
    while len(games_s) < games and sum(games_s) < FIGURE_S:
        game, answers = begin(kit, rules, first + len(games_s)), []
        started = time.process_time()
        while owed := game.owed():
            before = time.process_time()
            action = choose(game, owed[0])
            game.answer(owed[0], action)
            answers_s.append(time.process_time() - before)
            answers.append((owed[0], action))
        games_s.append(time.process_time() - started)
    return Played(games_s=games_s, answers_s=answers_s, answers=answers, written=game.written)


def begin(kit: Kit, rules: AnyRuleset, number: int) -> Playout:
    return Playout(rules, seats=SEATS, options=_options(kit, rules), secret=_secret(number))


def fold(kit: Kit, rules: AnyRuleset, written: Sequence[Struct], secret: Secret, *, knows: bool) -> tuple[Any, object]:
    """Fold a game's outcomes as the write path does with the secret, and as readers do without."""
    board = rules.initial_board(SEATS, _options(kit, rules))
    chance = open_chance(PLAYOUT_GAME, derive_anchors(secret, rules.link_chains), secret if knows else None)
    for event in written:
        if isinstance(event, DiceRolled):
            chance = after_dice(chance, event)
        elif isinstance(event, DeckShuffled):
            chance = after_shuffle(chance, event)
        board = rules.evolve(board, event, chance if knows else None)
    return board, chance


def _options(kit: Kit, rules: AnyRuleset) -> Any:
    return msgspec.convert(dict(kit.short), rules.options_type)


def _secret(number: int) -> Secret:
    return Secret(number.to_bytes(32, "big"))


def _time_runs(runs: Iterable[Callable[[], object]]) -> Iterable[float]:
    for run in runs:
        started = time.process_time()
        run()
        yield time.process_time() - started


def _time_offers(kit: Kit, rules: AnyRuleset, answers: Answers, number: int) -> Iterable[float]:
    """List the legal answers to each decision of a game played by defaults, which spend nothing a seat has earned."""
    game = begin(kit, rules, number)
    for decision, action in answers:
        started = time.process_time()
        rules.legal_actions(game.board, decision)
        yield time.process_time() - started
        game.answer(decision, action)


def _share_time(kit: Kit, rules: AnyRuleset, answers: Answers, number: int) -> dict[str, float]:
    """Give the answers of a game again under a profiler, and add up the time by folder of the ruleset."""
    profile, game = cProfile.Profile(), begin(kit, rules, number)
    profile.enable()
    for decision, action in answers:
        game.answer(decision, action)
    profile.disable()
    spent: Counter[str] = Counter()
    # Functions of the interpreter (min, max, sorted …) count where they are called from.
    for (file, _, _), (_, _, own_s, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]  # it has them
        if file == "~":
            for (caller, _, _), (_, _, by_caller_s, _) in callers.items():
                spent[_folder_of(kit, caller)] += by_caller_s
        else:
            spent[_folder_of(kit, file)] += own_s
    return {folder: share / spent.total() for folder, share in spent.most_common()}


def _folder_of(kit: Kit, file: str) -> str:
    path, folder = Path(file), Path(kit.folder)
    return str(path.parent.relative_to(folder.parent)) if path.is_relative_to(folder) else "elsewhere"


def _weigh_fold(kit: Kit, rules: AnyRuleset, written: Sequence[Struct], secret: Secret) -> int:
    """Count the bytes that a folded game keeps, beyond its ruleset and its log."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = fold(kit, rules, written, secret, knows=True)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept
    return after - before
