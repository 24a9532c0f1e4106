"""Trust policies: which logs, which witnesses, and how many of these must have seen a checkpoint (C2SP tlog-policy).

The policy is the verifier's own. One that comes with the checkpoint that it should judge is only a convenience.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.note_key import NoteKey
from domain.ledger.signers import find_signers

QUORUM_NONE = "none"


class PolicyLog(Struct, frozen=True, kw_only=True):
    key: NoteKey
    url: str | None = None


class PolicyWitness(Struct, frozen=True, kw_only=True):
    """A witness; its name is the policy's own and may differ from the one that its key has."""

    name: str
    key: NoteKey
    url: str | None = None


class PolicyGroup(Struct, frozen=True, kw_only=True):
    """Has seen a checkpoint if as many of its members have as `threshold` states."""

    name: str
    threshold: int
    members: tuple[str, ...]


class PolicyRuleset(Struct, frozen=True, kw_only=True):
    """The SHA-256 of the components of `name@version`, which of a packaged ruleset name its code."""

    reference: str
    components: str


class Policy(Struct, frozen=True, kw_only=True):
    """A ruleset that `rulesets` name must have the components there; any others are as the reader has them."""

    logs: tuple[PolicyLog, ...]
    witnesses: tuple[PolicyWitness, ...]
    # A group's members stand before it, so one pass in this order decides them all.
    groups: tuple[PolicyGroup, ...]
    # The name of a witness or group, or QUORUM_NONE.
    quorum: str
    rulesets: tuple[PolicyRuleset, ...] = ()


class Sighting(Struct, frozen=True, kw_only=True):
    """A witness's word: it has seen the checkpoint, at this time by its own clock, in seconds since 1970."""

    witness: str
    time_s: int


class Standing(Struct, frozen=True, kw_only=True):
    """A policy's judgement of a checkpoint. It is trusted if a known log signed it and the quorum is met."""

    log: NoteKey | None
    sightings: tuple[Sighting, ...]
    has_quorum: bool

    @property
    def is_trusted(self) -> bool:
        return self.log is not None and self.has_quorum


def evaluate(policy: Policy, signed: SignedCheckpoint) -> Standing:
    """Judge a checkpoint by its signatures; raises BadSignature if a key of the policy is misused in it."""
    origin = signed.checkpoint.origin
    # A log's key speaks for the log of its own name alone, also where it signed others.
    logs = [log.key for log in policy.logs if log.key.name == origin]
    names = {witness.key: witness.name for witness in policy.witnesses}
    signers = find_signers(signed.note, (*logs, *names))
    return Standing(
        log=next((signer.key for signer in signers if signer.key in logs), None),
        sightings=tuple(
            Sighting(witness=names[signer.key], time_s=signer.time_s) for signer in signers if signer.time_s is not None
        ),
        has_quorum=has_quorum(policy, {names[signer.key] for signer in signers if signer.key in names}),
    )


def list_allowed(policy: Policy | None, reference: str) -> tuple[str, ...]:
    """List the components by which a policy allows a ruleset; none where it does not name the ruleset."""
    rulesets = () if policy is None else policy.rulesets
    return tuple(ruleset.components for ruleset in rulesets if ruleset.reference == reference)


def count_witnesses_min(policy: Policy) -> int:
    """Count how many witnesses a checkpoint needs at least; which ones, only `evaluate` decides."""
    needed = {QUORUM_NONE: 0, **{witness.name: 1 for witness in policy.witnesses}}
    for group in policy.groups:
        needed[group.name] = sum(sorted(needed[member] for member in group.members)[: group.threshold])
    return needed[policy.quorum]


def has_quorum(policy: Policy, witnesses: Iterable[str]) -> bool:
    """Return whether these witnesses are as many, and the ones, that a policy asks for."""
    seen = {QUORUM_NONE, *witnesses}
    for group in policy.groups:
        if len(seen.intersection(group.members)) >= group.threshold:
            seen.add(group.name)
    return policy.quorum in seen
