"""The list of tournaments, those that go on first, and who leads or has won each of them."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec import Struct
from msgspec.structs import asdict

from domain.ids import PlayerId, StreamVersion, TournamentId
from infra.projection_store import Sought
from projections.lobby import LISTED, Status, label_ruleset, label_status
from projections.tournaments import NAME, TournamentRow
from services.api.games.lobby import Before, Ruleset
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.documented import Tagged, answers
from services.api.http.parts import Parts
from services.api.tournaments.tournament_examples import LISTED_EXAMPLE
from services.reading.access import Caller

# A screen of tournaments; a client that wants all of them asks page by page.
TOURNAMENTS_MAX = 50

Wanted = Annotated[Status | None, QueryParameter(description="What the tournament is now.")]


class Leader(Struct, frozen=True, kw_only=True):
    player: PlayerId
    name: str | None


class TournamentListed(Struct, frozen=True, kw_only=True):
    """`round` is the one that was called last, 0 before the first.

    `leaders` share the first place after the last round that is closed; of a finished tournament they have won it.
    """

    id: TournamentId
    version: StreamVersion
    name: str
    ruleset: str
    format: str
    status: Status
    entries: int
    entries_max: int
    round: int
    opened_by: str
    opened_at: str
    last_at: str
    leaders: tuple[Leader, ...]


class TournamentList(Struct, frozen=True, kw_only=True):
    """`next` is the `before` of the next page, null where there is none."""

    items: tuple[TournamentListed, ...]
    next: str | None


@get(
    "/v1/tournaments",
    operation_class=Tagged,
    operation_id="list_tournaments",
    summary="List the tournaments",
    description="Those that go on first, each the newest first. A tournament is in the list about a quarter of a "
    "second after it was opened.",
    tags=["tournaments"],
    responses=answers(
        TournamentList, {"items": [LISTED_EXAMPLE], "next": None}, refusals=(), said="The tournaments there are"
    ),
)
async def list_tournaments(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    ruleset: Ruleset = None,
    status: Wanted = None,
    before: Before = None,
) -> Response[Any]:
    labels = [LISTED]
    if ruleset is not None:
        labels.append(label_ruleset(ruleset))
    if status is not None:
        labels.append(label_status(status))
    sought = Sought(labels=tuple(labels), or_labels=tuple(labels), before=before, now_ms=parts.now_ms())
    rows = await parts.projections.list_owners(NAME, sought, limit=TOURNAMENTS_MAX + 1)
    found = [msgspec.json.decode(row.body, type=TournamentRow) for row in rows[:TOURNAMENTS_MAX]]
    names = await parts.people.accounts.find_names({player for finding in found for player in finding.leaders})
    more = rows[TOURNAMENTS_MAX - 1].rank if len(rows) > TOURNAMENTS_MAX else None
    listed = TournamentList(items=tuple(_show_listed(finding, names) for finding in found), next=more)
    return answer_tagged(request, caller, listed)


def _show_listed(row: TournamentRow, names: Mapping[PlayerId, str]) -> TournamentListed:
    leaders = [Leader(player=leader, name=names.get(leader)) for leader in row.leaders]
    return msgspec.convert(asdict(row) | {"leaders": leaders}, TournamentListed)
