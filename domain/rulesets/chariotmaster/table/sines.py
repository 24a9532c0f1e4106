"""Sines of whole degrees as integers, and directions made of them. No float ever enters a position.

Every rounding that could lengthen a way goes towards zero, so that no way is longer than was asked.
"""

# One micrometre in the fine unit in which corners and contacts are worked out. A billion: products of a table value and
# a length stay exact, and the table's own error is below a hundredth of a micrometre on two metres of track.
FINE = 1_000_000_000

FULL_TURN = 360
QUARTER_TURN = 90
HALF_TURN = 180

# sin(d) times FINE, fraction dropped, for d = 0 … 90. Computed with the sine's series in fractions of whole numbers
# (π by Machin's formula); a test works all of them out again, in another way, and compares.
_QUARTER_SINES = (
    *(0, 17452406, 34899496, 52335956, 69756473, 87155742, 104528463, 121869343, 139173100, 156434465),
    *(173648177, 190808995, 207911690, 224951054, 241921895, 258819045, 275637355, 292371704, 309016994, 325568154),
    *(342020143, 358367949, 374606593, 390731128, 406736643, 422618261, 438371146, 453990499, 469471562, 484809620),
    *(500000000, 515038074, 529919264, 544639035, 559192903, 573576436, 587785252, 601815023, 615661475, 629320391),
    *(642787609, 656059028, 669130606, 681998360, 694658370, 707106781, 719339800, 731353701, 743144825, 754709580),
    *(766044443, 777145961, 788010753, 798635510, 809016994, 819152044, 829037572, 838670567, 848048096, 857167300),
    *(866025403, 874619707, 882947592, 891006524, 898794046, 906307787, 913545457, 920504853, 927183854, 933580426),
    *(939692620, 945518575, 951056516, 956304755, 961261695, 965925826, 970295726, 974370064, 978147600, 981627183),
    *(984807753, 987688340, 990268068, 992546151, 994521895, 996194698, 997564050, 998629534, 999390827, 999847695),
    1000000000,
)

Vector = tuple[int, int]


def sine(degrees: int) -> int:
    """Return the sine of a whole number of degrees, times FINE, rounded towards zero."""
    angle = degrees % FULL_TURN
    if angle > HALF_TURN:
        return -sine(angle - HALF_TURN)
    return _QUARTER_SINES[angle if angle <= QUARTER_TURN else HALF_TURN - angle]


_DIRECTIONS = tuple((sine(degrees + QUARTER_TURN), sine(degrees)) for degrees in range(FULL_TURN))


def direction(heading: int) -> Vector:
    """Return the way one micrometre ahead leads, in fine units. Headings count counter-clockwise from the x axis."""
    return _DIRECTIONS[heading % FULL_TURN]


def turned(vector: Vector, degrees: int) -> Vector:
    """Turn a vector counter-clockwise about the origin; the result is FINE times longer."""
    cos, sin = direction(degrees)
    return vector[0] * cos - vector[1] * sin, vector[0] * sin + vector[1] * cos


def nearest(value: int, unit: int) -> int:
    """Divide, to the nearest whole number, halves away from zero: the nearest of -x is minus that of x."""
    half_up = (2 * abs(value) + unit) // (2 * unit)
    return half_up if value >= 0 else -half_up


def towards_zero(value: int, unit: int) -> int:
    """Divide and drop the fraction."""
    return value // unit if value >= 0 else -(-value // unit)


def smallest_turn(start: int, end: int) -> int:
    """Return the turn that leads from one heading to another, from -179 to 180: left is positive."""
    turn = (end - start) % FULL_TURN
    return turn if turn <= HALF_TURN else turn - FULL_TURN
