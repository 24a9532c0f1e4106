// The marks, tokens and numbers of Chariotmaster, explained.

const speed = "both limits of the way of this turn";

/** @type {Picture.Ruleset["tips"]} */
export const tips = {
  stamina:
    "Of the horses. It pays for brakes, spurs, whips, sweeps and further attacks. Each point that is missing is a " +
    "roll on its table: horses tire, and die.",
  structure: "Of the body. Each point that is lost and not there is a roll on its table, up to the crash.",
  health: "Of the driver. Without it he loses the reins, his senses, and at last his life.",
  skill:
    "A test of skill passes if a die with its additions is not above this number. A 1 always passes, a 6 always fails.",
  horses: "Living horses. With a dead one in the traces only token 0 is left.",
  token: "Centimetres in one turn: 0 to 5, 5 to 10, or 10 to 15. A pivot may turn by up to 45°, 30° or 10°.",
  modifier: "Added to the next roll on the table of this value.",
  conditions: "Harm and its effects, until they end or are mended.",
  equipment: "Chosen before the race, for points.",
  ahead: "Straight ahead. The green part of the lane is as long as it must be; a red edge is a contact.",
  left: "Exactly sideways to the left, facing as before, for 1 stamina.",
  right: "Exactly sideways to the right, facing as before, for 1 stamina.",
  turn: "On the spot, by any angle. Nothing else happens in this turn.",
  announce:
    "Another sub-move after the first is a test of skill. If it fails, the chariot skids straight on to the end of " +
    "its way.",
  brake: `For 1 stamina a die of centimetres off ${speed}. As often as you like.`,
  spur: `For 1 stamina a die of centimetres on ${speed}. Once a turn.`,
  whip: `For 1 stamina a die of centimetres on ${speed}. Once a turn, beside the spur.`,
  go_on: "The skid: straight on to the end of the way.",
  stop: "Ends the turn. Possible once the least way is done.",
  attack:
    "The first attack of a turn is free, each later one costs 1 stamina. The rival may pay 1 stamina to brake or to " +
    "evade.",
  holds_back: "A ram without its two extra dice: less harm for the rival, and a smaller bounce.",
  defence_brake:
    "A test of skill. If it passes, the chariot goes a die of centimetres straight back, and the attack is void.",
  evade:
    "A test of skill. If it passes, the chariot goes a die of centimetres sideways, away from the attacker, and the " +
    "attack is void.",
  grid: "A place of the start.",
  obstacle:
    "It never moves. A low one can be run through, if the way is long enough to come clear of it; a high one is like " +
    "a wall, with dice of its own.",
  light: "3 structure.",
  standard: "5 structure.",
  heavy: "6 structure, 10 % less stamina.",
  super_heavy: "7 structure, 25 % less stamina.",
  untrained: "25 % less stamina.",
  racing: "The usual horses.",
  fast: "10 % less stamina; token 10 leads up to 18 cm.",
  staying_power: "25 % more stamina.",
  wolves: "Token 10 leads up to 18 cm, and they bite with 4 dice.",
  boars: "10 % more stamina, they ram and bite; token 10 leads up to 13 cm.",
  rookie: "5 skill.",
  experienced: "6 skill.",
  veteran: "7 skill.",
  weakling: "3 health.",
  fit: "5 health.",
  steeled: "7 health.",
  ordinary: "Nothing out of the ordinary.",
  lucky: "Once, a die that was rolled for your chariot may be changed by 1.",
  frightening: "Each attack on this chariot costs 1 stamina more, and it may evade without a test.",
  sum: "How far the chariot has come in this turn.",
};
