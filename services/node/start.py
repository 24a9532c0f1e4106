"""One start: its flags, and its checks of the machine before any server is started.

Each refusal names its variable.
"""

from msgspec import Struct

from infra.keys import KeyRefused, read_given_key
from infra.settings import Settings, SettingsRefused, variable_name
from services.node.otlp import TracingSettings


class StartFlags(Struct, frozen=True, kw_only=True):
    # Names of workers that other processes stand by for.
    without: frozenset[str] = frozenset()
    # SPINA_ORIGIN names a log that this database has not been published as.
    is_new_origin: bool = False
    # The login that starts the process, for the operators' record.
    operator: str = "unknown"
    # The collector of spans, if any.
    tracing: TracingSettings | None = None


START_FLAGS = StartFlags()


def check_machine(settings: Settings) -> None:
    """Check the folder of the data and the master key, where there is one. Raises SettingsRefused."""
    if settings.has_embedded_servers:
        _check_folder(settings)
    if settings.master_key is not None:
        _check_key(settings, "master_key")
    elif settings.master_key_file is not None:
        _check_key(settings, "master_key_file")


def _check_folder(settings: Settings) -> None:
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        found = f"{settings.data}: {error.strerror}"
        raise SettingsRefused(
            (f"{variable_name('data')}: expected a folder that can be made, found {found}",)
        ) from None


def _check_key(settings: Settings, field: str) -> None:
    # A key file that is named and not there is made by the first start of an embedded database.
    if field == "master_key_file" and settings.has_embedded_servers and not settings.key_file.exists():
        return
    try:
        read_given_key(settings)
    except KeyRefused as refusal:
        complaint = f"{variable_name(field)}: expected a master key, found none: {refusal}"
        raise SettingsRefused((complaint,)) from None
