"""The characters of names and reasons: those that every table shows whole and in their place."""

import re
import unicodedata

# Long enough for a team with its club and town; it is shown in tables.
NAME_CHARS_MAX = 80
# Cc and Cf: control characters, and invisible or bidirectional ones. Zl and Zp end a line. Cs is half a character; Cn
# and Co have no common meaning.
_UNSHOWN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# Letters and signs by their category, and blank wherever they are shown.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


# Stands between a name and its number, and so in no name.
NUMBER_SIGN = "#"
# Names of house bots end so.
HOUSE_KEY = "housebot"
# Names of declared bots end in this word, in brackets; the database adds it.
_BOT_WORD = re.compile(r"[\W_]bot[\W_]*$")
# Letters of other scripts, and digits, that look like a Latin letter. A name key need not be read by people.
_LOOKALIKES = str.maketrans(
    "авеікмнорстухѕјԁһαβεικμνορτυχωγօսı1|0",  # noqa: RUF001  that is the point of them
    "abelkmhopctyxsjdhabelkuvoptuxwyoulllo",
)


class NameRefused(Exception):
    """Nothing can be called that, or stated so."""


def read_name(typed: str) -> str:
    """Return a name without the space around it. Raises NameRefused with the reason."""
    name = typed.strip()
    require_shown(name)
    if not 1 <= len(name) <= NAME_CHARS_MAX:
        raise NameRefused(f"expected a name of 1 to {NAME_CHARS_MAX} characters in one line, found {len(name)}")
    return name


def read_player_name(typed: str) -> str:
    """Return a name that a player may choose. Raises NameRefused with the reason."""
    name = read_name(typed)
    if NUMBER_SIGN in unicodedata.normalize("NFKC", name):
        raise NameRefused(f"expected a name without {NUMBER_SIGN}, which stands before the number of a name")
    if HOUSE_KEY in build_name_key(name):
        raise NameRefused("expected a name that is not a house bot's")
    if _BOT_WORD.search(_fold(name)):
        raise NameRefused("expected a name that does not end in the word bot, as those of declared bots do")
    return name


def build_name_key(name: str) -> str:
    """Return the same key for names that look alike: without case, accents, spaces and signs, and in one script."""
    letters = "".join(character for character in _fold(name) if character.isalnum()).replace("i", "l")
    return letters or name


def _fold(name: str) -> str:
    """Return a name without case and accents, and in one script."""
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold()).translate(_LOOKALIKES)


def require_shown(text: str) -> None:
    """Refuse space around it, and invisible or bidirectional control characters, by raising NameRefused."""
    if text != text.strip():
        raise NameRefused("expected text without space around it")
    for character in text:
        if unicodedata.category(character) in _UNSHOWN or character in _BLANK:
            raise NameRefused(f"expected characters that are shown, found U+{ord(character):04X} in it")
