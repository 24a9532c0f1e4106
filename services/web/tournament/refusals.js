// Refusals to an entrant in words; any other error in its own.

const PREFIX = "urn:spina:problem:";
const SAID = {
  "check-in-too-late":
    "You are too late: the time to check in for this round is over. You can check in for the next one.",
  "no-check-in": "You are too late: this round is drawn. You can check in for the next one.",
  "not-expected": "You are checked in already, or you do not play in this round.",
  "invitation-unfit": "This link is not good any more: ask the organiser for a new one.",
  "calls-exhausted": "You have called already: the organiser will answer.",
  "code-unfit": "This is no code of this tournament, or another has used it.",
  "entrant-left": "You have left this tournament.",
  "entries-closed": "Entries are closed.",
  "tournament-full": "The tournament is full.",
  "already-entered": "This account has entered already.",
  "tournament-over": "The tournament is over.",
  "seat-of-another": "Another account was drawn for this seat, or you entered with another browser.",
  "already-started": "You are too late: this game has begun without you.",
  "game-over": "You are too late: the table goes on without you.",
};

export function tellRefusal(error) {
  return SAID[error.type?.replace(PREFIX, "")] ?? error.message;
}
