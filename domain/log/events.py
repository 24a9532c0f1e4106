"""Facts that every kind of stream has alike, and the terms that every opening has. Stored for ever."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ids import Hex32Field

# Free text stays in the log for ever: long enough for a ruling's reason, too short for an essay.
REASON_CHARS_MAX = 500
# A seat's own links; clients make 1,024, several times the need of the longest race.
LINKS_MAX = 65_536
# An inclusion proof has at most 63 hashes of 45 bytes, and a checkpoint some kilobytes of cosignatures.
PROOF_CHARS_MAX = 16_384
ORGANISERS_MAX = 16

# Without control characters: a zero byte breaks readers that keep text in PostgreSQL, a line break those of one line.
# An invisible or bidirectional one shows other words than were signed.
REASON_PATTERN = r"^[^\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+$(?!\n)"
Reason = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=REASON_CHARS_MAX,
        pattern=REASON_PATTERN,
        description="text of 1 to 500 visible characters in one line, which the log keeps for ever",
    ),
]
LinkCount = Annotated[int, Meta(ge=0, le=LINKS_MAX)]
Demand = Literal["links", "own_custody", "signed", "witnessed_opening"]


class RulesetRef(Struct, frozen=True, kw_only=True):
    """Which rules, exactly: `components` is the SHA-256 of the canonical bytes of decks, tracks and tables."""

    components: Hex32Field
    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,39}$(?!\n)")]
    version: Annotated[int, Meta(ge=1)]

    @property
    def reference(self) -> str:
        return f"{self.name}@{self.version}"


class OpeningWitnessed(Struct, frozen=True, kw_only=True):
    proof: Annotated[str, Meta(min_length=1, max_length=PROOF_CHARS_MAX)]


class SecretDisclosed(Struct, frozen=True, kw_only=True):
    secret: Hex32Field
