"""The plot of a practice as SVG: the share of games won so far, within its interval, over the games."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from services.practice.interval import Interval, find_interval

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 36, 36
# More points than pixels would show nothing more.
POINTS_MAX = 300
TEXT = 'font-family="sans-serif" font-size="12" fill="#333"'


def draw_plot(won: Sequence[bool], *, title: str) -> str:
    """Draw the plot of games in their order; there must be at least one."""
    points = list(_sample(won))
    upper = [(count, interval.high) for count, interval in points]
    lower = [(count, interval.low) for count, interval in reversed(points)]
    shares = [(count, interval.share) for count, interval in points]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" {TEXT} font-weight="bold">{escape(title)}</text>',
        *_draw_axes(len(won)),
        f'<polygon points="{_place((*upper, *lower), len(won))}" fill="#c9a35c" fill-opacity="0.35"/>',
        f'<polyline points="{_place(shares, len(won))}" fill="none" stroke="#8a1c1c" stroke-width="2"/>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _sample(won: Sequence[bool]) -> Iterator[tuple[int, Interval]]:
    step, count = max(1, len(won) // POINTS_MAX), 0
    for number, is_won in enumerate(won, 1):
        count += is_won
        if number % step == 0 or number == len(won):
            yield number, find_interval(count, number)


def _draw_axes(games: int) -> Iterator[str]:
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        yield f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4}" {TEXT} text-anchor="end">{percent} %</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" {TEXT} text-anchor="end">{games} games</text>'


def _place(points: Iterable[tuple[int, float]], games: int) -> str:
    wide = WIDTH - LEFT - RIGHT
    return " ".join(f"{LEFT + count * wide / games:.1f},{_y(share)}" for count, share in points)


def _y(share: float) -> float:
    return round(TOP + (1 - share) * (HEIGHT - TOP - BOTTOM), 1)
