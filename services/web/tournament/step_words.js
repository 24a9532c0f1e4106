// The next step of an entrant in words: a heading, some lines, and the word on its button, if there is one.

import { el } from "../parts/dom.js";
import "../parts/countdown.js";
import { count, list } from "../parts/words.js";
import { tellPlace } from "./table_card.js";
import { tellNumber } from "./words.js";

const PAUSED = "the round is paused, and no time runs.";

// `next` is the step as the API gives it; `own` the entrant, `standing` its place so far, `rivals` the names at its
// table.
export function tellStep(told) {
  const {
    next: { what, round, table, until },
    rivals,
    isSeated,
    isElsewhere,
  } = told;
  if (isElsewhere && (what === "check_in" || what === "play"))
    return {
      heading: `Round ${round} calls you`,
      lines: ["You entered with another browser, and the links and keys of your entry are there. Go on there."],
    };
  switch (what) {
    case "check_in":
      return {
        heading: `Check in for round ${round}`,
        lines: [
          [
            "The tables are drawn among all who say in time that they are here: ",
            ...(until ? [el("spina-countdown", { until }), " left."] : [PAUSED]),
          ],
        ],
        act: "I am here",
      };
    case "play":
      return {
        heading: `Round ${round}, table ${table}`,
        lines: [
          ["You race against ", el("bdi", {}, list(rivals)), "."],
          isSeated ? "You have your seat." : until ? [el("spina-countdown", { until }), " left to sit down."] : PAUSED,
        ],
        act: isSeated ? "To your game" : "Sit down",
      };
    case "bye":
      return {
        heading: `You sit out in round ${round}`,
        lines: ["The tables do not seat all. The points of a bye are yours."],
      };
    case "admission":
      return {
        heading: "You wait to be admitted",
        lines: ["An organiser lets you in, or a place becomes free: this page tells you."],
      };
    case "wait":
      return tellWaiting(told);
    default:
      return tellEnd(told);
  }
}

function tellWaiting({ next: { round, game }, own, tournament }) {
  const number = round ?? tournament.round;
  const late = own.no_shows.includes(number) ? "sit down" : own.missed.includes(number) ? "check in" : null;
  const missed = late ? `You did not ${late} in time, so round ${number} is played without you.` : "";
  if (!number)
    return {
      heading: "You have entered",
      lines: ["Wait for the organiser to call the first round: this page tells you."],
    };
  if (!round)
    return {
      heading: `Round ${number} is over`,
      lines: [missed, "Wait for the organiser to call the next round: this page tells you."],
    };
  if (game)
    return {
      heading: `Your game of round ${round} is over`,
      lines: ["Wait for the other tables: this page calls you to the next round."],
    };
  if (own.is_checked_in)
    return {
      heading: `You are checked in for round ${round}`,
      lines: ["The tables are drawn once all have checked in, or when the time is up."],
    };
  if (own.from_round > round)
    return {
      heading: `You play from round ${own.from_round} on`,
      lines: [`You entered after the call of round ${round}.`],
    };
  return { heading: `Round ${round} goes on`, lines: [missed, "You can check in for the next round."] };
}

function tellEnd({ own, standing, tournament: { id, status, entries } }) {
  const verify = [
    "The standings are final. ",
    el("a", { href: `/tournaments/${id}#check-all` }, "Check every game and every point yourself"),
    ".",
  ];
  if (status === "finished")
    return {
      heading: `You came in ${tellPlace(standing.place)} of ${entries} in the tournament`,
      lines: [`${tellNumber(standing.points)} points after ${count(standing.rounds.length, "round")}.`, verify],
    };
  if (status === "aborted") return { heading: "The tournament was aborted", lines: [] };
  return {
    heading: own.left === "removed" ? "You were removed from the tournament" : "You have withdrawn",
    lines: ["You are drawn no more; your points stay."],
  };
}
