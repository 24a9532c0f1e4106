// The values of the second verifier. No browser reads this file.

/** A line of the log. The fields of an event are those of its ruleset. */
type LogLine = Omit<Api.Line, "data"> & { data: Record<string, any> };

/** The verdict of one check of the second verifier, as `verify/findings.js` makes it. */
type Verdict =
  | { verdict: "held"; seen: any }
  | { verdict: "did_not_hold"; version: number | null; expected: string; found: string }
  | { verdict: "not_checkable_yet"; reason: string };

/** A line of a log of unknown origin, as `verify/reading.js` reads it; null where its bytes state nothing. */
interface ReadEntry {
  place: number;
  hash: string;
  line: any;
  event: any;
  fields: string | null;
  refusal: { expected: string; found: string } | null;
}
