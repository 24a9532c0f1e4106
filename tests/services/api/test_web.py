"""The pages as served: the right types, a policy that lets in nothing from elsewhere, and only their own files."""

import re
from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from services.api.app import build_app
from services.api.pages.web import read_web_files
from tests.services.api.server import PROBES, memory_parts

Client = TestClient[Litestar]
ANY_ID = "0199c0de-0000-7000-8000-000000000001"
PAGES = (
    "/",
    "/account",
    "/courses",
    "/verify",
    f"/games/{ANY_ID}",
    f"/embed/games/{ANY_ID}",
    "/tournaments",
    "/tournaments/new",
    f"/tournaments/{ANY_ID}",
    f"/tournaments/{ANY_ID}/organise",
    f"/players/{ANY_ID}",
    "/rules/charioteer",
    "/rules/chariot-race",
    "/rules/chariotmaster",
    "/rules/all-games",
)
TYPES = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Ask for files alone: no test leaves a trace."""
    with TestClient(build_app(probes=PROBES, parts=memory_parts())) as client:
        yield client


def test_every_page_leads_to_the_same_places(client: Client) -> None:
    navigations = {re.findall(r"<nav .*?</nav>", client.get(page).text, re.DOTALL)[0] for page in PAGES}

    (navigation,) = navigations
    expected = ["/tournaments", "/", "/rules/all-games", "/account", "/verify", "/v1/docs"]
    assert re.findall('href="([^"]*)"', navigation) == expected


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_only_what_this_server_serves(client: Client, page: str) -> None:
    answer = client.get(page)

    # The lists of games and tournaments are links for people, and need a database.
    addresses = {match_.partition("#")[0] for match_ in re.findall(r'(?:src|href)="([^"]*)"', answer.text)}
    named = addresses - {"", "/v1/games", "/v1/tournaments"}
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "//" not in answer.text
    assert {name: client.get(name).status_code for name in named} == dict.fromkeys(named, 200)


@pytest.mark.parametrize("page", [*PAGES, "/web/game/game.js", "/web/page.css"])
def test_the_policy_lets_in_nothing_from_elsewhere_and_nothing_written_into_the_page(client: Client, page: str) -> None:
    policy = client.get(page).headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "trusted-types spina-worker" in policy
    assert not re.search(r"unsafe|http|\*|data:|blob:", policy)


@pytest.mark.parametrize("name", sorted(read_web_files()))
def test_a_file_has_its_type_and_may_not_be_taken_for_another(client: Client, name: str) -> None:
    answer = client.get(f"/web/{name}")

    found = answer.headers["content-type"]
    assert answer.status_code == 200
    assert found.partition(";")[0] == TYPES[name.rpartition(".")[2]]
    assert found.count("charset") <= 1
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("address", [*PAGES, "/web/game/game.js"])
def test_what_a_browser_has_is_not_sent_again_and_keeps_its_policy(client: Client, address: str) -> None:
    first = client.get(address)

    again = client.get(address, headers={"if-none-match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")
    # Browsers put a 304's headers in the place of those they kept.
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]


def test_a_changed_file_has_another_tag() -> None:
    tags = [file.tag for file in read_web_files().values()]

    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize(
    "name",
    [
        "../api/web.py",
        "..%2fapi%2fweb.py",
        "%2e%2e/api/web.py",
        "charioteer/../../api/web.py",
        "charioteer/..%2f..%2fapi%2fweb.py",
        "__init__.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "game.js%00.css",
        "GAME.JS",
        "charioteer",
        "",
    ],
)
def test_nothing_but_a_file_of_the_pages_can_be_had(client: Client, name: str) -> None:
    answer = client.get(f"/web/{name}")

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert b"import" not in answer.content


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize("address", ["/nope", "/v1/nope", "/web/nope.js", "/games"])
def test_a_browser_at_an_unknown_address_gets_a_page_that_leads_to_the_lobby(client: Client, address: str) -> None:
    answer = client.get(address, headers={"accept": BROWSER})

    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert 'href="/"' in answer.text
    assert answer.headers["content-security-policy"] == client.get("/").headers["content-security-policy"]


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html;q=0.5", ""])
def test_a_program_at_an_unknown_address_gets_a_problem(client: Client, accept: str) -> None:
    answer = client.get("/nope", headers={"accept": accept})

    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_whoever_sends_something_to_an_unknown_address_gets_a_problem(client: Client) -> None:
    answer = client.post("/nope", headers={"accept": BROWSER}, json={})

    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
