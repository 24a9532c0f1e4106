"""The shipped example of a node under Patroni, and what the simulation makes of it."""

from pathlib import Path

import yaml  # type: ignore[import-untyped]  # it comes with Litestar, without types

from simulate.cluster.nodes import EXAMPLE, NodePlace
from simulate.cluster.running import PASSWORDS


def test_the_example_keeps_every_acknowledged_commit_and_patronis_own_rules() -> None:
    shared = yaml.safe_load(EXAMPLE.read_text())["bootstrap"]["dcs"]

    assert (shared["synchronous_mode"], shared["synchronous_mode_strict"]) == ("quorum", True)
    assert shared["loop_wait"] + 2 * shared["retry_timeout"] <= shared["ttl"]


def test_patronis_own_api_obeys_a_login_from_the_machines_of_the_cluster_alone() -> None:
    api = yaml.safe_load(EXAMPLE.read_text())["restapi"]

    assert api["authentication"] == {"username": "patroni", "password": "REST_PASSWORD"}
    assert api["allowlist"] == ["10.0.0.0/24"]


def test_a_simulated_node_is_the_example_with_places_and_passwords_of_its_own(tmp_path: Path) -> None:
    place = NodePlace(folder=tmp_path / "db2", postgres_port=20_001, rest_port=20_002, etcd_port=20_003)

    text = place.configure({name: f"own-{name.lower()}" for name in PASSWORDS})
    found, example = yaml.safe_load(text), yaml.safe_load(EXAMPLE.read_text())

    assert (found["name"], found["postgresql"]["listen"]) == ("db2", "127.0.0.1:20001")
    assert not [name for name in ("10.0.0.", "/var/lib", *PASSWORDS) if name in str(found)]
    changed = ("name", "restapi", "etcd3", "bootstrap", "postgresql", "watchdog")
    assert {name: kept for name, kept in found.items() if name not in changed} == {"scope": example["scope"]}
    parameters = found["bootstrap"]["dcs"]["postgresql"].pop("parameters")
    assert example["bootstrap"]["dcs"]["postgresql"].pop("parameters").keys() < parameters.keys()
    assert found["bootstrap"] == example["bootstrap"]
