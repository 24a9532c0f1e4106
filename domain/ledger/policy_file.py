"""Policy files: reading and writing a trust policy (C2SP tlog-policy), for people to edit."""

import re
from collections.abc import Callable

from domain.ledger.note_key import COSIGNATURE, ED25519, NoteKey, format_note_key, parse_note_key
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyGroup, PolicyLog, PolicyRuleset, PolicyWitness
from domain.ledger.spelling import Misspelt, quote, split_lines

# Example (the keys shortened):
#
#     # the club's own log, seen by the club's witness and by one of two others
#     log example.com/board-log+259e2949+ASms… https://example.com/v1/ledger
#     witness club witness.example/w1+e75f6532+BAOh… https://witness.example
#     witness X    x.example+5ee6…
#     witness Y    y.example+07a1…
#     group others any X Y
#     group both   all club others
#     ruleset crowd@1 5a3c…
#     quorum both
#
#     file    = line*, each ended by a newline; its items stand apart by spaces and tabs, also before and after them
#     line    = log | witness | group | quorum | ruleset | nothing | "#" and any comment
#     log     = "log" key [url]                a key of kind 0x01, whose name is the log's origin
#     witness = "witness" name key [url]       a key of kind 0x04
#     group   = "group" name ("all" | "any" | count) name+        how many of the members; 1 to as many as there are
#     quorum  = "quorum" (name | "none")       exactly one in the file
#     ruleset = "ruleset" name@version hash    ours alone: the SHA-256 of components that the reader trusts, in hex
#
# Names are any text without blanks, the same for witnesses and groups, each defined once and before it is used, and a
# member of one group at most, so that no witness counts twice. Bytes that are no UTF-8 are kept as they are. The
# written file is without comments, blanks in a row, and counts that `any` or `all` can state; reading that and
# writing it again gives the same bytes. Refused: control characters other than tab and newline, a missing last newline,
# other words, a key twice among logs or among witnesses, a name twice, an unknown name, no quorum or two.

POLICY_SIZE_MAX = 100_000
# The specification asks for 32 of each; no person can judge a hundred.
LOGS_MAX = 100
WITNESSES_MAX = 100
GROUPS_MAX = 100
RULESETS_MAX = 100

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_BLANKS = re.compile("[ \t]+")
_COUNT = re.compile("[1-9][0-9]{0,2}")
_REFERENCE = re.compile("[a-z0-9-]{1,40}@[1-9][0-9]{0,5}")
_HASH = re.compile("[0-9a-f]{64}")


def parse_policy(raw: bytes) -> Policy:
    if len(raw) > POLICY_SIZE_MAX:
        raise Misspelt(expected=f"at most {POLICY_SIZE_MAX} bytes", found=f"{len(raw)} bytes")
    text = raw.decode(errors="surrogateescape")
    control = _CONTROL.search(text)
    if control:
        raise Misspelt(expected="no control characters but tab and newline", found=quote(control[0]))
    reader = _Reader()
    for line in split_lines(text):
        items = _BLANKS.split(line.strip(" \t"))
        if items != [""] and not items[0].startswith("#"):
            reader.read(items)
    return reader.policy()


def format_policy(policy: Policy) -> bytes:
    lines = [_join("log", format_note_key(log.key), log.url) for log in policy.logs]
    lines += [_join("witness", witness.name, format_note_key(witness.key), witness.url) for witness in policy.witnesses]
    lines += [_join("group", group.name, _format_threshold(group), *group.members) for group in policy.groups]
    lines += [_join("ruleset", ruleset.reference, ruleset.components) for ruleset in policy.rulesets]
    lines.append(_join("quorum", policy.quorum))
    return "".join(lines).encode(errors="surrogateescape")


