"""The findings of a check of a ruleset, by the name of the check: a few of each kind are kept, all are counted."""

from collections import Counter
from collections.abc import Mapping

# One fault of the rules shows in every game.
KEPT_MAX = 5
# In the order in which a report has them; each with the promise that it tests.
CHECKS: Mapping[str, str] = {
    "bounds": "the source keeps the static bounds",
    "form": "types, components and the kit have the form of the contract",
    "words": "every outcome has a sentence that fits, and every option its words",
    "ends": "every game ends, within the links that it asks for",
    "decisions": "ids are unique, of seats of the game, and the same when asked again",
    "ranking": "every seat has one place, on every board",
    "offers": "every offered answer and every default is legal, and has a preview",
    "complete": "no answer is legal that is not offered",
    "refusals": "an illegal answer is refused by a rejection",
    "leaving": "seats resign and withhold at any moment, and the game goes on",
    "bots": "every bot answers legally",
    "repeats": "a game played again is the same",
    "folds": "a game interrupted anywhere is read again from its stored outcomes",
    "leaks": "the public sees the same under two secrets and without one, and no seat another's hidden values",
    "sizes": "lines, views and choices stay small",
    "speed": "no call takes long",
    "processes": "other hash seeds and interpreters give the same games",
    "before": "the games of the report before are the same",
}


class Findings:
    """The faults that were found so far."""

    def __init__(self) -> None:
        self._kept: dict[str, list[str]] = {name: [] for name in CHECKS}
        self.counts: Counter[str] = Counter()

    def add(self, check: str, fault: str) -> None:
        self.counts[check] += 1
        if len(self._kept[check]) < KEPT_MAX and fault not in self._kept[check]:
            self._kept[check].append(fault)

    def list_faults(self, check: str) -> tuple[str, ...]:
        return tuple(self._kept[check])

    def watching(self, check: str, where: str) -> "_Watch":
        """Count an exception of the rules within the block as a fault of this check; the block ends there."""
        return _Watch(self, check, where)


class _Watch:
    def __init__(self, findings: Findings, check: str, where: str) -> None:
        self._findings, self._check, self._where = findings, check, where

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if not isinstance(error, Exception):
            return False
        self._findings.add(self._check, f"{self._where}: {type(error).__name__}: {error}")
        return True
