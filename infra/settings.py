"""The settings of a server: `SPINA_*` variables, parsed once at start into one frozen value.

Eighteen at most. A value that no operator needs to change is a constant beside its use.
"""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

PREFIX = "SPINA_"
# The token of the command line: no setting of a server, and its value is not read here.
CLIENT_TOKEN = "SPINA_TOKEN"  # noqa: S105  the name of a variable
KEY_FILE_NAME = "master.key"
LEDGER_FOLDER_NAME = "ledger"
BOX_FOLDER_NAME = "boxes"
# Given as one comma-separated text.
LISTS = frozenset({"cors_origins", "proxies", "replica_urls"})
# Shown as a length only in every message.
CONFIDENTIAL = frozenset({"database_url", "owner_database_url", "replica_urls", "redis_url", "master_key", "smtp_url"})

# Port 0 asks the machine for any free port; the line printed at start names the one it gave.
Port = Annotated[int, Meta(ge=0, le=65535)]
Host = Annotated[str, Meta(min_length=1, max_length=253)]
# A password with one of `/?#` in it would end there, and its first part be taken for a port, which drivers show.
LOGIN = "([^/?#]*@)?"
PLACE = r"(\[[^]/?#@\s]+\]|[^]/?#@:,[\s]*)(:[0-9]{1,5})?"
REST = r"(/[^@?#\s]*)?(\?[^@#\s]*)?$(?!\n)"
# Several hosts stand before the database: those of libpq's other spelling would be asked for any node, not the primary.
PostgresUrl = Annotated[
    str,
    Meta(pattern=rf"^postgres(ql)?://(?!$)(?!.*[?&]host=[^&]*(,|%2[Cc])){LOGIN}{PLACE}(,{PLACE})*{REST}"),
]
# As `infra/mail.py` reads it, which refuses nothing of this form.
SmtpUrl = Annotated[
    str,
    Meta(
        pattern=r"^smtps?://([^@/?\s]+@)?([A-Za-z0-9.-]+|\[[0-9a-f:.]+\])(:([0-9]{1,4}|[1-5][0-9]{4}))?/?"
        r"\?from=[A-Za-z0-9._-]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}$(?!\n)"
    ),
]
# Of Sentinels: their addresses, the name of the master, and a database, as `infra/redis/client.py` reads them.
RedisUrl = Annotated[
    str,
    Meta(
        pattern=rf"^(rediss?://(?!$){LOGIN}{PLACE}{REST}|unix://."
        r"|redis\+sentinel://([^@/\s]+@)?[A-Za-z0-9.-]+(:[0-9]{1,5})?"
        r"(,[A-Za-z0-9.-]+(:[0-9]{1,5})?)*/[A-Za-z0-9._-]+(/[0-9]+)?$(?!\n))"
    ),
]
# As browsers send it: scheme, host and port, without a path.
Origin = Annotated[str, Meta(pattern=r"^https?://[^/\s,*]+$(?!\n)")]
Address = Annotated[str, Meta(pattern=r"^[0-9a-fA-F.:/]+$(?!\n)")]
RatePerSecond = Annotated[int, Meta(ge=0, le=1_000_000)]
Switch = Literal["on", "off"]
# The name of the ledger: an address without a scheme, for ever. As in the keys of notes, no blank and no plus.
LogOrigin = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[!-*,-~]+$(?!\n)")]
LogLevel = Literal["debug", "info", "warning", "error"]


class Settings(Struct, frozen=True, kw_only=True):
    host: Host = "127.0.0.1"
    port: Port = 8000
    data: Path = Path(".spina")
    database_url: PostgresUrl | None = None
    owner_database_url: PostgresUrl | None = None
    replica_urls: tuple[PostgresUrl, ...] = ()
    redis_url: RedisUrl | None = None
    master_key: str | None = None
    master_key_file: Path | None = None
    log: LogLevel = "info"
    cors_origins: tuple[Origin, ...] = ()
    proxies: tuple[Address, ...] = ()
    # A player's page and bots stay far below; a crawler that wants every board of every game takes a little longer.
    rate_per_s: RatePerSecond = 50
    # On with embedded servers, where a newcomer looks around; off where a database is given, which others use too.
    exhibition: Switch | None = None
    origin: LogOrigin = "localhost/spina"
    # A file with the token that opens /metrics; without it there are none to read.
    metrics_token_file: Path | None = None
    smtp_url: SmtpUrl | None = None
    # Links in mails begin with it: no caller shall choose where a mail of this server leads.
    url: Origin | None = None

    def __repr__(self) -> str:
        """Show the names alone: a settings value ends up in tracebacks, and some of its fields are secrets."""
        return f"Settings({', '.join(self.__struct_fields__)})"

    @property
    def has_embedded_servers(self) -> bool:
        return self.database_url is None

    @property
    def has_exhibition(self) -> bool:
        return self.has_embedded_servers if self.exhibition is None else self.exhibition == "on"

    @property
    def ledger_folder(self) -> Path:
        """The folder of the last signed checkpoint, beside the key and not in the database."""
        return self.key_file.parent / LEDGER_FOLDER_NAME

    @property
    def box_folder(self) -> Path:
        """The folder of the components that this server offers beside those of the release."""
        return self.data / BOX_FOLDER_NAME

    @property
    def key_file(self) -> Path:
        return self.master_key_file or self.data / KEY_FILE_NAME


