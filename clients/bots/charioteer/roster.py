"""The bots of this game by name."""

from clients.bots.charioteer.choices import Choose
from clients.bots.charioteer.longest_move import choose_longest_move
from clients.bots.charioteer.random_legal import choose_random_legal
from clients.bots.charioteer.strategic import choose_strategic

BOTS: dict[str, Choose] = {
    "random": choose_random_legal,
    "longest": choose_longest_move,
    "strategic": choose_strategic,
}
