"""Facts about one tournament, in the order they became true. Stored for ever: a tag never changes.

Nothing here is ever edited: a ruling is a fact of its own, and scores from before it still stand in the log.
"""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.canonical import Json
from domain.chance import DiceRolled
from domain.game.events import DELAY_S_MAX, ClockTerms
from domain.ids import (
    GameIdField,
    Hex32Field,
    LedgerNameField,
    LineHashField,
    OrganiserIdField,
    PlayerIdField,
)
from domain.log.events import (
    REASON_PATTERN,
    Demand,
    LinkCount,
    OpeningWitnessed,
    Reason,
    RulesetRef,
    SecretDisclosed,
)
from domain.ruleset.decision import Placing
from domain.tournament.door import About, Door, PlaceGiven
from domain.tournament.draw_events import DrawnSeat, Why
from domain.tournament.fields import (
    ENTRIES_MAX,
    NAME_CHARS_MAX,
    AttemptField,
    Duration,
    EntrantField,
    RoundField,
    TableField,
    VersionField,
)
from domain.tournament.formats import ROUNDS_MAX, Format
from domain.tournament.role_events import HelperJoined, TableFollowed
from domain.tournament.ruling_events import RULING_TYPES, RulingEvent
from domain.tournament.scoring import Points, Scored
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import Standing, TieBreak
from domain.tournament.team_events import TeamChosen, TeamsRanked, TeamTerms
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled


class TournamentOpened(Struct, frozen=True, kw_only=True):
    """The terms on which an entrant can rely before entering; every game is opened on exactly these terms.

    Check-in for a round is open for `check_in_ms` from its call; a seat may stay empty for `sit_down_ms` from the draw.
    """

    name: Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX, pattern=REASON_PATTERN)]
    ruleset: RulesetRef
    options: dict[str, Json]
    clock: ClockTerms | None
    delay_s: Annotated[int, Meta(ge=0, le=DELAY_S_MAX)]
    demands: tuple[Demand, ...]  # ascending, none twice; of every game, and of entrants
    organisers: dict[OrganiserIdField, Hex32Field | None]  # whose word counts; with a key, signed by that key
    format: Format
    tables: TableSizes
    points: dict[str, tuple[Points, ...]]  # of the places, by the size of the table, as text
    bye_points: Points
    tie_breaks: tuple[TieBreak, ...]  # the first one decides first; none twice
    entries_max: Annotated[int, Meta(ge=2, le=ENTRIES_MAX)]
    check_in_ms: Duration
    sit_down_ms: Duration
    ledger: LedgerNameField
    commit: Hex32Field
    anchors: tuple[Hex32Field, ...]
    leaf_key: Hex32Field
    door: Door | UnsetType = UNSET
    about: About | UnsetType = UNSET
    teams: TeamTerms | UnsetType = UNSET


class EntrantEntered(Struct, frozen=True, kw_only=True):
    """Entrants are numbered from 0 in the order of entering. `links` is 0 exactly when there is no anchor.

    `code` is the hash of the entrant's code, where the terms ask for one; `team` the one it founds or joins.
    """

    entrant: EntrantField
    player: PlayerIdField
    anchor: Hex32Field | None
    links: LinkCount
    key: Hex32Field | None
    code: Hex32Field | UnsetType = UNSET
    team: TeamChosen | UnsetType = UNSET


class EntrantWithdrawn(Struct, frozen=True, kw_only=True):
    entrant: EntrantField


class EntriesClosed(Struct, frozen=True, kw_only=True):
    pass


class RoundCalled(Struct, frozen=True, kw_only=True):
    """From here on the scores of pairing are fixed: later rulings count from the next round on."""

    round: RoundField


class CheckInOpened(Struct, frozen=True, kw_only=True):
    """Who may check in, ascending; up to and including `until`. Later entrants play from the next round on."""

    round: RoundField
    entrants: tuple[EntrantField, ...]
    until: str


class EntrantCheckedIn(Struct, frozen=True, kw_only=True):
    """`nonce` is the entrant's next link, mandatory while it has any: no single party chooses the lots."""

    entrant: EntrantField
    round: RoundField
    nonce: Hex32Field | None


class CheckInClosed(Struct, frozen=True, kw_only=True):
    """Time is up: the round is drawn among those who are there. With the last of all expected it is drawn at once."""

    round: RoundField


class RoundDrawn(Struct, frozen=True, kw_only=True):
    """Who is in the draw, ascending: each has the die at its own place in the roll that follows."""

    round: RoundField
    entrants: tuple[EntrantField, ...]


class TableDrawn(Struct, frozen=True, kw_only=True):
    """Entrants in the order of their seats. `game` follows from all before it (`derived_ids.py`)."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    game: GameIdField
    seats: tuple[DrawnSeat, ...]
    why: Why


class ByeGiven(Struct, frozen=True, kw_only=True):
    """Who sits out, as tables of the sizes allowed do not seat all: the fewest byes, the lowest score, the highest lot.

    `byes` and `score` are those from before; `points` is the worth of the bye.
    """

    round: RoundField
    entrant: EntrantField
    points: int
    byes: int
    score: int
    lot: int


class WalkoverGiven(Struct, frozen=True, kw_only=True):
    """Too few came to play: those who did share the places that were theirs to take."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    absent: tuple[EntrantField, ...]
    entrants: tuple[EntrantField, ...]
    points: int  # of each


