"""The table of forgeries as docs/proof.md has it. Run this module to print it."""

from collections.abc import Iterable

from tests.domain.audit.forgery_table import FORGERIES
from tests.domain.audit.test_forgeries import SLIPS_THROUGH
from tests.domain.audit.test_ledger import FORGED_PROOFS


def build_rows() -> str:
    alone = {name for names in SLIPS_THROUGH.values() for name in names}
    rows = [_row(forgery.name, forgery.caught_by, is_alone=forgery.name in alone) for forgery in FORGERIES]
    rows += [_row(name, sorted(checks), is_alone=len(checks) == 1) for name, (_, checks) in FORGED_PROOFS.items()]
    return "\n".join(rows)


def _row(name: str, checks: Iterable[str], *, is_alone: bool) -> str:
    told = ", ".join(f"`{check}`" for check in checks) or "**nothing in the file**"
    return f"| {name} | {told} | {'yes' if is_alone else ''} |".replace("|  |", "| |")


if __name__ == "__main__":
    print(build_rows())  # noqa: T201  for the document
