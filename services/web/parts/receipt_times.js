// The times of receipts against the clock of this device: a server that stamps lines ahead lets clocks run out early.

// As far as a witness allows a line to be (docs/proof.md, section 10, `times`).
const APART_MS = 5_000;

// Notifies the page of a receipt whose line is later than now. How early it may be is unknown of a command sent again.
export function judgeReceipt(receipt, now = Date.now()) {
  const ahead = receipt ? Date.parse(receipt.at) - now : 0;
  if (ahead <= APART_MS) return;
  document.dispatchEvent(new CustomEvent("receipt-ahead", { detail: Math.round(ahead / 1000) }));
}
