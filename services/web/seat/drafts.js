// What a player has chosen for one decision and not sent: the tab keeps it, so that a reload forgets nothing.

const PLACE = "spina-draft";

// The draft of this decision, or null.
export function readDraft(decision) {
  const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  return kept?.decision === decision ? kept.draft : null;
}

export function keepDraft(decision, draft) {
  sessionStorage.setItem(PLACE, JSON.stringify({ decision, draft }));
}