class _Reader:
    """The names that the lines so far have defined."""

    def __init__(self) -> None:
        self._logs: list[PolicyLog] = []
        self._witnesses: list[PolicyWitness] = []
        self._groups: list[PolicyGroup] = []
        self._quorum: str | None = None
        self._rulesets: list[PolicyRuleset] = []
        self._names: set[str] = set()
        self._members: set[str] = set()

    def read(self, items: list[str]) -> None:
        readers: dict[str, Callable[[list[str]], None]] = {
            "log": self._read_log,
            "witness": self._read_witness,
            "group": self._read_group,
            "quorum": self._read_quorum,
            "ruleset": self._read_ruleset,
        }
        word, *rest = items
        if word not in readers:
            raise Misspelt(expected="log, witness, group, quorum or ruleset", found=quote(word))
        readers[word](rest)

    def policy(self) -> Policy:
        if self._quorum is None:
            raise Misspelt(expected="a quorum line", found="none")
        return Policy(
            logs=tuple(self._logs),
            witnesses=tuple(self._witnesses),
            groups=tuple(self._groups),
            quorum=self._quorum,
            rulesets=tuple(self._rulesets),
        )

    def _read_log(self, items: list[str]) -> None:
        key, url = _parse_key("log <key> [<url>]", items, kind=ED25519)
        _check_key(key, [log.key for log in self._logs], count_max=LOGS_MAX)
        self._logs.append(PolicyLog(key=key, url=url))

    def _read_witness(self, items: list[str]) -> None:
        name = self._define(items[0] if items else "")
        key, url = _parse_key("witness <name> <key> [<url>]", items[1:], kind=COSIGNATURE)
        _check_key(key, [witness.key for witness in self._witnesses], count_max=WITNESSES_MAX)
        self._witnesses.append(PolicyWitness(name=name, key=key, url=url))

    def _read_group(self, items: list[str]) -> None:
        name, threshold, *members = items if len(items) > len(("name", "count")) else ("", "")
        if not members or len(self._groups) == GROUPS_MAX:
            raise Misspelt(
                expected=f"group <name> <count> <member>…, {GROUPS_MAX} at most", found=quote(" ".join(items))
            )
        for member in members:
            if member not in self._names or member in self._members:
                raise Misspelt(expected="a name defined above and not yet a member", found=quote(member))
            self._members.add(member)
        group = PolicyGroup(
            name=self._define(name), threshold=_parse_threshold(threshold, len(members)), members=tuple(members)
        )
        self._groups.append(group)

    def _read_quorum(self, items: list[str]) -> None:
        if len(items) != 1 or self._quorum is not None or items[0] not in {QUORUM_NONE, *self._names}:
            expected = "quorum <name>, once, with a name defined above or none"
            raise Misspelt(expected=expected, found=quote(" ".join(items)))
        self._quorum = items[0]

    def _read_ruleset(self, items: list[str]) -> None:
        reference, components = items if len(items) == len(("name", "hash")) else ("", "")
        ruleset = PolicyRuleset(reference=reference, components=components)
        is_spelt = _REFERENCE.fullmatch(reference) and _HASH.fullmatch(components)
        if not is_spelt or ruleset in self._rulesets or len(self._rulesets) == RULESETS_MAX:
            expected = f"ruleset <name>@<version> <SHA-256>, once, {RULESETS_MAX} at most"
            raise Misspelt(expected=expected, found=quote(" ".join(items)))
        self._rulesets.append(ruleset)

    def _define(self, name: str) -> str:
        if name in {"", QUORUM_NONE, *self._names}:
            raise Misspelt(expected="a name not yet defined", found=quote(name))
        self._names.add(name)
        return name


def _parse_key(form: str, items: list[str], *, kind: int) -> tuple[NoteKey, str | None]:
    match items:
        case [text]:
            url = None
        case [text, url]:
            pass
        case _:
            raise Misspelt(expected=form, found=quote(" ".join(items)))
    key = parse_note_key(text)
    if key.kind != kind:
        raise Misspelt(expected=f"{form} with a key of kind 0x{kind:02x}", found=f"kind 0x{key.kind:02x}")
    return key, url


def _check_key(key: NoteKey, known: list[NoteKey], *, count_max: int) -> None:
    if len(known) == count_max:
        raise Misspelt(expected=f"at most {count_max} of a kind", found="more")
    # The same public key under two names would let one party count twice.
    if any(key.public_key == other.public_key for other in known):
        raise Misspelt(expected="a public key not yet in the policy", found=quote(format_note_key(key)))


def _parse_threshold(text: str, count: int) -> int:
    if text in {"any", "all"}:
        return 1 if text == "any" else count
    if not (_COUNT.fullmatch(text) and int(text) <= count):
        raise Misspelt(expected=f"any, all, or 1 to {count}", found=quote(text))
    return int(text)


def _format_threshold(group: PolicyGroup) -> str:
    if group.threshold == len(group.members):
        return "all"
    return "any" if group.threshold == 1 else str(group.threshold)


def _join(*items: str | None) -> str:
    return " ".join(item for item in items if item is not None) + "\n"
