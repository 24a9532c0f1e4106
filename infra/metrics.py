"""Numbers for a monitoring system, in Prometheus' text form. A label's values are a closed set: no id and no name fits.

Kept by one process and read at its own address; the monitoring system adds up several processes.
"""

# Example:
#
#     # HELP spina_commands_total Commands, by outcome.
#     # TYPE spina_commands_total counter
#     spina_commands_total{command="play_action",outcome="accepted"} 17
#
# Version 0.0.4 of the format: for each family a line of help, a line with its kind, and one line a sample; a histogram
# has a sample for each upper bound (`le`), counting all up to it, and `_sum` and `_count`. Lines end with \n, the last
# one too. No label value here needs escaping, as each is one of ours: letters, digits, `_`, `.`, `+` and `-`.

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal, TypeVar

from msgspec import Struct

# The response adds that it is UTF-8.
CONTENT_TYPE = "text/plain; version=0.0.4"
# Stands for a value outside the label's set; seeing it means that the set is not complete.
OTHER = "other"
# From a cached answer to the patience of a client.
LATENCY_BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LABEL_VALUE = re.compile(r"[A-Za-z0-9_.+-]+")

Kind = Literal["counter", "gauge", "histogram"]
# The values of a gauge's one label, or the gauge's own value under "".
Reading = Mapping[str, float]


class Label(Struct, frozen=True, kw_only=True):
    """A name and every value it can have."""

    name: str
    values: frozenset[str]

    def admit(self, value: str) -> str:
        return value if value in self.values else OTHER


class Family(Struct, frozen=True, kw_only=True):
    """A family of samples: its name and meaning, and the labels that distinguish them."""

    name: str
    help: str
    labels: tuple[Label, ...] = ()


class Counter:
    def __init__(self, family: Family) -> None:
        self.family = family
        self._counts: dict[tuple[str, ...], int] = {}

    def add(self, *values: str) -> None:
        """Count one more for these values of the labels, in their order."""
        key = _admit(self.family, values)
        self._counts[key] = self._counts.get(key, 0) + 1

    def samples(self) -> Iterator[str]:
        yield from _head(self.family, "counter")
        for key, count in sorted(self._counts.items()):
            yield f"{self.family.name}{_braces(self.family, key)} {count}"


class Histogram:
    def __init__(self, family: Family, bounds: Sequence[float] = LATENCY_BOUNDS_S) -> None:
        self.family = family
        self._bounds = tuple(bounds)
        self._counts: dict[tuple[str, ...], list[int]] = {}
        self._sums: dict[tuple[str, ...], float] = {}

    def observe(self, amount: float, *values: str) -> None:
        key = _admit(self.family, values)
        counts = self._counts.setdefault(key, [0] * (len(self._bounds) + 1))
        counts[bisect_left(self._bounds, amount)] += 1
        self._sums[key] = self._sums.get(key, 0.0) + amount

    def samples(self) -> Iterator[str]:
        yield from _head(self.family, "histogram")
        bounds = [*map(_number, self._bounds), "+Inf"]
        for key, counts in sorted(self._counts.items()):
            for bound, count in zip(bounds, accumulate(counts), strict=True):
                yield f"{self.family.name}_bucket{_braces(self.family, key, bound)} {count}"
            yield f"{self.family.name}_sum{_braces(self.family, key)} {_number(self._sums[key])}"
            yield f"{self.family.name}_count{_braces(self.family, key)} {sum(counts)}"


class Gauge:
    """Read when it is asked for. With a label it is read for each of its values; unreadable ones are left out."""

    def __init__(self, family: Family, read: Callable[[], Reading], kind: Kind = "gauge") -> None:
        assert len(family.labels) <= 1, family
        self.family = family
        self._read = read
        self._kind: Kind = kind

    def samples(self) -> Iterator[str]:
        yield from _head(self.family, self._kind)
        for value, number in sorted(self._read().items()):
            key = _admit(self.family, (value,) if self.family.labels else ())
            yield f"{self.family.name}{_braces(self.family, key)} {_number(number)}"


Instrument = Counter | Histogram | Gauge
AnyInstrument = TypeVar("AnyInstrument", Counter, Histogram, Gauge)


class Metrics:
    """All of one process, in the order in which they were added."""

    def __init__(self) -> None:
        self._instruments: dict[str, Instrument] = {}

    def counter(self, family: Family) -> Counter:
        return self._add(Counter(family))

    def histogram(self, family: Family, bounds: Sequence[float] = LATENCY_BOUNDS_S) -> Histogram:
        return self._add(Histogram(family, bounds))

    def gauge(self, family: Family, read: Callable[[], Reading]) -> Gauge:
        """Have a number read whenever the metrics are. `read` is quick and raises nothing."""
        return self._add(Gauge(family, read))

    def total(self, family: Family, read: Callable[[], Reading]) -> Gauge:
        """Have a number read that another part counts, and that never falls."""
        return self._add(Gauge(family, read, kind="counter"))

    def render(self) -> str:
        lines = [line for instrument in self._instruments.values() for line in instrument.samples()]
        return "\n".join((*lines, ""))

    def _add(self, instrument: AnyInstrument) -> AnyInstrument:
        family = instrument.family
        assert _NAME.fullmatch(family.name), family.name
        assert family.name not in self._instruments, f"{family.name} is there already"
        for label in family.labels:
            assert _NAME.fullmatch(label.name), label.name
            assert all(_LABEL_VALUE.fullmatch(value) for value in label.values), label
        self._instruments[family.name] = instrument
        return instrument


def _admit(family: Family, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(label.admit(value) for label, value in zip(family.labels, values, strict=True))


def _head(family: Family, kind: Kind) -> Iterator[str]:
    yield f"# HELP {family.name} {family.help}"
    yield f"# TYPE {family.name} {kind}"


def _braces(family: Family, key: tuple[str, ...], bound: str | None = None) -> str:
    pairs = [f'{label.name}="{value}"' for label, value in zip(family.labels, key, strict=True)]
    if bound is not None:
        pairs.append(f'le="{bound}"')
    return "{" + ",".join(pairs) + "}" if pairs else ""


def _number(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(float(number))
