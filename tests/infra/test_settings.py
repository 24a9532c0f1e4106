"""Settings: parsed once from the environment, refused with the variable's name and without any secret."""

from pathlib import Path

import msgspec
import pytest

from infra.settings import CLIENT_TOKEN, EXPECTED, Settings, SettingsRefused, read_settings, variable_name

DATABASE = "postgresql://ada:hunter2@db.example/spina"


def complaint_about(environment: dict[str, str]) -> str:
    with pytest.raises(SettingsRefused) as refused:
        read_settings(environment)
    return str(refused.value)


def test_nothing_needs_to_be_set() -> None:
    settings = read_settings({"PATH": "/bin", "LANG": "C"})

    assert (settings.host, settings.port, settings.data) == ("127.0.0.1", 8000, Path(".spina"))
    assert settings.has_embedded_servers


def test_every_setting_is_read_from_its_variable() -> None:
    environment = {
        "SPINA_HOST": "::1",
        "SPINA_PORT": "81",
        "SPINA_DATA": "/var/lib/spina",
        "SPINA_DATABASE_URL": DATABASE,
        "SPINA_OWNER_DATABASE_URL": "postgres://owner@db.example/spina",
        "SPINA_REDIS_URL": "redis://cache.example/0",
        "SPINA_MASTER_KEY_FILE": "/etc/spina.key",
        "SPINA_LOG": "debug",
        "SPINA_CORS_ORIGINS": "https://a.example,http://localhost:5173",
        "SPINA_PROXIES": "10.0.0.1,fd00::/8",
        "SPINA_RATE_PER_S": "7",
        "SPINA_EXHIBITION": "on",
        "SPINA_ORIGIN": "games.example/log",
        "SPINA_SMTP_URL": "smtps://ada:hunter2@mail.example?from=games@example.org",
        "SPINA_URL": "https://games.example",
    }

    settings = read_settings(environment)

    given = {variable_name(name): value for name, value in msgspec.structs.asdict(settings).items() if value}
    shown = {name: ",".join(value) if isinstance(value, tuple) else str(value) for name, value in given.items()}
    assert shown == environment
    assert settings.port == 81
    assert not settings.has_embedded_servers


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, True),
        ({"SPINA_EXHIBITION": "off"}, False),
        ({"SPINA_DATABASE_URL": DATABASE}, False),
        ({"SPINA_DATABASE_URL": DATABASE, "SPINA_EXHIBITION": "on"}, True),
    ],
)
def test_an_exhibition_is_held_where_a_newcomer_looks_around(environment: dict[str, str], expected: bool) -> None:  # noqa: FBT001  one of a table
    settings = read_settings(environment)

    assert settings.has_exhibition == expected


def test_an_empty_variable_counts_as_not_given() -> None:
    settings = read_settings({"SPINA_PORT": "", "SPINA_REDIS_URL": ""})

    assert settings == read_settings({})


@pytest.mark.parametrize(
    ("variable", "text", "expected"),
    [
        ("SPINA_PORT", "eighty", "SPINA_PORT: expected a whole number from 0 to 65535, found 'eighty'"),
        ("SPINA_PORT", "65536", "SPINA_PORT: expected a whole number from 0 to 65535, found '65536'"),
        ("SPINA_PORT", "80.5", "SPINA_PORT: expected a whole number from 0 to 65535, found '80.5'"),
        ("SPINA_LOG", "loud", "SPINA_LOG: expected debug, info, warning or error, found 'loud'"),
        ("SPINA_HOST", "a" * 254, f"SPINA_HOST: expected a host name or address to listen on, found '{'a' * 254}'"),
    ],
)
def test_a_wrong_value_is_refused_with_what_was_expected_and_found(variable: str, text: str, expected: str) -> None:
    complaint = complaint_about({variable: text})

    assert complaint == expected


@pytest.mark.parametrize("variable", ["SPINA_DATABASE_URL", "SPINA_OWNER_DATABASE_URL", "SPINA_REDIS_URL"])
def test_a_wrong_url_is_refused_without_being_shown(variable: str) -> None:
    complaint = complaint_about({"SPINA_DATABASE_URL": DATABASE, variable: "mysql://ada:hunter2@db.example"})

    assert complaint.startswith(f"{variable}: expected a URL that starts with")
    assert "hunter2" not in complaint


@pytest.mark.parametrize("variable", ["SPINA_DATABASE_URL", "SPINA_REPLICA_URLS", "SPINA_REDIS_URL"])
@pytest.mark.parametrize(
    "place", ["ada:hunter2#1@host/0", "ada:hunter2/1@host/0", "ada:hunter2?1@host/0", "ada:hunter2", "host:hunter2/0"]
)
def test_a_password_that_would_be_taken_for_a_port_is_refused_without_being_shown(variable: str, place: str) -> None:
    scheme = "redis" if "REDIS" in variable else "postgresql"

    complaint = complaint_about({"SPINA_DATABASE_URL": DATABASE, variable: f"{scheme}://{place}"})

    assert complaint.startswith(f"{variable}: expected ")
    assert complaint.endswith(f"found {len(scheme) + 3 + len(place)} characters that are not")


