"""The words of rulesets from their files."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from domain.ruleset.kit import Kit
from domain.sentences.words import Words, complete_words, parse_words
from infra.components import read_components

FILE_NAME = "words.toml"


@cache
def read_game_words() -> Words:
    """Read the words of every game."""
    return parse_words(read_components(Path(str(files("domain.sentences"))) / "game.toml"))


@cache
def read_tournament_words() -> Words:
    """Read the words of every tournament."""
    return parse_words(read_components(Path(str(files("domain.sentences"))) / "tournament.toml"))


def read_words(kit: Kit) -> Words:
    """Read the words of a ruleset, completed by those of every game; a ruleset without a file has these alone."""
    path = Path(kit.folder) / FILE_NAME
    own = parse_words(read_components(path)) if path.exists() else Words()
    return complete_words(kit, own, read_game_words())
