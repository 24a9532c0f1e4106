// The dice of a chariot before it drives: the speeds they allow, their price, and the next corner with its limits.

import { count, list } from "../../parts/words.js";

const SPRINT = 2;
const SPRINT_STRENGTH = 1;

// {low, high, strength}: every ± goes either way, every sprint counts.
export function foreseeSpeed({ speed, speed_max: max }, faces) {
  const number = (face) => faces.filter((each) => each === face).length;
  const [changes, sprints] = [number("plus_minus"), number("sprint")];
  const clamp = (value) => Math.min(Math.max(value, 0), max);
  const middle = speed + SPRINT * sprints;
  return { low: clamp(middle - changes), high: clamp(middle + changes), strength: SPRINT_STRENGTH * sprints };
}

// The spaces ahead in the chariot's own lane, the next one first, once around.
export function listAhead({ track }, { space }) {
  const lane = track.lanes.find(({ spaces }) => spaces.some(({ name }) => name === space));
  const at = lane.spaces.findIndex(({ name }) => name === space);
  return [...lane.spaces.slice(at + 1), ...lane.spaces.slice(0, at + 1)];
}

export function tellDice(view, chariot, faces, { isWhole }) {
  const { low, high, strength } = foreseeSpeed(chariot, faces);
  const speeds = low === high ? `speed ${low}` : `speed ${low} to ${high}`;
  const price = strength ? ` and cost ${strength} of ${chariot.damage_left} strength` : "";
  const made = `${isWhole ? "These dice" : "The dice that stay"} make ${speeds} (now ${chariot.speed})${price}.`;
  return `${made} ${tellCorner(view, chariot)}`;
}

// How far the next corner is, and its limit in each lane.
function tellCorner(view, chariot) {
  const ahead = listAhead(view, chariot);
  const distance = ahead.findIndex(({ limit }) => limit);
  if (distance < 0) return "";
  const { start_units: start } = ahead[distance];
  const limits = view.track.lanes.map(({ name, spaces }) => {
    const corner = spaces.find((each) => each.limit && Math.abs(each.start_units - start) < view.track.lap_units / 4);
    return corner ? `${corner.limit} ${name}` : null;
  });
  return `The corner is ${count(distance + 1, "space")} ahead; it allows ${list(limits.filter(Boolean))}.`;
}
