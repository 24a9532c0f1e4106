"""One audit as a process of its own: `python -m services.audits.auditor` reads a bundle and prints its findings.

A hostile log meets no secret, no connection and no other request in it; it ends with its input.
"""

import os
import sys

import msgspec

from domain.audit.case import Trust
from domain.ledger.policy_file import parse_policy
from domain.rulesets.released import Rebuilder
from services.audits.audit import audit_bytes
from services.audits.report import FileReport, report_file

# Example of the input, for a policy of 90 bytes: the number and a newline, the policy, and then the bundle.

NICENESS = 10


def encode_task(bundle: bytes, *, policy: bytes) -> bytes:
    return b"%d\n%b%b" % (len(policy), policy, bundle)


def run_task(task: bytes, *, name: str) -> FileReport:
    """Audit a bundle by the policy before it; an empty one trusts no key."""
    size, _, rest = task.partition(b"\n")
    policy, raw = rest[: int(size)], rest[int(size) :]
    trust = Trust(policy=parse_policy(policy) if policy else None)
    return report_file(audit_bytes(raw, name=name, trust=trust, rebuilder=Rebuilder()))


if __name__ == "__main__":
    # Players go first.
    os.nice(NICENESS)
    sys.stdout.buffer.write(msgspec.json.encode(run_task(sys.stdin.buffer.read(), name=sys.argv[1])))
