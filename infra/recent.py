"""A bounded cache: the values that were used last, by their keys. It is always allowed to be empty."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    def __init__(self, values_max: int) -> None:
        self._values_max = values_max
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def find(self, key: Key) -> Value | None:
        """Return the value as last kept."""
        found = self._values.get(key)
        if found is not None:
            self._values.move_to_end(key)
        return found

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value, and let the one go that was not used for longest."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._values_max:
            self._values.popitem(last=False)

    def forget(self, key: Key) -> None:
        self._values.pop(key, None)

    def list_keys(self) -> list[Key]:
        """List the keys, that of the value used last at the end."""
        return list(self._values)
