// The marks, dice and numbers of Chariot Race, explained.

/** @type {Picture.Ruleset["tips"]} */
export const tips = {
  strength:
    "The damage that the chariot still bears. At 0 it is wrecked; 3 fate repair up to 3 of it at the beginning of a " +
    "turn.",
  speed:
    "So many spaces it must drive. It can never be higher than its strength allows, and the faster it is, the fewer " +
    "dice it throws.",
  fate: "The favour of Fortuna, 6 at most. 3 pay for a repair, 2 for a change of the dice.",
  laps: "Two laps are driven. The round in which a chariot completes them is the last.",
  plus_minus: "±: speed up or down by one, as you choose for each die.",
  sprint: "Sprint: 2 more speed, for 1 strength.",
  steer: "Steer: one change to the lane beside yours during the move.",
  attack:
    "Attack: after the move a javelin at a chariot up to 2 spaces away, or a caltrop on a space that you drove " +
    "through.",
  fortuna: "Fortuna: 1 fate, which cannot pay for changes in this turn.",
  space: "One step of a move. The first letter of its name is its lane.",
  limit: "A corner: entering it costs 1 strength for each point of speed above this number.",
  heap: "Stones: a chariot that enters this space is wrecked.",
  caltrop: "A caltrop costs 1 strength every chariot that enters this space, and is used up.",
  grid: "A place of the start, behind the line.",
  sum: "How the speed of this turn was made up.",
  chosen_die: "Chosen dice are thrown again.",
};
