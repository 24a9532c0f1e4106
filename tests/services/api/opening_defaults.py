"""The defaults of an opening of a tournament, which are the same on the form, at the terminal and in the API."""

from typing import Any

import msgspec
from msgspec.structs import fields

from services.api.http.bodies import Envelope
from services.api.tournaments.tournament_opening import OpenTournamentBody

# The envelope of every command, and terms that follow from the opener, the box and the ruleset.
OF_ITS_OWN = {*Envelope.__struct_fields__, "components", "options", "organisers", "points", "door", "about", "teams"}
DEFAULT_TERMS: dict[str, Any] = {
    field.name: msgspec.json.decode(msgspec.json.encode(field.default))
    for field in fields(OpenTournamentBody)
    if field.default is not msgspec.NODEFAULT and field.name not in OF_ITS_OWN
}


def pick_defaults(terms: dict[str, Any]) -> dict[str, Any]:
    return {name: terms[name] for name in DEFAULT_TERMS}
