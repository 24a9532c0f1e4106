"""The picture code of a link: the modules that another encoder draws for the same text."""

from hashlib import sha256

import pytest

from tests.services.web.node import run

DRAW = """
const { buildModules } = await import("./parts/picture_code.js");
const rows = buildModules(new TextEncoder().encode(given));
console.log(JSON.stringify(rows.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join("")).join("\\n")));
"""


# By the package `qrcode` 8: versions 5, 10, 15 and 20, error correction L, mask 0, byte mode.
@pytest.mark.parametrize(
    ("text", "digest"),
    [
        (
            "http://127.0.0.1:8000/account#code=4k2mz-9xw3t-h7bqd-0vr6e",
            "f28366c10ec7d4a7d5fb4f49d179dfbc5f20ad428afbb73cf75277e0022de8b5",
        ),
        ("x", "a3b317de9dd90e55fbed4218e560156e69819d8f5a1abec448e61b40eea09f04"),
        ("a" * 106, "e93c6497da2ee5869c7a34eda681b5a47d6d0bc07b6a1690fff446dc14ea081f"),
        ("a" * 107, "4d84521258e939691c16398b4f0b0a4f5e34b7308f9ab37b14ea5f118794dc36"),
        ("ab" * 135, "c7d64fc10f0d67c2348e2d906f6ee6c29efbc0f25116a0d28e15a8d35b9974af"),
        ("x" * 272, "02fde153579a910c031f6c8116d0aee6c418a7f572c2cc2749eec7fd67f8aab4"),
        (
            "https://games.example.org/account#code=4k2mz&seats=" + "Qz9-_" * 80,
            "df847f8c5393de3635e7d6786b30ad57d1dd207103644780da2543c85a1361c5",
        ),
        ("y" * 521, "5fe51a2900e993835836e77441dc98a0a30456510b483eb16b32cadd056d4734"),
        ("z" * 858, "64077a42afed630bbfba00a3667eb2bbf7a0645a514074860b092e5a5ac792c5"),
    ],
)
def test_a_text_has_the_modules_of_another_encoder(text: str, digest: str) -> None:
    modules = run(DRAW, text)

    assert sha256(modules.encode()).hexdigest() == digest
