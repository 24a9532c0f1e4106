"""Whole games of Charioteer between bots, and what they show about the game. The same plan gives the same results.

Nothing here writes to a log or a store; a game is the rules alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import pairwise
from random import Random

from msgspec import Struct

from domain.chance import DeckShuffled
from domain.ids import Seat
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.charioteer.board import race_order
from domain.rulesets.charioteer.bots.roster import BOTS
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import DistanceReckoned, FanTokenEarned, ResetRevealed
from domain.rulesets.charioteer.ruleset import CharioteerRuleset

# What the designer says of the published game: "more than 20 moves for each player".
TURNS_CLAIMED = 20


class Plan(Struct, frozen=True, kw_only=True):
    """Which bots play, one a seat; they change seats from game to game, so that none profits from its place."""

    bots: tuple[str, ...]
    games: int
    seed: int


class GameResult(Struct, frozen=True, kw_only=True):
    """`bots` by seat, `order` the seats from first to last."""

    number: int
    bots: tuple[str, ...]
    order: tuple[Seat, ...]
    turns: int
    lead_changes: int
    moves: int
    spaces: int
    resets: int
    fan_tokens: int
    reshuffles: int


class Share(Struct, frozen=True, kw_only=True):
    """How often a bot won, and how often it would by chance: by the seats it had."""

    bot: str
    wins: int
    expected: float


class Summary(Struct, frozen=True, kw_only=True):
    """`turns` counts the games of each length, shortest first; `lead_changes` the games with so many changes."""

    games: int
    seats: int
    shares: tuple[Share, ...]
    turns: tuple[tuple[int, int], ...]
    turns_mean: float
    lead_changes: tuple[tuple[int, int], ...]
    lead_changes_mean: float
    distance_mean: float
    resets_mean: float
    fan_tokens_per_seat: float
    reshuffles_mean: float


class Claim(Struct, frozen=True, kw_only=True):
    """Something the designer says of the game, and what these games say to it."""

    claim: str
    found: str
    holds: bool


def simulate(ruleset: CharioteerRuleset, plan: Plan) -> Iterator[GameResult]:
    """Play the games of a plan one after the other."""
    for number in range(plan.games):
        yield play_game(ruleset, plan, number)


def play_game(ruleset: CharioteerRuleset, plan: Plan, number: int) -> GameResult:
    """Play one game of a plan; it depends on the plan and its number alone."""
    turned = number % len(plan.bots)
    bots = plan.bots[turned:] + plan.bots[:turned]
    secret = sha256(f"spina/simulate/{plan.seed}/{number}".encode()).digest()
    random = Random(secret)  # noqa: S311 - whims of bots, repeatable on purpose
    seats = tuple(Seat(seat) for seat in range(len(bots)))
    game = Rehearsal(ruleset, seats=seats, options=Options(), secret=secret)
    leaders = [race_order(game.board)[0].seat]
    while game.owed():
        for decision in game.owed():
            view = ruleset.view(game.board, decision.seat)
            game.answer(decision, BOTS[bots[decision.seat]](view, decision.id, random))
        leaders.append(race_order(game.board)[0].seat)
    told = Counter(type(event) for event in game.written)
    return GameResult(
        number=number,
        bots=bots,
        order=tuple(placing.seat for placing in ruleset.ranking(game.board)),
        turns=game.board.turn,
        lead_changes=sum(1 for before, after in pairwise(leaders) if before != after),
        moves=told[DistanceReckoned],
        spaces=sum(event.distance for event in game.written if isinstance(event, DistanceReckoned)),
        resets=told[ResetRevealed],
        fan_tokens=told[FanTokenEarned],
        # The first shuffle of the deck and that of the bag are the set-up.
        reshuffles=told[DeckShuffled] - 2,
    )


def summarise(results: Iterable[GameResult]) -> Summary:
    """Sum up games of one plan; there must be at least one."""
    played = tuple(results)
    count = len(played)
    seats = len(played[0].bots)
    wins = Counter(result.bots[result.order[0]] for result in played)
    seated = Counter(bot for result in played for bot in result.bots)
    turns = Counter(result.turns for result in played)
    moves = sum(result.moves for result in played)
    return Summary(
        games=count,
        seats=seats,
        shares=tuple(Share(bot=bot, wins=wins[bot], expected=seated[bot] / seats) for bot in sorted(seated)),
        turns=tuple(sorted(turns.items())),
        turns_mean=sum(result.turns for result in played) / count,
        lead_changes=tuple(sorted(Counter(result.lead_changes for result in played).items())),
        lead_changes_mean=sum(result.lead_changes for result in played) / count,
        distance_mean=sum(result.spaces for result in played) / max(moves, 1),
        resets_mean=sum(result.resets for result in played) / count,
        fan_tokens_per_seat=sum(result.fan_tokens for result in played) / count / seats,
        reshuffles_mean=sum(result.reshuffles for result in played) / count,
    )


def judge_claims(summary: Summary) -> tuple[Claim, ...]:
    """Hold the designer's claims about the published game against these games, as far as the bots in them can tell."""
    long = sum(count for turns, count in summary.turns if turns > TURNS_CLAIMED)
    claims = [
        Claim(
            claim=f"more than {TURNS_CLAIMED} moves for each player",
            found=f"{summary.turns_mean:.1f} turns a game, {long} of {summary.games} games longer than {TURNS_CLAIMED}",
            # A mean alone would hide the games that fall short.
            holds=summary.turns_mean > TURNS_CLAIMED and 2 * long > summary.games,
        )
    ]
    shares = {share.bot: share for share in summary.shares}
    if {"longest", "strategic"} <= set(shares):
        longest = shares["longest"]
        claims.append(
            Claim(
                claim="always playing the longest move generally loses",
                found=f"{longest.wins} of {summary.games} won, {longest.expected:.1f} by chance",
                holds=longest.wins < longest.expected,
            )
        )
    return tuple(claims)


def draw_bars(counts: Iterable[tuple[str, int]], *, width: int) -> Iterator[str]:
    """Draw a line of text for each count, the longest bar as wide as `width`."""
    rows = tuple(counts)
    most = max((count for _, count in rows), default=0)
    label_width = max((len(label) for label, _ in rows), default=0)
    for label, count in rows:
        bar = "█" * (count * width // most if most else 0)
        yield f"{label:>{label_width}} {bar} {count}"
