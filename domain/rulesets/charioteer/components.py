"""The box: components checked against each other and indexed for play. A broken file is refused with the path."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from domain.canonical import Json
from domain.rulesets.charioteer.cards import (
    COLOURS,
    Colour,
    Face,
    Symbol,
    TokenType,
    UnknownWord,
    build_symbol,
    name_token,
    parse_face,
)
from domain.rulesets.charioteer.component_file import SEAT_COUNTS, ComponentFile, NumbersTable, TokenRow, TrackTable
from domain.rulesets.charioteer.options import DISRUPT_READINGS
from domain.rulesets.charioteer.skills import EmperorFace, SkillsTrack
from domain.rulesets.charioteer.track import Space, Track

# Cards on the crowd track: the card of this turn and of the next two.
CROWD_SLOTS = 3


class BrokenComponents(ValueError):
    """The file cannot be a box of this game."""

    def __init__(self, *, path: str, expected: str, found: str) -> None:
        self.path = path
        self.expected = expected
        self.found = found
        super().__init__(f"{path}: expected {expected}, found {found}")


class Numbers(Struct, frozen=True, kw_only=True):
    hand_size: int
    hand_cards_max: int
    matching_cards_min: int
    fan_symbols_min: int
    attack_boxes: int
    minor_attack_cards: int
    minor_attack_cubes: int
    major_attack_cards: int
    major_attack_cubes: int
    whip_steps: int
    wild_symbols: int


class Components(Struct, frozen=True, kw_only=True):
    """`deck` and `bag` list a face or token type, by index, for every card and fan token of the box."""

    numbers: Numbers
    emperor_die: tuple[EmperorFace, ...]
    disrupt: dict[str, tuple[int, ...]]
    skills_track: SkillsTrack
    skills_orders: tuple[tuple[Colour, ...], ...]
    symbols: tuple[Symbol, ...]
    symbol_places: dict[str, int]
    faces: tuple[Face, ...]
    face_places: dict[str, int]
    deck: tuple[int, ...]
    tokens: tuple[TokenType, ...]
    token_places: dict[str, int]
    player_tokens: tuple[int, ...]
    bag: tuple[int, ...]
    track: Track
    start_progress: int


def build_components(data: Json) -> Components:
    """Check and index the data of a file; raises BrokenComponents."""
    file = _decode(data)
    symbols = tuple(build_symbol(index, row.colour, row.number) for index, row in enumerate(file.symbols))
    _check_distinct("symbols", (symbol.name for symbol in symbols))
    texts = [text for row in file.cards for text in row.faces]
    _check_faces(file, symbols)
    _check_deck(file, len(texts))
    faces = tuple(parse_face(text, symbols) for text in dict.fromkeys(texts))
    face_places = {face.text: index for index, face in enumerate(faces)}
    tokens = tuple(_build_token(index, row) for index, row in enumerate(file.tokens))
    _check_distinct("tokens", (token.name for token in tokens))
    _check_track(file.track)
    return Components(
        numbers=_build_numbers(file.numbers),
        emperor_die=file.emperor_die.faces,
        disrupt=_build_disrupt(file),
        skills_track=_build_skills_track(file),
        skills_orders=_build_orders(file),
        symbols=symbols,
        symbol_places={symbol.name: symbol.index for symbol in symbols},
        faces=faces,
        face_places=face_places,
        deck=tuple(face_places[text] for text in texts),
        tokens=tokens,
        token_places={token.name: token.index for token in tokens},
        player_tokens=tuple(index for index, row in enumerate(file.tokens) if row.per_player),
        bag=tuple(index for index, row in enumerate(file.tokens) for _ in range(row.in_bag)),
        track=_build_track(file.track),
        start_progress=-file.track.start_before_line.value,
    )


def _decode(data: Json) -> ComponentFile:
    try:
        return msgspec.convert(data, type=ComponentFile)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        path = path.rstrip("`").lstrip(".") or "the file"
        raise BrokenComponents(path=path, expected="a value of the right shape", found=problem) from error


def _build_numbers(table: NumbersTable) -> Numbers:
    if table.matching_cards_min.value > table.hand_cards_max.value:
        found = f"{table.matching_cards_min.value} of {table.hand_cards_max.value}"
        raise BrokenComponents(path="numbers.matching_cards_min", expected="at most hand_cards_max", found=found)
    return Numbers(**{field: getattr(table, field).value for field in table.__struct_fields__})


def _build_disrupt(file: ComponentFile) -> dict[str, tuple[int, ...]]:
    rows = {row.name: row.cubes for row in file.disrupt}
    if tuple(rows) != DISRUPT_READINGS:
        expected = f"the rows {', '.join(DISRUPT_READINGS)}"
        raise BrokenComponents(path="disrupt", expected=expected, found=", ".join(rows))
    return rows


def _build_skills_track(file: ComponentFile) -> SkillsTrack:
    table = file.skills_track
    for path, found in (("start_spaces", table.start_spaces.value), ("box_bonuses", len(table.box_bonuses.value))):
        if found != len(COLOURS):
            expected = f"{len(COLOURS)}, one for each marker"
            raise BrokenComponents(path=f"skills_track.{path}", expected=expected, found=str(found))
    return SkillsTrack(
        start_spaces=table.start_spaces.value,
        start_bonus=table.start_bonus.value,
        middle_spaces=table.middle_spaces.value,
        middle_bonus=table.middle_bonus.value,
        box_bonuses=table.box_bonuses.value,
    )


def _build_orders(file: ComponentFile) -> tuple[tuple[Colour, ...], ...]:
    orders = []
    for place, text in enumerate(file.skills_cards.orders):
        words = text.split(" ")
        if sorted(words) != sorted(COLOURS):
            path = f"skills_cards.orders[{place}]"
            raise BrokenComponents(path=path, expected="each colour once", found=text)
        orders.append(tuple(COLOURS[COLOURS.index(word)] for word in words))
    if len(orders) < SEAT_COUNTS[-1]:
        expected = f"a card for each of {SEAT_COUNTS[-1]} seats"
        raise BrokenComponents(path="skills_cards.orders", expected=expected, found=str(len(orders)))
    return tuple(orders)


def _check_faces(file: ComponentFile, symbols: tuple[Symbol, ...]) -> None:
    for row_place, row in enumerate(file.cards):
        for place, text in enumerate(row.faces):
            try:
                parse_face(text, symbols)
            except UnknownWord as error:
                path = f"cards[{row_place}].faces[{place}]"
                raise BrokenComponents(path=path, expected="symbols of this box and one icon", found=text) from error


def _check_deck(file: ComponentFile, cards: int) -> None:
    """CH-81: while hands and crowd are full, a card must be left somewhere, so that drawing never fails."""
    needed = file.numbers.hand_size.value * SEAT_COUNTS[-1] + CROWD_SLOTS
    if cards < needed:
        raise BrokenComponents(path="cards", expected=f"at least {needed} cards", found=str(cards))


def _build_token(index: int, row: TokenRow) -> TokenType:
    has_amount = row.icon in ("plus", "discard")
    if has_amount != (row.amount > 0):
        expected = "an amount" if has_amount else "no amount"
        raise BrokenComponents(path=f"tokens[{index}].amount", expected=expected, found=str(row.amount))
    if row.icon in ("wild", "learning", "plus") and row.colour == "any":
        raise BrokenComponents(path=f"tokens[{index}].colour", expected="one colour", found=row.colour)
    colour = None if row.colour == "any" else row.colour
    name = name_token(row.icon, amount=row.amount, colour=colour)
    return TokenType(index=index, name=name, icon=row.icon, amount=row.amount, colour=colour, rank=row.rank)


def _build_track(table: TrackTable) -> Track:
    spaces = tuple(Space(kind=row.kind, corners=row.corners) for row in table.spaces)
    start = -table.start_before_line.value % len(spaces)
    return Track(width=table.width, height=table.height, spaces=spaces, start=start)


def _check_track(table: TrackTable) -> None:
    """CH-35: outer spaces lie between regular ones; the line and Start are on the straight."""
    size = len(table.spaces)
    for place, row in enumerate(table.spaces):
        if row.kind == "outer" and table.spaces[(place + 1) % size].kind == "outer":
            path = f"track.spaces[{place}].kind"
            raise BrokenComponents(path=path, expected="a regular space after an outer one", found="two outer spaces")
        for x, y in row.corners:
            if not (0 <= x <= table.width and 0 <= y <= table.height):
                expected = f"points within {table.width} x {table.height}"
                raise BrokenComponents(path=f"track.spaces[{place}].corners", expected=expected, found=f"{x}, {y}")
    for place in range(-table.start_before_line.value, 1):
        if table.start_before_line.value >= size or table.spaces[place].kind == "outer":
            path = "track.start_before_line"
            raise BrokenComponents(path=path, expected="regular spaces from Start to the line", found="an outer space")


def _check_distinct(path: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name in seen:
            raise BrokenComponents(path=f"{path}[{place}]", expected="each once", found=f"{name} again")
        seen.add(name)
