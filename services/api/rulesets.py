"""Which rulesets can be played here, and what their options and actions look like."""

from typing import Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Struct

from domain.ruleset.catalogue import hash_components
from domain.ruleset.ruleset import AnyRuleset
from services.api.answering import AnyRequest, build_headers, build_tag, has_it_already, not_modified
from services.api.documented import Tagged, answers
from services.api.examples import RULESET_EXAMPLE
from services.api.parts import Parts
from services.reading.access import Caller


class RulesetShown(Struct, frozen=True, kw_only=True):
    """`components` is the SHA-256 of the decks and tracks of new games. The others are JSON Schemas.

    `options` is for opening a game, `board` what a game shows (`decisions` with every legal choice of your own seat in
    it), `actions` what answers a decision, `previews` the effect of an action that was only asked about.
    """

    ruleset: str
    components: str
    seats_min: int
    seats_max: int
    options: dict[str, Any]
    actions: dict[str, Any]
    board: dict[str, Any]
    previews: dict[str, Any]


class Rulesets(Struct, frozen=True, kw_only=True):
    items: tuple[RulesetShown, ...]
    next: None = None


@get(
    "/v1/rulesets",
    operation_class=Tagged,
    operation_id="list_rulesets",
    summary="List the rulesets",
    description="With JSON Schemas of all that is particular to each. The same are components of this description.",
    tags=["rulesets"],
    responses=answers(Rulesets, {"items": [RULESET_EXAMPLE], "next": None}, refusals=(), said="What can be played"),
)
async def list_rulesets(
    request: AnyRequest, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Any]:
    shown = tuple(show_ruleset(each) for each in parts.catalogue.current)
    tag = build_tag("-".join(each.components[:16] for each in shown), "rulesets")
    headers = build_headers(caller, tag)
    return not_modified(headers) if has_it_already(request, tag) else Response(Rulesets(items=shown), headers=headers)


def show_ruleset(ruleset: AnyRuleset) -> RulesetShown:
    return RulesetShown(
        ruleset=f"{ruleset.name}@{ruleset.version}",
        components=hash_components(ruleset),
        seats_min=ruleset.seats.start,
        seats_max=ruleset.seats.stop - 1,
        options=msgspec.json.schema(ruleset.options_type),
        actions=msgspec.json.schema(ruleset.action_type),
        board=msgspec.json.schema(ruleset.view_type),
        previews=msgspec.json.schema(ruleset.preview_type),
    )
