"""The rulesets of this server, with the form of their options and actions."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Struct

from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.sentences.words import Words
from infra.ruleset_files import read_tournament_words, read_verdict_words
from services.api.http.answering import PRIVATE, PUBLIC, AnyRequest
from services.api.http.documented import Tagged, answers
from services.api.http.examples import RULESETS_EXAMPLE
from services.api.http.parts import GameParts
from services.api.http.ready import Ready, answer_ready, build_ready
from services.reading.access import Caller


class BoxShown(Struct, frozen=True, kw_only=True):
    """Components that this server offers beside those of the release, for `components` of a new game."""

    name: str
    components: str


class RulesetShown(Struct, frozen=True, kw_only=True):
    """`components` is the SHA-256 of the decks and tracks of new games. The others but `words` are JSON Schemas.

    `words` has the title, the words for a turn and for each option, and a template for the sentence of each event.
    `boxes` are other decks and tracks that the server offers by name. `bots` are the house bots that can be called,
    the weakest first.
    `options` is for opening a game, `board` the view of a game, `choices` the legal answers to a decision of your own
    seat, `actions` the answers to it, `previews` the effect of an action that was only asked about.
    """

    ruleset: str
    words: dict[str, Any]
    components: str
    boxes: tuple[BoxShown, ...]
    bots: tuple[str, ...]
    seats_min: int
    seats_max: int
    options: dict[str, Any]
    board: dict[str, Any]
    choices: dict[str, Any]
    actions: dict[str, Any]
    previews: dict[str, Any]


class Rulesets(Struct, frozen=True, kw_only=True):
    """`verdicts` are the words of the first line of a report on a bundle, which are the same for every ruleset.

    `tournament_words` are those for tie-breaks and tables, by table and name.
    """

    items: tuple[RulesetShown, ...]
    verdicts: dict[str, Any]
    tournament_words: Mapping[str, Mapping[str, str]]
    next: None = None


@get(
    "/v1/rulesets",
    operation_class=Tagged,
    operation_id="list_rulesets",
    summary="List the rulesets",
    description="With JSON Schemas of all that is particular to each. The same are components of this description.",
    tags=["rulesets"],
    responses=answers(Rulesets, RULESETS_EXAMPLE, refusals=(), said="The rulesets"),
)
async def list_rulesets(
    request: AnyRequest, caller: NamedDependency[Caller], games: NamedDependency[GameParts]
) -> Response[Any]:
    ready = _build_ready(games.rulesets)
    return answer_ready(request, ready, {"cache-control": PUBLIC if caller.is_anyone else PRIVATE})


@cache
def _build_ready(content: bytes) -> Ready:
    """Pack the answer once: with its schemas it is a fifth of what a seat needs."""
    return build_ready(content, "application/json")


def encode_rulesets(catalogue: Catalogue, words: Mapping[str, Words], kits: Mapping[str, Kit]) -> bytes:
    """Encode the answer, which is the same for all: every page begins with it."""
    return msgspec.json.encode(
        Rulesets(
            items=tuple(
                show_ruleset(ruleset, words[ruleset.name], kits, catalogue.boxes) for ruleset in catalogue.current
            ),
            verdicts=msgspec.to_builtins(read_verdict_words()),
            tournament_words=read_tournament_words().tables,
        )
    )


def show_ruleset(
    ruleset: AnyRuleset, words: Words, kits: Mapping[str, Kit], boxes: Sequence[tuple[str, AnyRuleset]] = ()
) -> RulesetShown:
    reference = f"{ruleset.name}@{ruleset.version}"
    return RulesetShown(
        ruleset=reference,
        words=msgspec.to_builtins(words),
        components=hash_components(ruleset),
        boxes=tuple(
            BoxShown(name=name, components=hash_components(box))
            for name, box in boxes
            if (box.name, box.version) == (ruleset.name, ruleset.version)
        ),
        bots=tuple(kits[reference].bots) if reference in kits else (),
        seats_min=ruleset.seats.start,
        seats_max=ruleset.seats.stop - 1,
        options=_describe(ruleset.options_type),  # type: ignore[arg-type]  # every type can be hashed
        board=_describe(ruleset.view_type),
        choices=_describe(ruleset.choices_type),
        actions=_describe(ruleset.action_type),
        previews=_describe(ruleset.preview_type),
    )


@cache
def _describe(shape: Any) -> dict[str, Any]:
    return msgspec.json.schema(shape)
