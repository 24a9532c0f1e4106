"""Names of accounts: surrounding space goes, and invisible characters are in none."""

import pytest

from domain.house import HOUSE_NAMES
from domain.names import HOUSE_KEY, NAME_CHARS_MAX, NameRefused, build_name_key, read_name, read_player_name


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


@pytest.mark.parametrize(
    "alike",
    ["ada", "A d a", "\u00c1d\u00e1", "\u0410da", "\uff21\uff24\uff21", "A.D.A.", "\U0001d400da", "\u03b1d\u03b1"],
    ids=ascii,
)
def test_names_that_look_alike_have_one_key(alike: str) -> None:
    assert build_name_key(alike) == build_name_key("Ada")


@pytest.mark.parametrize(("one", "other"), [("Ida", "lda"), ("Bo1o", "BoIo"), ("Bob", "B0b"), ("Otto", "0tt0")])
def test_digits_and_letters_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert build_name_key(one) == build_name_key(other)


def test_names_of_other_scripts_and_of_signs_are_told_apart() -> None:
    names = ("Ada", "Eda", "\u5f20\u4f1f", "\u674e\u5a1c", "\u0645\u062d\u0645\u062f", "!!!", "???")

    assert len({build_name_key(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", [*HOUSE_NAMES, "Ada (House Bot)", "\u0410da house\u2010b\u043et", "HouseBot"])
def test_the_names_of_house_bots_are_the_houses(name: str) -> None:
    with pytest.raises(NameRefused):
        read_player_name(name)


@pytest.mark.parametrize("name", ["Ada (bot)", "Ada [ BOT ]", "Ada bot", "\u0410da_b\u043et!", "Ada (b0t)", "Ada (bot"])
def test_the_last_word_of_declared_bots_is_theirs(name: str) -> None:
    with pytest.raises(NameRefused, match="bot"):
        read_player_name(name)


@pytest.mark.parametrize("name", ["Talbot", "Bot", "Bot of Ada", "Abbott"])
def test_a_name_that_merely_sounds_like_a_bot_is_kept(name: str) -> None:
    assert read_player_name(name) == name


@pytest.mark.parametrize("name", ["Ada #2", "Ada \uff032", "#"])
def test_the_sign_before_a_number_stands_in_no_name(name: str) -> None:
    with pytest.raises(NameRefused):
        read_player_name(name)


def test_the_key_of_every_house_name_is_reserved() -> None:
    assert all(HOUSE_KEY in build_name_key(name) for name in HOUSE_NAMES)
