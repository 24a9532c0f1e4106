// What a player has chosen for one decision and not sent: the tab keeps it, so that a reload forgets nothing.

const PLACE = "spina-draft";

// The draft of this decision, or null. Ids of decisions are those of one game alone.
export function readDraft(game, decision) {
  const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  return kept?.game === game && kept.decision === decision ? kept.draft : null;
}

export function keepDraft(game, decision, draft) {
  sessionStorage.setItem(PLACE, JSON.stringify({ game, decision, draft }));
}
