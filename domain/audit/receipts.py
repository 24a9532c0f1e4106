"""The ledger's receipts that the reader has, against the log: one that contradicts it convicts the operator."""

from domain.audit.case import AnyLog
from domain.audit.findings import Held, Result, Unchecked, broken
from domain.audit.ledger import NO_POLICY
from domain.audit.logged_once import is_overdue
from domain.ledger.receipt import LEDGER_DELAY_S, SignedReceipt, is_receipt_signed_by


def check_receipts(case: AnyLog) -> Result:
    """Check that the log has each line for which the ledger has signed, in order of versions."""
    if case.policy is None:
        return Unchecked(reason=NO_POLICY)
    own = sorted(
        (receipt for receipt in case.trust.receipts if receipt.stream == case.stream),
        key=lambda receipt: receipt.version,
    )
    results = [_check(case, receipt) for receipt in own]
    contradicted = next(
        (result for result in results if result is not None and not isinstance(result, Unchecked)), None
    )
    unchecked = next((result for result in results if result is not None), None)
    return contradicted or unchecked or Held(seen=f"{len(own)} receipts of this {case.kind.name}")


def _check(case: AnyLog, receipt: SignedReceipt) -> Result | None:
    assert case.policy is not None
    version = receipt.version
    keys = [log.key for log in case.policy.logs if log.key.name == receipt.ledger]
    if not any(is_receipt_signed_by(receipt, key.public_key.hex()) for key in keys):
        return Unchecked(reason=f"the receipt for line {version} is signed by no ledger that you trust")
    if version <= len(case.lines):
        found = case.lines[version - 1].hash
        if found == receipt.hash:
            return None
        return broken(version, expected=f"the line {receipt.hash}, for which {receipt.ledger} has signed", found=found)
    if case.disclosed is not None:
        return broken(
            len(case.lines), expected=f"line {version}, for which {receipt.ledger} has signed", found="the end"
        )
    return _find_withheld(case, receipt) or Unchecked(reason=f"{receipt.ledger} has signed for line {version} too")


def _find_withheld(case: AnyLog, receipt: SignedReceipt) -> Result | None:
    read = case.trust.read
    if read is None or read.unread or read.refusal or case.stream is None or not is_overdue(receipt.at, read):
        return None
    if len(read.leaves.get(case.stream, ())) >= receipt.version:
        return None
    expected = f"line {receipt.version} in the ledger, {LEDGER_DELAY_S} s after {receipt.at} at the latest"
    return broken(receipt.version, expected=expected, found="none")
