// Boards as merge patches (RFC 7396): a value that is the same before and after stays one object, so a whole game costs little.

// A value after a patch; both stay as they are.
export function applyPatch(before, patch) {
  if (!isObject(patch)) return patch;
  const after = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name];
    else after[name] = applyPatch(after[name], value);
  }
  return after;
}

// Frames leave out null members; a board read by itself is made alike, so that drawing code never meets both.
export function dropNulls(value) {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, dropNulls(each)]));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