class ResultTaken(Struct, frozen=True, kw_only=True):
    """The place and the hash of the last line of the table's game, and its ranking: null if it was aborted."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    version: VersionField
    hash: LineHashField
    ranking: tuple[Placing, ...] | None


class EntryTaken(Struct, frozen=True, kw_only=True):
    """The entry goes on by this player, links and key, as a ruling allowed the holder of its secret."""

    entrant: EntrantField
    player: PlayerIdField
    anchor: Hex32Field | None
    links: LinkCount
    key: Hex32Field | None


class RoundSkipped(Struct, frozen=True, kw_only=True):
    """The entrant sits out a round that is not drawn yet, without points."""

    entrant: EntrantField
    round: RoundField


class NoShowTold(Struct, frozen=True, kw_only=True):
    """Who is not there, ascending. The server reports it once the time to sit down is over.

    An organiser, who may report it before, states why: that is a ruling.
    """

    round: RoundField
    table: TableField
    attempt: AttemptField
    entrants: tuple[EntrantField, ...]
    reason: Reason | None


class TableScored(Struct, frozen=True, kw_only=True):
    """The count of a table from here on, in the order of its seats; nothing if its game is void."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    scored: tuple[Scored, ...]


class StandingsTold(Struct, frozen=True, kw_only=True):
    """Standings after a round, best first; as many lines of these as it takes."""

    round: Annotated[int, Meta(ge=0, le=ROUNDS_MAX)]
    standings: tuple[Standing, ...]


class RoundClosed(Struct, frozen=True, kw_only=True):
    """Every table of the round counts as it was scored; rulings are still heard."""

    round: RoundField


class TournamentClosed(Struct, frozen=True, kw_only=True):
    """`reason` is null exactly when all rounds were played."""

    reason: Reason | None


class TournamentAborted(Struct, frozen=True, kw_only=True):
    reason: Reason


class TournamentFinished(Struct, frozen=True, kw_only=True):
    """The standings just before are final."""

    rounds: Annotated[int, Meta(ge=0, le=ROUNDS_MAX)]


Ruling = RulingEvent | NoShowTold
InputEvent = (
    TournamentOpened
    | OpeningWitnessed
    | EntrantEntered
    | EntrantWithdrawn
    | EntriesClosed
    | RoundCalled
    | EntrantCheckedIn
    | CheckInClosed
    | ResultTaken
    | NoShowTold
    | EntryTaken
    | RoundSkipped
    | Announced
    | OrganiserCalled
    | CallAnswered
    | HelperJoined
    | TableFollowed
    | RulingEvent
    | TournamentClosed
    | TournamentAborted
)
OutcomeEvent = (
    PlaceGiven
    | CheckInOpened
    | RoundDrawn
    | DiceRolled
    | TableDrawn
    | ByeGiven
    | WalkoverGiven
    | TableScored
    | StandingsTold
    | TeamsRanked
    | RoundClosed
    | TournamentFinished
    | SecretDisclosed
)


def find_ruling(event: object) -> Ruling | None:
    """Return an event that is a ruling: an organiser's statement; a no-show gives its reason then."""
    if isinstance(event, NoShowTold):
        return event if event.reason is not None else None
    return event if isinstance(event, RulingEvent) else None


INPUT_TYPES: dict[str, type[InputEvent]] = {
    "tournament_opened": TournamentOpened,
    "opening_witnessed": OpeningWitnessed,
    "entrant_entered": EntrantEntered,
    "entrant_withdrawn": EntrantWithdrawn,
    "entries_closed": EntriesClosed,
    "round_called": RoundCalled,
    "entrant_checked_in": EntrantCheckedIn,
    "check_in_closed": CheckInClosed,
    "result_taken": ResultTaken,
    "no_show_told": NoShowTold,
    "entry_taken": EntryTaken,
    "round_skipped": RoundSkipped,
    "announced": Announced,
    "organiser_called": OrganiserCalled,
    "call_answered": CallAnswered,
    "helper_joined": HelperJoined,
    "table_followed": TableFollowed,
    **RULING_TYPES,
    "tournament_closed": TournamentClosed,
    "tournament_aborted": TournamentAborted,
}
OUTCOME_TYPES: dict[str, type[OutcomeEvent]] = {
    "place_given": PlaceGiven,
    "check_in_opened": CheckInOpened,
    "round_drawn": RoundDrawn,
    "dice_rolled": DiceRolled,
    "table_drawn": TableDrawn,
    "bye_given": ByeGiven,
    "walkover_given": WalkoverGiven,
    "table_scored": TableScored,
    "standings_told": StandingsTold,
    "teams_ranked": TeamsRanked,
    "round_closed": RoundClosed,
    "tournament_finished": TournamentFinished,
    "secret_disclosed": SecretDisclosed,
}
TAGS: dict[type[Struct], str] = {event: tag for tag, event in (*INPUT_TYPES.items(), *OUTCOME_TYPES.items())}
