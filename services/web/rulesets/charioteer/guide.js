// The guide through a first game of Charioteer.

/** @type {Picture.Ruleset["guide"]} */
export const guide = [
  [
    ".board-frame",
    "This is the circus. The chariots drive anticlockwise around it. A pointer that rests on a mark, or a finger, " +
      "gets it explained.",
  ],
  [
    ".hand",
    "Your hand. Choose cards that share a symbol, which is a colour with a number. Cards that do not fit turn grey.",
  ],
  [
    "[aria-label='Whole moves']",
    "No idea yet? This list has whole moves, the longest first. A token makes a move longer once; those that are " +
      "left at the end win nothing.",
  ],
  [
    ".hand-panel",
    "Once cards make a move, its sum stands below them, and a line on the board shows its way. Seal sends it: the " +
      "others see that you have chosen, and no more. When all have, every move is shown and driven, the leader's " +
      "first.",
  ],
  [
    ".displays",
    "The display of each driver: damage shortens every move, skills lengthen those of their colour. Skills and " +
      "tokens come from attacks, fate and the emperor’s favour: early ones pay in every turn that is left.",
  ],
];
