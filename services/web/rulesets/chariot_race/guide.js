// The guide through a first game of Chariot Race.

/** @type {Picture.Ruleset["guide"]} */
export const guide = [
  [
    ".board-frame",
    "This is the track, two laps anticlockwise. A pointer that rests on a mark, or a finger, gets it explained.",
  ],
  [".dice-panel .dice-row", "Your dice. Choose those that you want to throw again; the button says at which price."],
  [".change-panel", "For 2 fate a chosen die shows the face that you want: another lane, more speed, an attack."],
  [
    ".move-panel",
    "Choose a speed and a space, here or on the board. A tick is free of damage, a number is its price: corners, " +
      "rams, caltrops. Below stands the whole effect, before you send it.",
  ],
  [
    ".attack-panel",
    "Throw a javelin at a chariot nearby, or drop a caltrop behind you: a click on the board or a button.",
  ],
  [
    ".own",
    "What your chariot has left. Speed can never be higher than strength allows, so damage makes slow; fate pays " +
      "for repairs and for dice.",
  ],
];
