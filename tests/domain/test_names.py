"""Names of accounts: surrounding space goes, and invisible characters are in none."""

import pytest

from domain.names import NAME_CHARS_MAX, NameRefused, read_name


@pytest.mark.parametrize(
    "name", ["Ada", "Ada of the Circus", "Zoë 7", "Ἀδριανός", "阿達", "عدى", "Ada 🏇", "a" * NAME_CHARS_MAX]
)
def test_a_name_that_everybody_can_see_is_kept_as_it_is(name: str) -> None:
    assert read_name(name) == name


@pytest.mark.parametrize("typed", [" Ada", "Ada  ", "\tAda\n", "\u00a0Ada\u3000"])
def test_the_space_around_a_name_goes(typed: str) -> None:
    assert read_name(typed) == "Ada"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", "found 0"),
        ("   ", "found 0"),
        ("a" * (NAME_CHARS_MAX + 1), "found 81"),
        ("a\nb", "U+000A"),
        ("a\u0000", "U+0000"),
        ("a\u0085b", "U+0085"),
        ("\u202eabc", "U+202E"),
        ("a\u2066b", "U+2066"),
        ("a\u200fb", "U+200F"),
        ("a\u200bb", "U+200B"),
        ("a\u200db", "U+200D"),
        ("\ufeffAda", "U+FEFF"),
        ("a\u00adb", "U+00AD"),
        ("a\u2028b", "U+2028"),
        ("\u3164", "U+3164"),
        ("\ud800", "U+D800"),
        ("a\U000e0041", "U+E0041"),
    ],
)
def test_what_is_not_seen_is_refused_and_named(typed: str, found: str) -> None:
    with pytest.raises(NameRefused, match=found.replace("+", r"\+")):
        read_name(typed)
