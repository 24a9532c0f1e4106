// The marks, cards and numbers of Charioteer, explained.

const half = "takes half of the cubes in the damage box, and one more of an odd number";

/** @type {Picture.Ruleset["tips"]} */
export const tips = {
  damage:
    "Cubes in the damage box. Each one shortens every move by a space until it is gone: by a yellow move, a " +
    "recovery, or a turn of calm.",
  attack_boxes:
    "Cubes that came in this turn, three at most. They do not count yet: at its end they move to the damage box.",
  closed: "A shield or a turn of calm: this driver takes no cube in this turn.",
  hand:
    "Eight cards. A move takes one to three of them that share a symbol; played cards are replaced at the end " +
    "of the turn.",
  tokens:
    "One of them may lie on a move; then it is gone. Fan tokens come from moves with six matching symbols, and only " +
    "their driver knows them.",
  card: "A symbol is a colour with a number. Cards that share a symbol make a move; the other symbols are ignored.",
  symbol: "The colour says which kind of move it is, the number is added to the distance.",
  crowd: "The crowd's card of this turn joins the move of every driver who has its symbol. The other two come next.",
  emperor: "The emperor's wish: a move in this colour gains one step more of skill.",
  green: "Green: a sprint. The highest numbers, and no other effect.",
  red: "Red: an attack. Three matching cards put 1 cube on every rival, four put 2.",
  yellow: `Yellow: a recovery. Before the chariot drives, it ${half}.`,
  black: "Black: for corners. It skips the dark outer spaces.",
  skill:
    "Its place on the skills track, and the bonus that is added to moves in this colour. It goes one step with each " +
    "of them.",
  shield: "A shield: the attack boxes are emptied and stay empty for this turn.",
  whip:
    "A whip: up to 5 steps after the move, none of them past a rival. Of no use to the leader, after passing a " +
    "rival, and on turn 1.",
  recovery: `A recovery: ${half}. Two on one move take all.`,
  learning: "Learning: one more step of skill in the colour of the move.",
  wild: "A wild: one card of the move counts as two of the symbol, and loses its own.",
  plus: "Adds its number to the distance. A coloured token goes with a move of its colour alone.",
  discard: "Throws away up to so many cards beside the move, to draw new ones.",
  move: "One to three cards that share a symbol; the crowd's card may join. Two at least must match.",
  reset:
    "Instead of a move: one to three cards are put away, the chariot stands, all its damage goes, and it takes no " +
    "cube in this turn.",
  regular: "Every move goes over it. Any number of chariots may stand here: the innermost is ahead.",
  outer: "A dark outer space of a corner. Only a black move skips it.",
  start: "All chariots begin here. Crossing the line first completes no lap.",
  sum:
    "How far the chariot drives: the matching symbols, their number, token and skill, less the cubes in the " +
    "damage box.",
};
