"""The kit of Charioteer."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from domain.chance import DeckShuffled
from domain.ruleset.figures import Claim, Figures, Summary
from domain.ruleset.kit import Kit, Marker
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.bots.choices import list_answers
from domain.rulesets.charioteer.bots.roster import BOTS
from domain.rulesets.charioteer.outcomes import DistanceReckoned, FanTokenEarned, ResetRevealed
from domain.rulesets.charioteer.ruleset import CharioteerRuleset, build_ruleset

# The designer of the published game: "more than 20 moves for each player".
TURNS_CLAIMED = 20


def measure(board: Board, written: Sequence[Struct]) -> Figures:
    told = Counter(type(event) for event in written)
    return {
        "turns": board.turn,
        "moves": told[DistanceReckoned],
        "spaces": sum(event.distance for event in written if isinstance(event, DistanceReckoned)),
        "resets": told[ResetRevealed],
        "fan tokens": told[FanTokenEarned],
        # The first shuffle of the deck and that of the bag are the set-up.
        "reshuffles": told[DeckShuffled] - 2,
    }


def judge_claims(summary: Summary) -> tuple[Claim, ...]:
    turns = summary.means["turns"]
    long = sum(count for length, count in summary.lengths if length > TURNS_CLAIMED)
    # "Loses" is against a bot that plans: a second one of chance alone would bear no claim out.
    duels = [duel for duel in summary.duels if (duel.bot, duel.rival) == ("longest", "strategic")]
    return (
        Claim(
            claim=f"more than {TURNS_CLAIMED} moves for each player",
            found=f"{turns:.1f} turns a game, {long} of {summary.games} games longer than {TURNS_CLAIMED}",
            # A mean alone would hide the games that fall short.
            holds=turns > TURNS_CLAIMED and 2 * long > summary.games,
        ),
        *(
            Claim(
                claim="always playing the longest move generally loses",
                found=f"ahead of strategic in {duel.ahead:g} of {duel.pairs} pairs",
                holds=2 * duel.ahead < duel.pairs,
            )
            for duel in duels
        ),
    )


KIT = Kit(
    ruleset=CharioteerRuleset,
    build=build_ruleset,
    folder=__file__.rsplit("/", 2)[0],
    turn=Marker(event="turn_began", field="turn"),
    lap=Marker(event="lap_completed", field="lap"),
    bots=BOTS,
    favourites=("strategic", "longest"),
    # A turn is one choice that all seats make at once.
    think_ms=20_000,
    measure=measure,
    judge_claims=judge_claims,
    list_answers=list_answers,
)
