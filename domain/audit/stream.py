"""What the checks of any stream's log look at, whether it is a game's or a tournament's."""

from collections.abc import Sequence
from typing import Protocol

from domain.audit.reading import LogLine
from domain.chance import Secret
from domain.ids import OrganiserId, StreamId, StreamVersion
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.policy import Policy
from domain.log.entry import Entry
from domain.log.events import RulesetRef
from domain.log.record import BadLine
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import UnbuildableRuleset


class OpenedStream(Protocol):
    """What the first line of every stream publishes."""

    @property
    def ruleset(self) -> RulesetRef: ...
    @property
    def commit(self) -> str: ...
    @property
    def anchors(self) -> tuple[str, ...]: ...
    @property
    def leaf_key(self) -> str: ...
    @property
    def organisers(self) -> dict[OrganiserId, str | None]: ...


class StreamBundle(Protocol):
    """What every bundle holds beside its log, and proofs of the ledger where it has them."""

    @property
    def components(self) -> bytes: ...
    @property
    def last_proof(self) -> bytes | None: ...
    @property
    def first_seat_proof(self) -> bytes | None: ...
    @property
    def since(self) -> bytes | None: ...


class StreamCase(Protocol):
    """`entries` are the lines up to the first that cannot be read."""

    @property
    def lines(self) -> Sequence[LogLine]: ...
    @property
    def entries(self) -> Sequence[Entry]: ...
    @property
    def ending_refusal(self) -> BadLine | None: ...
    @property
    def opened(self) -> OpenedStream | None: ...
    @property
    def bundle(self) -> StreamBundle: ...
    @property
    def policy(self) -> Policy | None: ...
    @property
    def seen(self) -> SignedCheckpoint | None: ...
    @property
    def stream(self) -> StreamId | None: ...
    @property
    def disclosed(self) -> Secret | None: ...
    @property
    def unread_from(self) -> StreamVersion | None: ...
    @property
    def components_hash(self) -> str: ...
    @property
    def ruleset(self) -> AnyRuleset | None: ...
    @property
    def ruleset_refusal(self) -> UnbuildableRuleset | None: ...
