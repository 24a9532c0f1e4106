// Findings of a check: it holds, it does not and where first, or it cannot be told yet. Must agree with domain/audit/findings.py.

const SHOWN_CHARACTERS_MAX = 600;

export function held(seen) {
  return { verdict: "held", seen };
}

// `version` is null where that is no line of the log.
export function broken(version, expected, found) {
  return { verdict: "did_not_hold", version, expected: shorten(String(expected)), found: shorten(String(found)) };
}

export function unchecked(reason) {
  return { verdict: "not_checkable_yet", reason };
}

function shorten(text) {
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}… (${text.length} characters)`;
}
