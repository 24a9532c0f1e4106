"""Exports for an organiser: standings, pairings and rulings for a spreadsheet, a program, or the wall of a hall."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import Example, OpenAPIMediaType, OpenAPIResponse, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.params import FromPath, QueryParameter

from services.api.http.answering import DIGEST_CHARS, AnyRequest, build_headers, build_tag, has_it_already, not_modified
from services.api.http.documented import Tagged, answers
from services.api.http.parts import Parts
from services.api.tournaments.tournament_examples import EXPORT_EXAMPLE
from services.api.tournaments.tournament_finding import At, find_names, find_tournament
from services.reading.access import Caller
from services.reading.tournaments.export import export_sheet
from services.reading.tournaments.export_kinds import ExportFormat, ExportPart
from services.reading.tournaments.sheet import Sheet, build_sheet

# The page brings its own style and nothing else; markup in a name stays text.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

CSV_EXAMPLE = """\
place,entrant,player,name,points,wins,opponents,last_round,lot,round 1,left\r
1,0,0199c0de-0000-7000-8000-0000000000a0,Ada,60,1,0,60,-1234,60,\r
"""


@dataclass
class Exported(Tagged):
    """An operation that answers in the requested format."""

    def __post_init__(self) -> None:
        super().__post_init__()
        answer = (self.responses or {})["200"]
        assert isinstance(answer, OpenAPIResponse), answer
        text = Schema(type=OpenAPIType.STRING)
        answer.content = {
            **(answer.content or {}),
            "text/csv": OpenAPIMediaType(schema=text, examples={"csv": Example(value=CSV_EXAMPLE)}),
            "application/vnd.ms-excel": OpenAPIMediaType(schema=text),
            "text/html": OpenAPIMediaType(schema=text),
        }


Format = Annotated[
    ExportFormat,
    QueryParameter(
        name="format",
        description="`csv` is one table for programs (RFC 4180; text that begins like a formula stands after an "
        "apostrophe), `excel` the same in UTF-16 with tabs, for a double click, `json` is everything, `html` a page to "
        "print on A4.",
    ),
]
Part = Annotated[ExportPart, QueryParameter(description="What a table is of; the other formats hold everything.")]


@get(
    "/v1/tournaments/{tournament:str}/export",
    operation_class=Exported,
    operation_id="export_tournament",
    summary="Take away standings, pairings and rulings",
    description="The same bytes as `spina tournament export --bundle` makes of the bundle at that version, for whoever "
    "wants to check a printed sheet. A file to save, called by tournament and version.",
    tags=["tournaments"],
    responses=answers(Sheet, EXPORT_EXAMPLE, refusals=(), said="The file, here as JSON"),
)
async def export_tournament(  # noqa: PLR0913, PLR0917  the framework passes each by its name
    request: AnyRequest,
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    format_: Format = ExportFormat.JSON,
    part: Part = ExportPart.STANDINGS,
    at: At = None,
) -> Response[Any]:
    found = await find_tournament(parts, tournament, at=at)
    export = export_sheet(build_sheet(found, await find_names(parts.people, found)), format_, part)
    tag = build_tag(sha256(export.content).hexdigest()[:DIGEST_CHARS])
    headers = build_headers(caller, tag) | {
        "content-disposition": f'inline; filename="{export.name}"',
        "content-security-policy": POLICY,
    }
    if has_it_already(request, tag):
        return not_modified(headers)
    return Response(export.content, media_type=export.media_type, headers=headers)


EXPORT_ROUTES: tuple[HTTPRouteHandler, ...] = (export_tournament,)
