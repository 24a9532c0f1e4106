// Events of every game in plain sentences; a ruleset's own tags come from its own module.
// Each function takes an event's data and gives a sentence.

import { fullName, hasName, inSeat, seat, tellOrder } from "./names.js";
import { capital, count, list, spaced } from "./words.js";

const FORFEITS = { illegal: "what was opened breaks the rules", unrevealed: "it was not opened in time" };

export const SENTENCES = {
  game_opened: (data) => `The game is opened for ${count(data.seats, "seat")}.`,
  opening_witnessed: () => "Witnesses have signed the opening of the game.",
  seat_taken: (data) => `Seat ${data.seat} is taken${hasName(data.seat) ? ` by ${fullName(data.seat)}` : ""}.`,
  seat_left: (data) => `Seat ${data.seat} is free again.`,
  seat_readied: (data) => `${seat(data.seat)} is ready.`,
  action_sealed: (data) => `${seat(data.seat)} has chosen, and sealed it.`,
  action_revealed: (data) => `${seat(data.seat)} opens what it sealed.`,
  action_played: (data) => `${seat(data.seat)} has decided.`,
  clock_expired: (data) => `The time of ${inSeat(data.seat)} is up.`,
  clock_extended: (data) => `More time for ${list(data.seats.map((each) => inSeat(each)))}: ${data.reason}`,
  seat_removed: (data) => `${seat(data.seat)} is removed from the game: ${data.reason}`,
  seat_resigned: (data) => `${seat(data.seat)} gives up.`,
  game_aborted: (data) => `The game is aborted: ${data.reason}`,
  game_started: (data) => `The game begins, with ${count(data.seats.length, "seat")}.`,
  dice_rolled: (data) => `${data.faces.length === 1 ? "A die shows" : "Dice show"} ${list(data.faces.map(String))}.`,
  deck_shuffled: (data) => `${capital(spaced(data.deck))}: ${count(data.size, "piece")} shuffled.`,
  decision_asked: (data) => `${seat(data.seat)} must answer before it goes on.`,
  action_defaulted: (data) => `The rules decide for ${inSeat(data.seat)}.`,
  action_forfeited: (data) => `${seat(data.seat)} forfeits: ${FORFEITS[data.reason]}.`,
  game_finished: (data) => `${tellOrder(data.ranking)}.`,
  secret_disclosed: () => "The server discloses its secret: everyone can now check every roll and every shuffle.",
};

// What only the curious want to read; shown small.
const QUIET = new Set([
  "opening_witnessed",
  "seat_readied",
  "action_sealed",
  "action_revealed",
  "action_played",
  "dice_rolled",
  "deck_shuffled",
  "decision_asked",
]);

export function tell(line, story) {
  const sentence = story.SENTENCES[line.type] ?? SENTENCES[line.type];
  // A later release of the server may know more tags than this page.
  return sentence ? sentence(line.data) : `${capital(spaced(line.type))}.`;
}

// How loud a line is told: "quiet" ones are for the curious, marked ones are what the scrubber shows too.
export function weigh(line, story) {
  if (QUIET.has(line.type) || story.QUIET.has(line.type)) return "quiet";
  return story.MARKS[line.type] ?? "plain";
}
