// The words of the rulesets that this server plays, and of tournaments, read before the page begins: titles, turns,
// options and sentences. Without them a page still works: a ruleset is shown by its name, and an event by its tag.

import { listRulesets } from "./api.js";
import { byName } from "./names.js";
import { tellTemplate } from "./templates.js";
import { capital, spaced } from "./words.js";

// Of the hash of a box without a name here.
const SHOWN_CHARS = 8;
const known = new Map();

const offered = await listRulesets().catch(() => null);
for (const each of offered?.items ?? []) known.set(each.ruleset, each);

// A sentence about the verdict on a bundle; without the server's words, its kind alone.
export function tellVerdict(sentence, verdict) {
  return offered
    ? tellTemplate(offered.verdicts.sentences[sentence], verdict, offered.verdicts, byName())
    : capital(verdict.kind);
}

// The words of tournaments in one table, by name.
export function tournamentWords(table) {
  return offered?.tournament_words[table] ?? {};
}

// The ruleset as the server offers it, with the schemas of its actions and its bots; null where the server was away.
export function findOffered(reference) {
  return known.get(reference) ?? null;
}

// The box of a game by its name; none of the release's.
export function tellBox(reference, components) {
  const offered = known.get(reference);
  if (!offered || offered.components === components) return null;
  const box = offered.boxes.find((each) => each.components === components);
  return box ? `Box: ${box.name}` : `Box ${components.slice(0, SHOWN_CHARS)}…`;
}

export function wordsOf(reference) {
  const title = reference.split("@")[0].split("-").map(capital).join(" ");
  return (
    known.get(reference)?.words ?? {
      title,
      turn: "turn",
      turn_field: null,
      options: {},
      sentences: {},
      marks: {},
      quiet: [],
    }
  );
}

export function titleOf(reference) {
  return wordsOf(reference).title;
}

export function tellOption(reference, name) {
  return wordsOf(reference).options[name] ?? spaced(name);
}

export function tellOptionValue(value) {
  if (value === null) return "as the components say";
  // A course of a player's own, whole.
  if (typeof value === "object") return value.name;
  return typeof value === "boolean" ? (value ? "yes" : "no") : spaced(`${value}`);
}