@pytest.mark.parametrize(
    "place", ["host", "ada:a%23b%2Fc%3Fd%40e+=~ü[@host:5432/0", "[::1]:5432/0?application_name=ada", "%2Frun%2Fpg/0"]
)
@pytest.mark.parametrize("scheme", ["postgresql", "redis"])
def test_every_other_password_and_address_may_be_given(scheme: str, place: str) -> None:
    variable = {"postgresql": "SPINA_DATABASE_URL", "redis": "SPINA_REDIS_URL"}[scheme]

    settings = read_settings({"SPINA_DATABASE_URL": DATABASE, variable: f"{scheme}://{place}"})

    assert f"{scheme}://{place}" in (settings.database_url, settings.redis_url)


@pytest.mark.parametrize("hosts", ["host=db1,db2", "user=ada&host=db1%2Cdb2"])
def test_several_nodes_are_named_before_the_database_alone(hosts: str) -> None:
    complaint = complaint_about({"SPINA_DATABASE_URL": f"postgresql:///spina?{hosts}"})

    assert complaint.startswith("SPINA_DATABASE_URL: expected a URL that starts with postgresql://, several hosts")


def test_a_socket_and_other_commas_may_stand_after_the_database() -> None:
    url = "postgresql:///spina?host=/run/postgresql&application_name=a,b"

    assert read_settings({"SPINA_DATABASE_URL": url}).database_url == url


def test_an_unknown_variable_is_refused_with_the_nearest_known_name() -> None:
    complaint = complaint_about({"SPINA_DATABSE_URL": DATABASE})

    assert complaint == "SPINA_DATABSE_URL: not a setting of Spina; did you mean SPINA_DATABASE_URL?"


def test_a_variable_in_the_wrong_case_is_unknown() -> None:
    complaint = complaint_about({"SPINA_port": "81"})

    assert complaint.endswith("did you mean SPINA_PORT?")


def test_a_name_like_none_is_refused_with_the_list_of_all() -> None:
    complaint = complaint_about({"SPINA_ZZZZZZ": "1"})

    assert all(variable_name(name) in complaint for name in Settings.__struct_fields__)


def test_all_complaints_are_told_at_once() -> None:
    with pytest.raises(SettingsRefused) as refused:
        read_settings({"SPINA_PORT": "x", "SPINA_LOG": "y", "SPINA_PROT": "1"})

    assert len(refused.value.complaints) == 3


def test_two_master_keys_are_refused_without_being_shown() -> None:
    complaint = complaint_about({"SPINA_MASTER_KEY": "spina-master-1:dead", "SPINA_MASTER_KEY_FILE": "/etc/spina.key"})

    assert complaint == "SPINA_MASTER_KEY and SPINA_MASTER_KEY_FILE: expected one of them, found both"


@pytest.mark.parametrize(
    ("variable", "url"), [("SPINA_REDIS_URL", "redis://cache"), ("SPINA_OWNER_DATABASE_URL", "postgresql://owner@db")]
)
def test_a_server_beside_embedded_ones_is_refused(variable: str, url: str) -> None:
    complaint = complaint_about({variable: url})

    assert complaint.startswith(f"{variable}: expected SPINA_DATABASE_URL beside it, found none")


@pytest.mark.parametrize(
    "url",
    [
        "http://mail.example?from=a@b.example",
        "smtps://ada:hunter2@mail.example",
        "smtps://ada:hunter2@?from=a@b.example",
        "smtps://ada:hunter2@mail.example:x?from=a@b.example",
        "smtps://ada:hunter2@mail.example?from=a@b",
        "smtps://ada:hunter2@mail.example?from=a b@b.example",
        "smtps://ada:hunter2@mail.example?from=a@b.example%0d%0aBcc:c@d.example",
    ],
)
def test_a_mail_server_needs_a_sender_and_is_not_shown(url: str) -> None:
    found = complaint_about({"SPINA_SMTP_URL": url, "SPINA_URL": "https://games.example"})

    assert found.startswith("SPINA_SMTP_URL: expected smtps://user:password@host:port?from=address, found")
    assert "hunter2" not in found


def test_a_mail_server_needs_the_address_of_the_pages() -> None:
    found = complaint_about({"SPINA_SMTP_URL": "smtps://ada:hunter2@mail.example?from=a@b.example"})

    assert found == "SPINA_SMTP_URL: expected SPINA_URL beside it, found none (links in mails begin with it)"


def test_settings_do_not_show_their_values() -> None:
    settings = read_settings({"SPINA_DATABASE_URL": DATABASE, "SPINA_MASTER_KEY": "spina-master-1:dead"})

    shown = f"{settings} {settings!r}"

    assert "hunter2" not in shown
    assert "dead" not in shown


def test_every_setting_says_what_it_expects_and_there_are_few() -> None:
    names = set(Settings.__struct_fields__)

    assert names == set(EXPECTED)
    assert len(names) <= 18


def test_the_token_of_whoever_asks_a_server_is_no_setting_of_one() -> None:
    assert read_settings({CLIENT_TOKEN: "hunter2"}) == read_settings({})
