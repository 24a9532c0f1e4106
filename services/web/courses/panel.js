// The fields of a drawing: of the whole course, and of the corner or the obstacle that is chosen.

import { button, el } from "../parts/dom.js";
import { field, group, number, select } from "../parts/field.js";
import { RADII, WIDTHS } from "./changes.js";

const LAPS_MAX = 10;
const DICE_MAX = 6;
const SIDES = { min: 4, max: 200 };
const NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9 _'\\-]{0,39}";
const LOSSES = [
  ["nothing", "nothing"],
  ["stamina", "a point of stamina"],
  ["structure", "a point of structure"],
  ["health", "a point of health"],
  ["skill", "a point of skill"],
];

// `change(fields)` takes some fields of the course.
export function buildCourseFields(sketch, change) {
  const name = el("input", { name: "name", value: sketch.name, required: true, maxlength: 40, pattern: NAME_PATTERN });
  name.addEventListener("change", () => name.reportValidity() && change({ name: name.value }));
  return group(
    "The course",
    field("Name", name, "Letters, digits, spaces, apostrophes and hyphens."),
    slider("Width of the track, mm", sketch.width, { ...WIDTHS, step: 10 }, (width) => change({ width })),
    field(
      "Laps",
      optional("laps", sketch.laps, { min: 1, max: LAPS_MAX }, (laps) => change({ laps })),
    ),
    field(
      "Dice of the walls",
      optional("wall-dice", sketch.wallDice, { min: 0, max: DICE_MAX }, (wallDice) => change({ wallDice })),
    ),
  );
}

export function buildCornerFields({ corner, index, radius }, { change, remove }) {
  const note = radius !== undefined && radius < corner.radius ? `There is room for ${radius} mm here.` : null;
  return group(
    `Corner ${index + 1}`,
    slider("Radius of the bend, mm", corner.radius, { ...RADII, step: 5 }, (value) => change({ radius: value }), note),
    button("Remove this corner", remove),
  );
}

export function buildObstacleFields({ obstacle, index }, { change, remove }) {
  const height = select(
    "height",
    [
      ["low", "low: can be run through"],
      ["high", "high: like a wall"],
    ],
    obstacle.height,
  );
  height.addEventListener("change", () => change({ height: height.value }));
  const loses = select("loses", LOSSES, obstacle.loses);
  loses.addEventListener("change", () => change({ loses: loses.value }));
  return group(
    `Obstacle ${index + 1}`,
    field("Height", height),
    whole("Dice in a collision", "dice", obstacle.dice, { min: 0, max: DICE_MAX }, (dice) => change({ dice })),
    field("A chariot that runs into it loses", loses),
    whole("Length, mm", "length", obstacle.length, SIDES, (length) => change({ length })),
    whole("Width, mm", "width", obstacle.width, SIDES, (width) => change({ width })),
    slider("Turned by, degrees", obstacle.heading, { min: 0, max: 350, step: 10 }, (heading) => change({ heading })),
    button("Remove this obstacle", remove),
  );
}

/** @param {string | null} [note] */
function slider(label, value, { min, max, step }, change, note = null) {
  // The value comes last: a range without its bounds would cut it off.
  const input = el("input", { type: "range", min, max, step, value });
  const said = el("output", {}, String(value));
  input.addEventListener("input", () => {
    said.textContent = input.value;
  });
  input.addEventListener("change", () => change(Number(input.value)));
  return field([`${label}: `, said], input, note);
}

function whole(label, name, value, bounds, change) {
  const input = number(name, value, bounds);
  input.addEventListener("change", () => input.reportValidity() && change(Number(input.value)));
  return field(label, input);
}

function optional(name, value, bounds, change) {
  const input = number(name, value ?? "", bounds);
  input.required = false;
  input.placeholder = "as the box says";
  input.addEventListener(
    "change",
    () => input.reportValidity() && change(input.value === "" ? null : Number(input.value)),
  );
  return input;
}
