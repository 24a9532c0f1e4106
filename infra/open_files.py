"""How many files and sockets this process may have open. Raised once, at a start, as far as the machine lets it.

Most accounts begin with 1,024 and may have far more: the small number is for programs that ask with `select`.
"""

import resource

# The connections that a server takes at most (CONNECTIONS_MAX), and as many again for its files.
OPEN_FILES_WANTED = 16_384


def count_reachable(soft: int, hard: int) -> int:
    """Return the limit that a start would reach from these two."""
    wanted = OPEN_FILES_WANTED if hard == resource.RLIM_INFINITY else min(OPEN_FILES_WANTED, hard)
    return soft if soft == resource.RLIM_INFINITY else max(soft, wanted)


def read_reachable() -> int:
    """Return the limit that a start of this account would reach."""
    return count_reachable(*resource.getrlimit(resource.RLIMIT_NOFILE))


def raise_limit() -> None:
    """Let this process and its children open as many files as they may need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (count_reachable(soft, hard), hard))
