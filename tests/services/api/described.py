"""An app without a database, and its description: made once a process, as both together take half a second."""

import json
from functools import cache
from typing import Any

import msgspec

from services.api.app import build_app
from tests.services.api.server import PROBES, memory_parts

APP = build_app(probes=PROBES, parts=memory_parts())


@cache
def describe() -> dict[str, Any]:
    described: dict[str, Any] = json.loads(msgspec.json.encode(APP.openapi_schema.to_schema()))
    return described
