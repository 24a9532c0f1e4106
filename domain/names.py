"""What names and reasons may be written with: what a line of any table shows, whole and in its place, to all."""

import unicodedata

# Long enough for a team with its club and town; it is shown in tables.
NAME_CHARS_MAX = 80
# Cc and Cf: controls, and what is never seen or turns the text around it about, such as the bidi and zero-width
# characters. Zl and Zp end a line. Cs is half a character, Cn and Co mean nothing to others.
_UNSHOWN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# Letters and signs by their category, and blank wherever they are shown.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


class NameRefused(Exception):
    """Nothing can be called that, or said so."""


def read_name(typed: str) -> str:
    """Return a name without the space around it. Raises NameRefused, which says what is wrong."""
    name = typed.strip()
    require_shown(name)
    if not 1 <= len(name) <= NAME_CHARS_MAX:
        raise NameRefused(f"expected a name of 1 to {NAME_CHARS_MAX} characters in one line, found {len(name)}")
    return name


def require_shown(text: str) -> None:
    """Refuse space around it, and characters that nobody sees or that turn others about, by raising NameRefused."""
    if text != text.strip():
        raise NameRefused("expected text without space around it")
    for character in text:
        if unicodedata.category(character) in _UNSHOWN or character in _BLANK:
            raise NameRefused(f"expected characters that are shown, found U+{ord(character):04X} in it")
