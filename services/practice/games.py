"""Whole games of any ruleset between bots, by the rules alone. The same plan gives the same games on every machine."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations, pairwise, permutations
from random import Random

import msgspec
from msgspec import Struct

from domain.canonical import Json
from domain.ids import Seat
from domain.ruleset.figures import Duel, Figures, Share, Summary
from domain.ruleset.kit import Kit
from domain.ruleset.playout import Playout
from domain.ruleset.ruleset import AnyRuleset


class Plan(Struct, frozen=True, kw_only=True):
    """One bot a seat; bots change seats from game to game, so that none profits from its place."""

    bots: tuple[str, ...]
    games: int
    seed: int
    options: Mapping[str, Json] = {}


class Result(Struct, frozen=True, kw_only=True):
    """One game. `bots` and `places` are by seat; `unsound` names the fault of a board."""

    bots: tuple[str, ...]
    places: tuple[int, ...]
    lead_changes: int
    figures: Figures
    unsound: tuple[str, ...]


def simulate(kit: Kit, rules: AnyRuleset, plan: Plan) -> Iterator[Result]:
    """Play the games of a plan one after the other, so that a caller can show how far it is."""
    for number in range(plan.games):
        yield play_game(kit, rules, plan, number)


def play_game(kit: Kit, rules: AnyRuleset, plan: Plan, number: int) -> Result:
    """Play one game of a plan, with a look at the board before each decision; it depends on plan and number alone."""
    turned = number % len(plan.bots)
    bots = plan.bots[turned:] + plan.bots[:turned]
    secret = sha256(f"spina/simulate/{plan.seed}/{number}".encode()).digest()
    numbers = Random(secret)  # noqa: S311 - random choices of bots, repeatable on purpose
    seats = tuple(Seat(seat) for seat in range(len(bots)))
    options = msgspec.convert(dict(plan.options), rules.options_type)
    game = Playout(rules, seats=seats, options=options, secret=secret)
    leaders: list[Seat] = []
    unsound: list[str] = []
    while owed := game.owed():
        decision = owed[0]
        unsound += (f"game {number}, {decision.id}: {name}" for name in kit.find_unsound(rules, game.board))
        view, choices = rules.view(game.board, decision.seat), rules.legal_actions(game.board, decision)
        game.answer(decision, kit.bots[bots[decision.seat]](view, choices, numbers))
        leaders.append(rules.ranking(game.board)[0].seat)
    changes = sum(before != after for before, after in pairwise(leaders))
    return Result(
        bots=bots,
        places=tuple(placing.place for placing in sorted(rules.ranking(game.board), key=lambda place: place.seat)),
        lead_changes=changes,
        figures={**kit.measure(game.board, game.written), "changes of lead": changes, "decisions": len(leaders)},
        unsound=tuple(unsound),
    )


def summarise(results: Iterable[Result]) -> Summary:
    """Sum up games of one plan; there must be at least one."""
    played = tuple(results)
    seats = len(played[0].bots)
    wins = Counter(bot for result in played for bot, place in _placed(result) if place == 1)
    seated = Counter(bot for result in played for bot in result.bots)
    figures = {name: [result.figures[name] for result in played] for name in played[0].figures}
    numbers = {name: [finding for finding in found if isinstance(finding, int)] for name, found in figures.items()}
    words = {
        name: Counter(word for finding in found if not isinstance(finding, int) for word in finding)
        for name, found in figures.items()
    }
    return Summary(
        games=len(played),
        seats=seats,
        shares=tuple(Share(bot=bot, wins=wins[bot], expected=seated[bot] / seats) for bot in sorted(seated)),
        duels=_compare(played),
        lengths=_count(next(iter(numbers.values()))),
        lead_changes=_count(result.lead_changes for result in played),
        means={name: sum(found) / len(found) for name, found in numbers.items() if found},
        counts={name: dict(sorted(found.items())) for name, found in words.items() if not numbers[name]},
        unsound=tuple(sentence for result in played for sentence in result.unsound),
    )


def find_weak(summary: Summary, order: Sequence[str], least: int) -> Iterator[str]:
    """State of each two bots, strongest first, where the first was ahead in less than `least` percent, or never met."""
    duels = {(duel.bot, duel.rival): duel for duel in summary.duels}
    for bot, rival in combinations(dict.fromkeys(order), 2):
        duel = duels.get((bot, rival), Duel(bot=bot, rival=rival, pairs=0, ahead=0.0))
        if duel.pairs == 0 or 100 * duel.ahead < least * duel.pairs:
            found = f"{duel.ahead:g} of {duel.pairs}"
            yield f"expected {bot} ahead of {rival} in at least {least} % of pairs, found {found}"


def _placed(result: Result) -> Iterator[tuple[str, int]]:
    return zip(result.bots, result.places, strict=True)


def _compare(played: Iterable[Result]) -> tuple[Duel, ...]:
    """Compare each two seats of different bots in every game."""
    pairs: Counter[tuple[str, str]] = Counter()
    ahead: defaultdict[tuple[str, str], float] = defaultdict(float)
    for result in played:
        for (bot, place), (rival, other) in permutations(_placed(result), 2):
            if bot != rival:
                pairs[bot, rival] += 1
                ahead[bot, rival] += 1.0 if place < other else 0.5 if place == other else 0.0
    return tuple(Duel(bot=pair[0], rival=pair[1], pairs=pairs[pair], ahead=ahead[pair]) for pair in sorted(pairs))


def _count(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(numbers).items()))
