// Findings of a check: it holds, it does not and where first, or it cannot be checked yet. Must agree with
// domain/audit/findings.py.

const SHOWN_CHARACTERS_MAX = 600;
const UNSEEN = /[\p{C}\p{Z}]/gu;

/** @returns {Verdict} */
export function held(seen) {
  return { verdict: "held", seen };
}

/**
 * `version` is null where that is no line of the log.
 * @returns {Verdict}
 */
export function broken(version, expected, found) {
  return { verdict: "did_not_hold", version, expected: shorten(String(expected)), found: shorten(String(found)) };
}

/** @returns {Verdict} */
export function unchecked(reason) {
  return { verdict: "not_checkable_yet", reason };
}

// Cut to a readable length, with invisible and bidirectional control characters written out.
export function shorten(text) {
  const characters = [...text];
  const cut =
    characters.length <= SHOWN_CHARACTERS_MAX
      ? text
      : `${characters.slice(0, SHOWN_CHARACTERS_MAX).join("")}… (${characters.length} characters)`;
  return cut.replace(UNSEEN, (each) => (each === " " ? each : writeOut(each.codePointAt(0))));
}

function writeOut(point) {
  const [sign, width] = point <= 0xff ? ["x", 2] : point <= 0xffff ? ["u", 4] : ["U", 8];
  return { 9: "\\t", 10: "\\n", 13: "\\r" }[point] ?? `\\${sign}${point.toString(16).padStart(width, "0")}`;
}
