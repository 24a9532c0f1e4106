"""Where a server is reached from its own machine, as everything that prints or asks an address spells it."""

# Addresses that mean "all of this machine" cannot be asked; the loopback stands for them.
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  nothing is bound here, the names are translated


def format_url(host: str, port: int) -> str:
    """Return the URL of a server that listens there."""
    host = WILDCARDS.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