IN_PASSWORDS = ", with %2F for a / of a password, %3F for ? and %23 for #"
EXPECTED = {
    "host": "a host name or address to listen on",
    "port": "a whole number from 0 to 65535",
    "data": "a folder",
    "database_url": "a URL that starts with postgresql://, several hosts before the database" + IN_PASSWORDS,
    "owner_database_url": "a URL that starts with postgresql://, several hosts before the database" + IN_PASSWORDS,
    "replica_urls": "URLs that start with postgresql://, comma-separated" + IN_PASSWORDS,
    "redis_url": "a URL that starts with redis://, rediss:// or unix://, or redis+sentinel://host:port,host:port/name"
    + IN_PASSWORDS,
    "master_key": "the text that `spina keys create` made",
    "master_key_file": "the file that `spina keys create` made",
    "log": "debug, info, warning or error",
    "cors_origins": "origins such as https://example.org, comma-separated",
    "proxies": "addresses or networks of trusted proxies, comma-separated",
    "origin": "the ledger's name, such as games.example.org/log/2026",
    "rate_per_s": "requests a second for each account, 0 for no limits",
    "exhibition": "on or off",
    "metrics_token_file": "a file with the token that opens /metrics",
    "smtp_url": "smtps://user:password@host:port?from=address",
    "url": "the address of the pages, such as https://games.example.org",
}


class SettingsRefused(Exception):
    """The environment cannot be used; every complaint names its variable and none shows a secret."""

    def __init__(self, complaints: tuple[str, ...]) -> None:
        self.complaints = complaints
        super().__init__("; ".join(complaints))


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Parse the variables that start with `SPINA_`; an empty one counts as not given. Raises SettingsRefused."""
    given = {
        name: text
        for name, text in sorted(environment.items())
        if name.startswith(PREFIX) and text and name != CLIENT_TOKEN
    }
    types = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    values: dict[str, object] = {}
    complaints: list[str] = []
    for variable, text in given.items():
        name = variable.removeprefix(PREFIX).lower()
        if variable != variable_name(name) or name not in types:
            complaints.append(_unknown(variable))
            continue
        try:
            given_value = [part.strip() for part in text.split(",")] if name in LISTS else text
            values[name] = msgspec.convert(given_value, types[name], strict=False, dec_hook=_decode)
        except msgspec.ValidationError:
            complaints.append(f"{variable}: expected {EXPECTED[name]}, found {_shown(name, text)}")
    complaints += _contradictions(values)
    if complaints:
        raise SettingsRefused(tuple(complaints))
    return Settings(**values)  # type: ignore[arg-type]  # each value was converted to the type of its own field


def read_database_url(option: str, text: str) -> str:
    """Read an option that stands for SPINA_DATABASE_URL. Raises SettingsRefused."""
    try:
        return msgspec.convert(text, PostgresUrl)
    except msgspec.ValidationError:
        found = _shown("database_url", text)
        raise SettingsRefused((f"{option}: expected {EXPECTED['database_url']}, found {found}",)) from None


def variable_name(field: str) -> str:
    return PREFIX + field.upper()


def _decode(wanted: type, text: object) -> object:
    assert wanted is Path, wanted
    return Path(str(text))


def _unknown(variable: str) -> str:
    known = [variable_name(name) for name in Settings.__struct_fields__]
    nearest = difflib.get_close_matches(variable.upper(), known, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"known are {', '.join(known)}"
    return f"{variable}: not a setting of Spina; {hint}"


def _shown(name: str, text: str) -> str:
    return f"{len(text)} characters that are not" if name in CONFIDENTIAL else repr(text)


def _contradictions(values: Mapping[str, object]) -> list[str]:
    found = []
    if "master_key" in values and "master_key_file" in values:
        found.append("SPINA_MASTER_KEY and SPINA_MASTER_KEY_FILE: expected one of them, found both")
    found += [
        f"{variable_name(name)}: expected SPINA_DATABASE_URL beside it, found none (embedded servers bring their own)"
        for name in ("owner_database_url", "replica_urls", "redis_url")
        if name in values and "database_url" not in values
    ]
    if "smtp_url" in values and "url" not in values:
        found.append("SPINA_SMTP_URL: expected SPINA_URL beside it, found none (links in mails begin with it)")
    return found
