// The sentence of a line, and how much it matters, by the words of its ruleset.

import { byName } from "./names.js";
import { NoSentence, tellTemplate } from "./templates.js";
import { capital, spaced } from "./words.js";

export function tell(line, words) {
  try {
    const template = words.sentences[line.type];
    if (template) return tellTemplate(template, line.data, words, byName());
  } catch (error) {
    if (!(error instanceof NoSentence || error instanceof TypeError)) throw error;
  }
  // A later release of the server may know more events than these words, or other fields.
  return `${capital(spaced(line.type))}.`;
}

// "quiet" sentences are for the curious; marked ones are on the scrubber too.
export function weigh(line, words) {
  return words.marks[line.type] ?? (words.quiet.includes(line.type) ? "quiet" : "plain");
}
