"""The whole examination, in the order of a start."""

from collections.abc import Mapping

from infra.settings import SettingsRefused, read_settings
from services.doctor.finding import Finding
from services.doctor.machine import examine_machine
from services.doctor.servers import examine_servers


async def examine(environment: Mapping[str, str]) -> list[Finding]:
    """Look at everything, in the order in which a start would need it."""
    try:
        settings = read_settings(environment)
    except SettingsRefused as refusal:
        return [Finding(what="settings", is_ok=False, found=one, advice="correct it") for one in refusal.complaints]
    return [*examine_machine(settings), *await examine_servers(settings)]
