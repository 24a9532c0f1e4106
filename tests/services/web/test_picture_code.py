"""The picture code of a link: the modules that another encoder draws for the same text."""

from hashlib import sha256

import pytest

from tests.services.web.node import run

DRAW = """
const { buildModules } = await import("./parts/picture_code.js");
const rows = buildModules(new TextEncoder().encode(given));
console.log(JSON.stringify(rows.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join("")).join("\\n")));
"""


# By the package `qrcode` 8: version 5, error correction L, mask 0, byte mode.
@pytest.mark.parametrize(
    ("text", "digest"),
    [
        (
            "http://127.0.0.1:8000/account#code=4k2mz-9xw3t-h7bqd-0vr6e",
            "f28366c10ec7d4a7d5fb4f49d179dfbc5f20ad428afbb73cf75277e0022de8b5",
        ),
        ("x", "a3b317de9dd90e55fbed4218e560156e69819d8f5a1abec448e61b40eea09f04"),
        ("a" * 106, "e93c6497da2ee5869c7a34eda681b5a47d6d0bc07b6a1690fff446dc14ea081f"),
    ],
)
def test_a_text_has_the_modules_of_another_encoder(text: str, digest: str) -> None:
    modules = run(DRAW, text)

    assert sha256(modules.encode()).hexdigest() == digest
