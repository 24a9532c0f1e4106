"""A whole check of a ruleset: its form, many random games, other processes, and the report before."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.ruleset.catalogue import hash_components
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.sentences.templates import NoSentence, tell
from domain.sentences.words import Words
from infra.ruleset_files import load_ruleset, read_words
from services.practice.checks.findings import CHECKS, Findings
from services.practice.checks.folds import Twins, check_folds
from services.practice.checks.forms import check_forms
from services.practice.checks.game import CALL_S_MAX, DECISIONS_MAX, Asked, CheckedGame, Played
from services.practice.checks.mutants import Odd
from services.practice.checks.variants import list_variants


class Subject(Struct, frozen=True, kw_only=True):
    """A ruleset under check, with the source of its package."""

    kit: Kit
    package: str
    sources: Mapping[str, bytes]


class CheckPlan(Struct, frozen=True, kw_only=True):
    """Every so many games one is read again, and played again."""

    games: int
    reread: int = 1
    call_s_max: float = CALL_S_MAX
    decisions_max: int = DECISIONS_MAX


class Checked(Struct, frozen=True, kw_only=True):
    """A report. `digests` are by game: a later check compares them. `compared` names the processes and the report."""

    ruleset: str
    components: str
    games: int
    decisions: int
    games_by_variant: Mapping[str, int]
    digests: Mapping[str, str]
    outcomes_max: int
    shown_size_max: int
    decisions_a_second: int
    faults: Mapping[str, Sequence[str]]
    counts: Mapping[str, int]
    compared: Sequence[str] = ()

    @property
    def is_sound(self) -> bool:
        return not any(self.faults.values())


def check_ruleset(
    subject: Subject,
    plan: CheckPlan,
    *,
    elsewhere: Iterable[tuple[str, Mapping[str, str]]] = (),
    before: Checked | None = None,
    passed: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Checked:
    """Check a ruleset; `elsewhere` are digests of the same games by the names of the processes that played them."""
    findings, kit = Findings(), subject.kit
    rules = load_ruleset(kit)
    check_forms(kit, rules, subject.package, subject.sources, findings)
    started = time.process_time()
    played: dict[int, Played] = {}
    twins = Twins()
    asked = plan_games(kit, rules, plan)
    for number in passed(range(plan.games)):
        game = play(kit, rules, asked[number], findings)
        if game is None:
            continue
        played[number] = game
        if number % plan.reread == 0:
            check_folds(rules, asked[number], game, twins, findings)
            _check_sentences(rules, read_words(kit), game, asked[number], findings)
            again = play(kit, rules, asked[number], Findings())
            if again is None or again.digest != game.digest:
                findings.add("repeats", f"{asked[number].name}: another game when played again")
    took_s = time.process_time() - started
    _check_offers(played, asked, findings)
    twins.judge(findings)
    digests = {str(number): game.digest for number, game in played.items()}
    compared = []
    for name, other in elsewhere:
        compare_digests("processes", name, digests, other, findings)
        compared.append(name)
    if before is not None:
        _compare_before(kit, digests, before, findings)
        compared.append(f"the report of {before.ruleset} before")
    decisions = sum(game.decisions for game in played.values())
    return Checked(
        ruleset=kit.reference,
        components=hash_components(rules),
        games=plan.games,
        decisions=decisions,
        games_by_variant=Counter(f"{game.variant.name}, {game.seats} seats" for game in asked),
        digests=digests,
        outcomes_max=max((len(game.written) for game in played.values()), default=0),
        shown_size_max=max((game.shown_size for game in played.values()), default=0),
        decisions_a_second=round(decisions / max(took_s, 0.001)),
        faults={name: findings.list_faults(name) for name in CHECKS},
        counts=findings.counts,
        compared=compared,
    )


def plan_games(kit: Kit, rules: AnyRuleset, plan: CheckPlan) -> list[Asked]:
    """Go through the variants in turn, so that each of them has a tame and a wild game before any has two more."""
    variants = list_variants(kit, rules)
    chosen = [variants[number // 2 % len(variants)] for number in range(plan.games)]
    return [
        Asked(
            number=number,
            variant=variant,
            seats=seats,
            call_s_max=plan.call_s_max,
            decisions_max=plan.decisions_max,
        )
        for number, (variant, seats) in enumerate(chosen)
    ]


def play(kit: Kit, rules: AnyRuleset, asked: Asked, findings: Findings) -> Played | None:
    # Odd answers of one game do not depend on the games before it.
    return CheckedGame(kit, rules, asked, findings, Odd(rules.action_type)).play()


def digest_games(kit: Kit, games: int) -> dict[str, str]:
    """Play the same games as a check, for a comparison with those of another process."""
    rules = load_ruleset(kit)
    asked = plan_games(kit, rules, CheckPlan(games=games))
    played = {game.number: play(kit, rules, game, Findings()) for game in asked}
    return {str(number): game.digest for number, game in played.items() if game is not None}


def compare_digests(
    check: str, name: str, digests: Mapping[str, str], other: Mapping[str, str], findings: Findings
) -> None:
    """Compare the games that both have; there must be one."""
    shared = digests.keys() & other.keys()
    differing = sorted((number for number in shared if digests[number] != other[number]), key=int)
    if differing:
        findings.add(check, f"{name}: other games than here: {len(differing)} of {len(shared)}, from {differing[0]} on")
    elif not shared:
        findings.add(check, f"{name}: expected games to compare, found none")


def _compare_before(kit: Kit, digests: Mapping[str, str], before: Checked, findings: Findings) -> None:
    """Compare with the report before: the same version plays the same games, and a new version is a change."""
    if before.ruleset == kit.reference:
        compare_digests("before", f"the report of {before.ruleset} before", digests, before.digests, findings)
    elif all(digests.get(number) == digest for number, digest in before.digests.items()):
        findings.add("before", f"expected a version that differs from {before.ruleset}, found the same games")


def _check_offers(played: Mapping[int, Played], asked: Sequence[Asked], findings: Findings) -> None:
    """Find choices that differ where a seat sees the same: they tell it something hidden."""
    known: dict[tuple[str, str, bytes], bytes] = {}
    for number, game in played.items():
        for decision, seen, offered in game.offers:
            key = f"{asked[number].variant.name}/{asked[number].seats}", decision, seen
            if known.setdefault(key, offered) != offered:
                findings.add("leaks", f"{asked[number].name}, {decision}: other choices for the same view")


def _check_sentences(rules: AnyRuleset, words: Words, game: Played, asked: Asked, findings: Findings) -> None:
    tags = {kind: tag for tag, kind in rules.outcome_types.items()}
    for event in game.written:
        tag = tags.get(type(event))
        template = words.sentences.get(tag or "")
        if tag is None or template is None:
            continue
        try:
            tell(template, _to_json(event), words, {})
        except (NoSentence, TypeError, ValueError, KeyError) as error:
            findings.add("words", f"{asked.name}: the sentence of {tag} does not fit: {error}")
    if words.picture:
        with findings.watching("words", f"{asked.name}: the picture"):
            tell(words.picture, _to_json(rules.view(game.board, None)), words, {})


def _to_json(value: Struct) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
