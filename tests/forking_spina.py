"""A `spina` for scripts of a shell, which a fork server runs: written to a file, with the socket of the server.

Each command of a page would else start a Python and import the product anew.
"""

import socket
import sys
from pathlib import Path

PROGRAM = """\
#!{python} -IS
import json, os, socket, sys
ours, theirs = socket.socketpair()
start = dict(module="services.cli", arguments=sys.argv[1:], environment=dict(os.environ), folder=os.getcwd())
server = socket.socket(fileno={descriptor})
socket.send_fds(server, [json.dumps(start).encode()], [0, 1, 2, theirs.fileno()])
server.detach()
theirs.close()
_pid, code = ours.makefile().read().split()
sys.exit(int(code) % 256)
"""


def write_spina(file: Path, server: socket.socket) -> None:
    """Write the program; the shell that runs it inherits the socket under its number."""
    file.write_text(PROGRAM.format(python=sys.executable, descriptor=server.fileno()))
    file.chmod(0o700)
