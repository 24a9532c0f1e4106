"""The browser's verifier distinguishes a bundle of another edition of the format from a damaged one."""

import base64

import pytest

from domain.audit.archive import Member, format_archive
from tests.services.web.node import run

READ = """
const { UnknownFormat, parseBundle } = await import("./verify/archive.js");
const { fromBase64 } = await import("./verify/bytes.js");
try {
  parseBundle(fromBase64(given));
} catch (error) {
  console.log(JSON.stringify([error instanceof UnknownFormat, error.message]));
}
"""


@pytest.mark.parametrize(("edition", "is_unknown"), [("v2", True), ("v01", False)])
def test_another_edition_is_refused_as_what_it_is(edition: str, is_unknown: bool) -> None:  # noqa: FBT001  a parameter
    raw = format_archive([Member(name="format", body=f"spina/bundle/{edition}\n".encode())])

    found, message = run(READ, base64.b64encode(raw).decode())

    assert found == is_unknown
    assert message == f'expected the format spina/bundle/v1, found "spina/bundle/{edition}"'
