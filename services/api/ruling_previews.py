"""The preview of a ruling on a tournament: decided on the public log, never on the secret. Nothing is stored."""

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody

from domain.log.actors import name_actor
from domain.log.enact import preview
from domain.log.entry import Input
from domain.tournament.kind import TOURNAMENTS
from services.api.documented import answers, takes
from services.api.parts import Parts
from services.api.tournament_examples import RULING_EXAMPLES, RULING_PREVIEW_EXAMPLE
from services.api.tournament_finding import find_names
from services.api.tournament_inputs import INPUTS, read_command
from services.reading.access import Caller
from services.reading.tournaments.ruling_previews import RulingPreview, show_ruling_preview

_RULINGS = INPUTS["rulings"]


@post(
    "/v1/tournaments/{tournament:str}/rulings/previews",
    operation_id="preview_ruling",
    summary="Ask what a ruling would do",
    description="By an organiser, with the body of the ruling; a ruling that would be refused is refused here alike. "
    "`sig` is not looked at: leave it out, as a signed ruling is one that stands.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(_RULINGS.body, *RULING_EXAMPLES),
    responses=answers(RulingPreview, RULING_PREVIEW_EXAMPLE, said="The lines it would add to the log"),
)
async def preview_ruling(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[RulingPreview]:
    command = read_command(_RULINGS, tournament, body, caller, parts)
    found = await parts.tournament_histories.read_newest(command.stream)
    by = name_actor(command.actor)
    put = Input(event=command.event, by=by, at_ms=command.at_ms, command=command.id, sig=None)
    decided = preview(TOURNAMENTS, found, put)
    shown = show_ruling_preview(decided, await find_names(parts, found))
    return Response(shown, headers={"cache-control": "no-store"})
