// The guide through a first game of Chariotmaster.

/** @type {Picture.Ruleset["guide"]} */
export const guide = [
  [
    ".build-panel",
    "First you build a chariot: one option of each row, for a few points. The one that is chosen now costs no " +
      "points, and is good enough for a first race.",
  ],
  [
    ".answer-panel [data-tip='token']",
    "A secret choice of speed, hidden until the token is drawn. A fast token must go far and turns little: the " +
      "yellow part of the lane on the table must be driven, the green part may be.",
  ],
  [
    ".drive-panel .chips",
    "Your turn to drive. Each button is a step: a way, or a brake, a spur, a whip, an attack. The list below it has " +
      "good ways.",
  ],
  [
    "main:has(.drive-panel) .driving .ghost",
    "The ghost is where you will be. Drag it along the lane; turn it by the round handle in front.",
  ],
  [
    ".steering",
    "The same with sliders or arrow keys, to the millimetre and the degree. Below stands the effect of the step, " +
      "with odds and price.",
  ],
  [".displays", "The values of each chariot. Points that are missing are rolls on tables, up to a crash."],
];
