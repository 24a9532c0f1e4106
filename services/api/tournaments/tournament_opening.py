"""Opening a tournament: its terms, which are those of all its games, and the route that takes them."""

from typing import Annotated, Any

from litestar import post
from litestar.di import NamedDependency
from litestar.params import RawBody
from msgspec import UNSET, Meta, Struct, field
from msgspec.structs import asdict

from domain.chance import Secret
from domain.game.events import DELAY_S_MAX, ClockTerms
from domain.ids import SEATS_MAX, Hex32Field, OrganiserId, OrganiserIdField, StreamId, TournamentId
from domain.log.events import ORGANISERS_MAX, Demand
from domain.ruleset.catalogue import hash_components
from domain.tournament.commands import OpenTournament
from domain.tournament.door import CODES_MAX, About, Code, Door, hash_code
from domain.tournament.fields import ENTRIES_MAX, NAME_CHARS_MAX, Duration
from domain.tournament.formats import Format
from domain.tournament.scoring import FULL_POINTS, Points, default_points
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import TieBreak
from domain.tournament.team_events import TeamTerms
from services.api.games.games import SECRET_BYTES
from services.api.http.answering import AnyRequest
from services.api.http.authentication import require_actor, require_organisers
from services.api.http.bodies import DEMANDS_MAX, BodyReader, Envelope, OptionsField, RulesetField, require_shown_at
from services.api.http.costs import owe_options
from services.api.http.documented import answers, takes
from services.api.http.parts import Parts
from services.api.tournaments.tournament_examples import ANSWER_EXAMPLE, OPEN_EXAMPLE
from services.api.tournaments.tournament_inputs import carry_out
from services.commands.tournaments import TournamentAnswer
from services.reading.access import Caller

# The defaults suit an evening of a club, and are those of the form and of the terminal: an absent player loses a game
# and holds up no round, and links make the lots more than the server's word.
CLOCK = ClockTerms(per_decision_ms=60_000, bank_ms=600_000)
DEMANDS: tuple[Demand, ...] = ("links",)
ENTRIES_USUAL = 64
# Time to come back from the last round, and time to find the table: the needs of people who play online.
CHECK_IN_MS = 600_000
SIT_DOWN_MS = 300_000
# There are five, and none counts twice.
TIE_BREAKS_MAX = 5
TIE_BREAKS: tuple[TieBreak, ...] = ("wins", "opponents", "last_round", "lot")


class DoorAsked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may enter: with `codes` who has one of them, once each or, with `is_shared`, all by the same one.

    The log has hashes of the codes. With `has_approval` an entrant is not drawn before an organiser admits it; with
    `has_waiting_list` entries go on where all places are taken, and come in as places become free.
    """

    codes: Annotated[tuple[Code, ...], Meta(max_length=CODES_MAX)] = ()
    is_shared: bool = False
    has_approval: bool = False
    has_waiting_list: bool = False


class OpenTournamentBody(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a tournament and of all its games. `points` are of each table size's places, 60 to 0 by default.

    With null as `clock` its games wait for ever.

    `organisers` names who may rule, each with the key that must sign their rulings, or null; the opener is one.
    """

    name: Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX)]
    ruleset: RulesetField
    format: Format
    tables: TableSizes
    components: Hex32Field | None = None
    options: OptionsField = field(default_factory=dict)
    clock: ClockTerms | None = CLOCK
    delay_s: Annotated[int, Meta(ge=0, le=DELAY_S_MAX)] = 0
    demands: Annotated[tuple[Demand, ...], Meta(max_length=DEMANDS_MAX)] = DEMANDS
    organisers: Annotated[dict[OrganiserIdField, Hex32Field | None], Meta(max_length=ORGANISERS_MAX)] = field(
        default_factory=dict
    )
    points: Annotated[dict[str, tuple[Points, ...]], Meta(max_length=SEATS_MAX)] | None = None
    bye_points: Points = FULL_POINTS // 2
    tie_breaks: Annotated[tuple[TieBreak, ...], Meta(max_length=TIE_BREAKS_MAX)] = TIE_BREAKS
    entries_max: Annotated[int, Meta(ge=2, le=ENTRIES_MAX)] = ENTRIES_USUAL
    check_in_ms: Duration = CHECK_IN_MS
    sit_down_ms: Duration = SIT_DOWN_MS
    door: DoorAsked | None = None
    about: About | None = None
    teams: TeamTerms | None = None


_OPEN = BodyReader[OpenTournamentBody](OpenTournamentBody)


@post(
    "/v1/tournaments",
    operation_id="open_tournament",
    summary="Open a tournament",
    description="By an organiser. The id of the command becomes the id of the tournament. Every game of it is opened "
    "on these terms, by the server, and its seats are kept for those who were drawn there.",
    tags=["tournaments"],
    operation_class=takes(OpenTournamentBody, OPEN_EXAMPLE),
    responses=answers(TournamentAnswer, ANSWER_EXAMPLE, status=201, said="Opened"),
)
async def open_tournament(
    request: AnyRequest, body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _OPEN.read(body)
    owe_options(request.scope, asked.options)
    actor = require_actor(caller)
    require_shown_at("$.name", asked.name)
    for name, said in () if asked.about is None else asdict(asked.about).items():
        if said is not None:
            require_shown_at(f"$.about.{name}", said)
    await require_organisers(parts.people.accounts, asked.organisers)
    return await carry_out(
        parts,
        OpenTournament(
            id=asked.command,
            stream=TournamentId(StreamId(asked.command)),
            at_ms=parts.now_ms(),
            actor=actor,
            **_build_terms(asked, caller, parts),
            secret=Secret(parts.random_bytes(SECRET_BYTES)),
            leaf_key=parts.random_bytes(SECRET_BYTES).hex(),
        ),
    )


def _close_door(asked: DoorAsked) -> Door:
    """Return the door as the log has it: with hashes of the codes."""
    codes = tuple(sorted(set(map(hash_code, asked.codes))))
    return Door(
        codes=codes,
        is_shared=asked.is_shared,
        has_approval=asked.has_approval,
        has_waiting_list=asked.has_waiting_list or UNSET,
    )


def _build_terms(asked: OpenTournamentBody, caller: Caller, parts: Parts) -> dict[str, Any]:
    name, _, number = asked.ruleset.partition("@")
    version = int(number)
    components = asked.components or hash_components(parts.games.catalogue.find_current(name=name, version=version))
    own: dict[OrganiserId, str | None] = {} if caller.organiser is None else {caller.organiser: None}
    sizes = range(asked.tables.min, asked.tables.max + 1)
    terms = {each: value for each, value in asdict(asked).items() if each != "command"}
    return terms | {
        "ruleset": name,
        "ruleset_version": version,
        "components": components,
        "organisers": {**own, **asked.organisers},
        "ledger": parts.signer.origin,
        "door": UNSET if asked.door is None else _close_door(asked.door),
        "about": UNSET if asked.about is None else asked.about,
        "teams": UNSET if asked.teams is None else asked.teams,
        "points": asked.points or {str(size): default_points(size) for size in sizes},
    }
