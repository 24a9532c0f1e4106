"""The preview of a ruling on a tournament: decided on the public log, never on the secret. Nothing is stored."""

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody

from domain.log.actors import name_actor
from domain.log.entry import Author
from domain.tournament.admission import Input
from domain.tournament.decide import event_of
from domain.tournament.enact import preview
from services.api.bodies import BodyReader
from services.api.documented import answers, takes
from services.api.parts import Parts
from services.api.tournament_bodies import TournamentRulingBody
from services.api.tournament_commands import build_envelope, build_ruling
from services.api.tournament_examples import RULING_EXAMPLES, RULING_PREVIEW_EXAMPLE
from services.api.tournament_finding import find_names
from services.reading.access import Caller
from services.reading.tournaments.ruling_previews import RulingPreview, show_ruling_preview

_RULING = BodyReader[TournamentRulingBody](TournamentRulingBody)


@post(
    "/v1/tournaments/{tournament:str}/rulings/previews",
    operation_id="preview_ruling",
    summary="Ask what a ruling would do",
    description="By an organiser, with the body of the ruling; a ruling that would be refused is refused here alike. "
    "`sig` is not looked at: leave it out, as a signed ruling is one that stands.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(TournamentRulingBody, *RULING_EXAMPLES),
    responses=answers(RulingPreview, RULING_PREVIEW_EXAMPLE, said="The lines it would add to the log"),
)
async def preview_ruling(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[RulingPreview]:
    asked = _RULING.read(body)
    command = build_ruling(asked, build_envelope(asked, tournament, caller, parts))
    found = await parts.tournament_histories.read_newest(command.tournament)
    author = Author(by=name_actor(command.actor), command=command.id, sig=None)
    decided = preview(found, Input(event=event_of(command), author=author, at_ms=command.at_ms))
    shown = show_ruling_preview(decided, await find_names(parts, found))
    return Response(shown, headers={"cache-control": "no-store"})
