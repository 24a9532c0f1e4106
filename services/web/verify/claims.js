// Every check in the order of a report: its name, which is that of the same check of `spina verify`, its claim,
// and whether only `spina verify` makes it, as it needs the rules of the game.

export const CLAIMS = [
  ["form", "Every line has the one accepted form."],
  ["chain", "Every line carries the hash of the line before, its place, and a time no earlier."],
  ["opening", "The first line opens the game, once."],
  ["fields", "Every line of a type that all games share has the fields of its type."],
  ["authors", "Every input is by an author who may make it."],
  ["commands", "No command stands in the log twice."],
  ["components", "The decks, tracks and tables are those the first line names."],
  ["dice-links", "Every roll uses the next link of the chains published at the start."],
  ["dice-faces", "Every face follows from its link and the contributions before it."],
  ["shuffles", "Every shuffle has the next number of its deck."],
  ["contributions", "Every contribution to chance is the next link of its seat, and none is left out."],
  ["seals", "Every revealed action is the one that was sealed."],
  ["signatures", "Everything by a seat or organiser with a key is signed by it."],
  ["bases", "Everything signed was signed for the log as it stood there."],
  ["ending", "The game ended once, and its secret is the last line."],
  ["secret", "The disclosed secret is the one committed to in the first line."],
  ["inclusion", "The ledger has the last line, and so all before it."],
  ["checkpoint", "A ledger that you trust, the one that the first line names, has signed the checkpoint over it."],
  ["witnesses", "As many witnesses have seen that checkpoint as you ask for."],
];
// The same of an operators' record.
export const RECORD_CLAIMS = [
  ["form", "Every line has the one accepted form."],
  ["chain", "Every line carries the hash of the line before, its place, and a time no earlier."],
  ["opening", "The first line opens the one record of its ledger."],
  ["fields", "Every line says what its type says."],
  ["authors", "Every line is the operator's."],
  ["commands", "No command stands in the log twice."],
  ...CLAIMS.filter(([check]) => ["inclusion", "checkpoint", "witnesses"].includes(check)),
  ["logged-once", "The ledger has each line of this log once, in its order, and no other line of it."],
];
// Checks of a bundle alone; a game that is followed has no such files.
export const OF_A_BUNDLE = new Set(["components", "inclusion", "checkpoint", "witnesses"]);

export const NOT_SHOWN = [
  "That a roll was due. A mark says that it follows from the randomness committed to before; whether the rules " +
    "asked for it, and whether every move was legal and every outcome right, shows only deciding the game again: " +
    "spina verify does.",
  "That no operator looked. The server deals, and its operator can see hidden hands while a game runs; it cannot " +
    "change them.",
  "That nothing was refused or cut off. Commands that never got into the log leave no trace, and a log without its " +
    "end looks like a game that goes on.",
  "That this is the only history. That takes a ledger's checkpoint that an independent party has seen: take the " +
    "bundle, and its key from somewhere else than here.",
  "That HOWTO.txt and policy in a file are honest. No check reads them: they are the word of the author of the file.",
  "That this page is honest. It comes from the server it checks, or from the author of the file that holds it: a " +
    "page that carries its own checker proves nothing about itself. The bundle can be verified with a program of " +
    "your own.",
];
