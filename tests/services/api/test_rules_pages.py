"""The rules as pages: documents without a rest of markup, rules under their numbers, links that lead somewhere."""

import re

import pytest

from services.api.pages.rules_pages import list_rules, render_rules

NAMES = sorted(list_rules())
ADDRESSES = re.compile(r'href="([^"]*)"')
IDS = re.compile(r' id="([^"]*)"')


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_rendered_whole(name: str) -> None:
    page = render_rules(name)

    text = re.sub(r"<[^>]*>", "", page)
    assert not re.search(r"\*\*|\]\(|^\s*[-#|] ", text, re.MULTILINE)
    assert page.count("<li ") + page.count("<li>") == page.count("</li>")


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_to_a_part_of_a_document(name: str) -> None:
    addresses = ADDRESSES.findall(render_rules(name))

    places = {f"/rules/{text}#{place}" for text in NAMES for place in IDS.findall(render_rules(text))}
    known = places | {f"/rules/{text}" for text in NAMES}
    assert {address if address.startswith("/") else f"/rules/{name}{address}" for address in addresses} - known == set()


def test_a_rule_can_be_linked_to_by_its_number() -> None:
    page = render_rules("charioteer")

    assert (
        '<li id="CH-36"><a class="number" href="#CH-36">CH-36</a> <p>A black move may start on an outer space' in page
    )
    assert '<a href="#CH-61">CH-61</a>' in page
    assert '<a href="/rules/all-games#XG-08">XG-08</a>' in page


def test_a_table_stands_inside_of_its_item() -> None:
    page = render_rules("chariotmaster")

    assert '<p>Speed tokens.</p><div class="scroll"><table><thead><tr><th scope="col">token</th>' in page
