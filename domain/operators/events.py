"""Acts of operators, in their order. Stored for ever: a tag never changes, and no line has the name of a player."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ids import (
    GameIdField,
    Hex32Field,
    LedgerNameField,
    OrganiserIdField,
    PlayerIdField,
    StreamIdField,
    StreamVersion,
)
from domain.log.events import REASON_PATTERN
from domain.names import NAME_CHARS_MAX

WordField = Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX, pattern=REASON_PATTERN)]
AccountField = PlayerIdField | OrganiserIdField
# As `spina keys show` prints it.
KeyIdField = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]


class RecordOpened(Struct, frozen=True, kw_only=True):
    """The first line. The id of the record follows from the name of its ledger, so that a ledger has one record."""

    ledger: LedgerNameField
    leaf_key: Hex32Field


class Act(Struct, frozen=True, kw_only=True):
    """`operator` is a name that the operator gave, or a login of the machine; `reason` is null where there is none."""

    operator: WordField
    reason: WordField | None


class AccountAct(Act, frozen=True, kw_only=True):
    account: AccountField


class AccountMade(AccountAct, frozen=True, kw_only=True):
    role: Literal["player", "organiser", "operator"]


class TokensRenewed(AccountAct, frozen=True, kw_only=True):
    pass


class TokensRevoked(AccountAct, frozen=True, kw_only=True):
    pass


class AccountRenamed(AccountAct, frozen=True, kw_only=True):
    pass


class AccountMuted(AccountAct, frozen=True, kw_only=True):
    pass


class AccountUnmuted(AccountAct, frozen=True, kw_only=True):
    pass


class AccountClosed(AccountAct, frozen=True, kw_only=True):
    pass


class KeyTurned(Act, frozen=True, kw_only=True):
    """The ids of the former and the new master key."""

    former: KeyIdField
    new: KeyIdField


class LedgerBegun(Act, frozen=True, kw_only=True):
    """A ledger under another name, after a restored backup; `former` is the name of the one before."""

    former: LedgerNameField


class GameExported(Act, frozen=True, kw_only=True):
    """The first `lines` of a game that not all may read then."""

    game: GameIdField
    lines: Annotated[StreamVersion, Meta(ge=1)]


class StreamsAudited(Act, frozen=True, kw_only=True):
    """Every stored game and tournament after an id, private ones among them."""

    after: StreamIdField


class StreamsArchived(Act, frozen=True, kw_only=True):
    """Every game and tournament that was over and had no file yet, private ones among them."""


class DumpMade(Act, frozen=True, kw_only=True):
    """A data set of public games: the SHA-256 of its list of files, and the number of games."""

    games: Annotated[int, Meta(ge=0)]
    sums: Hex32Field


AnyAct = (
    AccountMade
    | TokensRenewed
    | TokensRevoked
    | AccountRenamed
    | AccountMuted
    | AccountUnmuted
    | AccountClosed
    | KeyTurned
    | LedgerBegun
    | GameExported
    | StreamsAudited
    | StreamsArchived
    | DumpMade
)
OPENING = "record_opened"
ACT_TYPES: dict[str, type[AnyAct]] = {
    "account_made": AccountMade,
    "tokens_renewed": TokensRenewed,
    "tokens_revoked": TokensRevoked,
    "account_renamed": AccountRenamed,
    "account_muted": AccountMuted,
    "account_unmuted": AccountUnmuted,
    "account_closed": AccountClosed,
    "key_turned": KeyTurned,
    "ledger_begun": LedgerBegun,
    "game_exported": GameExported,
    "streams_audited": StreamsAudited,
    "streams_archived": StreamsArchived,
    "dump_made": DumpMade,
}
TAGS: dict[type[Struct], str] = {act: tag for tag, act in ACT_TYPES.items()}
