"""The form of a ruleset, without a game: its source, its types, its components, its words."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from domain.canonical import parse
from domain.ids import SEATS_MAX
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.packaged import list_violations
from infra.ruleset_files import read_game_words, read_words
from services.practice.checks.findings import Findings

NAME = re.compile("[a-z][a-z0-9-]{1,39}")
TAG = re.compile("[a-z][a-z0-9_]*")


def check_forms(kit: Kit, rules: AnyRuleset, package: str, sources: Mapping[str, bytes], findings: Findings) -> None:
    for violation in list_violations(package, sources):
        findings.add("bounds", violation)
    with findings.watching("form", kit.reference):
        _check_names(rules, findings)
        _check_types(rules, findings)
        _check_components(kit, rules, findings)
    with findings.watching("words", kit.reference):
        _check_words(kit, rules, findings)


def _check_names(rules: AnyRuleset, findings: Findings) -> None:
    if not NAME.fullmatch(rules.name) or rules.version < 1:
        findings.add("form", f"expected a name of letters, digits and hyphens, found {rules.name}@{rules.version}")
    if not rules.seats or rules.seats[0] < 2 or rules.seats[-1] > SEATS_MAX:  # noqa: PLR2004  a game is a meeting
        findings.add("form", f"expected 2 to {SEATS_MAX} seats, found {rules.seats}")
    for tag in rules.outcome_types:
        if not TAG.fullmatch(tag):
            findings.add("form", f"expected a tag in snake case, found {tag}")
    if len(set(rules.outcome_types.values())) < len(rules.outcome_types):
        findings.add("form", "expected a type for each outcome, found one under two tags")


def _check_types(rules: AnyRuleset, findings: Findings) -> None:
    for kind in _members(rules.choices_type):
        if getattr(kind, "tag_field", None) != "kind":
            findings.add("form", f"expected choices tagged by kind, found {_name(kind)}")
    for role, types in (("action", rules.action_type), ("options", rules.options_type)):
        for kind in _members(types):
            if not getattr(kind, "forbid_unknown_fields", False):
                findings.add("form", f"expected an {role} type that forbids unknown fields, found {_name(kind)}")
    rules.options_type()


def _check_components(kit: Kit, rules: AnyRuleset, findings: Findings) -> None:
    again = kit.build(parse(rules.components))
    if again.components != rules.components:
        findings.add("form", "expected the same components when built again, found others")


def _check_words(kit: Kit, rules: AnyRuleset, findings: Findings) -> None:
    words = read_words(kit)
    told = words.sentences.keys() - read_game_words().sentences.keys()
    for tag in sorted(rules.outcome_types.keys() - told):
        findings.add("words", f"expected a sentence for {tag}, found none")
    for tag in sorted(told - rules.outcome_types.keys()):
        findings.add("words", f"expected sentences for outcomes alone, found one for {tag}")
    described: Any = inspect.type_info(rules.options_type)
    for name in sorted({field.encode_name for field in described.fields} - words.options.keys()):
        findings.add("words", f"expected words for the option {name}, found none")
    for preset in words.presets:
        msgspec.convert(dict(preset.options), rules.options_type)


def _members(types: Any) -> tuple[Any, ...]:
    described: Any = inspect.type_info(types)
    return tuple(described.types) if isinstance(described, inspect.UnionType) else (described,)


def _name(kind: Any) -> str:
    return str(getattr(getattr(kind, "cls", None), "__name__", kind))
