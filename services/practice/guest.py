"""A guest: a bot outside of the rulesets, as its `choose(board, choices)` plays over the API, seated beside house bots.

The guest gets the JSON of the API and nothing else, and its action is read as the API reads one.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import Json
from domain.ruleset.bot import Numbers

# The same as `ChooseJson` of spina_client.
ChooseJson = Callable[[Any, Any], Json]


class GuestRefused(Exception):
    """A guest that cannot be loaded; the message gives the expected and the found."""


class GuestFault(Exception):
    """A guest that raised an exception, or whose action has another form than the ruleset's."""


class Sight(Struct, frozen=True, kw_only=True):
    """One decision as the guest saw it, and its answer; null where it gave none."""

    board: msgspec.Raw
    choices: msgspec.Raw
    action: Json


class Guest:
    """A guest as a bot of a kit. `sights` are its decisions since `forget`."""

    def __init__(self, choose: ChooseJson, action_type: Any) -> None:
        self._choose = choose
        self._action_type = action_type
        self.sights: list[Sight] = []

    def __call__(self, view: Any, choices: Any, _numbers: Numbers) -> Any:
        seen, offered = msgspec.json.encode(view), msgspec.json.encode(choices)
        action: Json = None
        try:
            action = self._choose(msgspec.json.decode(seen), msgspec.json.decode(offered))
            return msgspec.convert(action, self._action_type)
        except msgspec.ValidationError as error:
            raise GuestFault(f"expected an action of the ruleset, found {action!r}: {error}") from error
        except Exception as error:
            raise GuestFault(f"expected an action, found {type(error).__name__}: {error}") from error
        finally:
            self.sights.append(Sight(board=msgspec.Raw(seen), choices=msgspec.Raw(offered), action=action))

    def forget(self) -> None:
        self.sights = []


def load_guest(named: str) -> ChooseJson:
    """Import `MODULE:FUNCTION`, or a function of a file as `PATH.py:FUNCTION`; raise GuestRefused."""
    module, colon, name = named.rpartition(":")
    if not colon or not module or not name:
        raise GuestRefused(f"expected MODULE:FUNCTION, as my_bot:choose, found {named}")
    try:
        found = getattr(_import(module), name, None)
    except Exception as error:
        # Importing runs the guest's own code, which may raise anything.
        raise GuestRefused(f"expected a module {module}, found {type(error).__name__}: {error}") from error
    if not callable(found):
        raise GuestRefused(f"expected a function {name} in {module}, found {'none' if found is None else found!r}")
    choose: ChooseJson = found
    return choose


def _import(module: str) -> Any:
    if not module.endswith(".py"):
        # As `python -m` does: the folder of the caller comes first.
        if str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(module)
    path = Path(module)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded
