"""Boards as JSON merge patches (RFC 7396): the difference of two boards, and a board after a patch.

    {"lap": 1, "led": {"by": 0}}  and then  {"lap": 2, "led": {}}  is the patch  {"lap": 2, "led": {"by": null}}

A patch says null where a member is gone, so no member of a board is null for readers: it is left out, everywhere.
"""

import msgspec

from domain.canonical import Json

JsonObject = dict[str, Json]


def drop_nulls(value: Json) -> Json:
    """Return a value of which no object has a member that is null. An element of an array may be."""
    if isinstance(value, dict):
        return {name: drop_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [drop_nulls(each) for each in value]
    return value


def build_patch(before: JsonObject, after: JsonObject) -> JsonObject:
    """Return the patch from `before` to `after`, for readers of both without members that are null.

    Only changed members are compared closely; of a board that is mostly a small part.
    """
    patch: JsonObject = {name: None for name, old in before.items() if old is not None and after.get(name) is None}
    for name, value in after.items():
        old = before.get(name)
        # The very same, as most of a board is from one line to the next.
        if value is old:
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            inner = build_patch(old, value)
            if inner:
                patch[name] = inner
        elif value is not None and not _is_same(old, value):
            patch[name] = drop_nulls(value)
    return patch


def apply_patch(before: Json, patch: Json) -> Json:
    """Return a value after a patch, by the algorithm of the RFC; both stay as they are."""
    if not isinstance(patch, dict):
        return patch
    after = dict(before) if isinstance(before, dict) else {}
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = apply_patch(after.get(name), value)
    return after


def _is_same(one: Json, other: Json) -> bool:
    if one != other:
        return False
    # To Python True is 1, at any depth; to a reader of JSON it is not.
    if isinstance(one, bool | int | str):
        return type(one) is type(other)
    return msgspec.json.encode(one) == msgspec.json.encode(other)
