"""Named ids and counts. A bare `str` or `int` never crosses a function boundary as one of these.

Ids are kept as the text that stands in the log (lower-case UUIDs), so nothing is converted on the way to it.
"""

import re
from typing import Annotated, NewType

from msgspec import Meta

# A log by itself: of a game or of a tournament.
StreamId = NewType("StreamId", str)
GameId = NewType("GameId", StreamId)
TournamentId = NewType("TournamentId", StreamId)
PlayerId = NewType("PlayerId", str)
OrganiserId = NewType("OrganiserId", str)
CommandId = NewType("CommandId", str)

# A place in a game, from 0. Chosen by the ruleset's rules, unlike ids.
Seat = NewType("Seat", int)
# Unique in its game, printable ASCII, made by the ruleset: "t1/move/2".
DecisionId = NewType("DecisionId", str)

# Place of an event in its game's stream, from 1; 0 is the empty stream.
StreamVersion = NewType("StreamVersion", int)
# Place of an event in the whole store, from 1.
LogPosition = NewType("LogPosition", int)

# The SHA-256 of a line, in hex.
LineHash = NewType("LineHash", str)

SEATS_MAX = 12
# In Python `$` also matches before a last newline, which the rest refuses; a browser reads the pattern the same way.
UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$(?!\n)"
_UUID = re.compile(UUID_PATTERN)
# The version of derived ids (`derived_ids.py`).
DERIVED_VERSION = "8"
CHOSEN_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-79a-f][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$(?!\n)"
DECISION_PATTERN = r"^[!-~]{1,80}$(?!\n)"

# Fields as they are decoded from outside and from the log: the type, and the one spelling accepted.
_UUID_META = Meta(pattern=UUID_PATTERN, description="a lower-case UUID")
StreamIdField = Annotated[StreamId, _UUID_META]
GameIdField = Annotated[GameId, _UUID_META]
TournamentIdField = Annotated[TournamentId, _UUID_META]
PlayerIdField = Annotated[PlayerId, _UUID_META]
OrganiserIdField = Annotated[OrganiserId, _UUID_META]
CommandIdField = Annotated[CommandId, _UUID_META]
# Of a client's: never one that follows from something, or a player could use up the id by which a clock expires.
ChosenCommandIdField = Annotated[
    CommandId, Meta(pattern=CHOSEN_PATTERN, description="a lower-case UUID, not version 8")
]
DecisionIdField = Annotated[
    DecisionId, Meta(pattern=DECISION_PATTERN, description="the id of a decision: 1 to 80 printable ASCII characters")
]
SeatField = Annotated[Seat, Meta(ge=0, lt=SEATS_MAX)]
Hex32Field = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)", description="64 lower-case hex digits")]
Hex64Field = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)", description="128 lower-case hex digits")]
LineHashField = Annotated[LineHash, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
# As long as a host name with a path.
LEDGER_CHARS_MAX = 255
# The key name of a C2SP log, in ASCII.
LedgerNameField = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LEDGER_CHARS_MAX,
        pattern=r"^[!-*,-~]+$(?!\n)",
        description="the name of the ledger that has every line: the origin of its checkpoints",
    ),
]


def is_uuid(text: str) -> bool:
    """Return whether an id that came past no decoder is spelled as all ids are."""
    return _UUID.match(text) is not None
