// The points left to each chariot of Chariotmaster, and the state of its driver.

import { display, facts, meter, showMove, tellChoice } from "../displays.js";
import { el } from "../dom.js";
import { seatColour } from "../marks.js";
import { fullName } from "../names.js";
import { tellLap } from "../progress.js";
import { count, spaced } from "../words.js";
import { findMove } from "./moves.js";

const DRIVERS = { dragged: "dragged behind the horses", on_foot: "on foot", left: "off the track", dead: "dead" };

// `turn` are the lines of the game turn so far, `owed` the decisions that the game waits for.
export function showChariots(view, { turn, owed }) {
  const order = [...view.chariots].sort((one, other) => (one.place ?? 99) - (other.place ?? 99) || other.progress_um - one.progress_um);
  return order.map((chariot) => showChariot(chariot, view, { turn, owed }));
}

function showChariot(chariot, view, { turn, owed }) {
  const ahead = view.chariots.filter((each) => each.is_racing && each.progress_um > chariot.progress_um).length;
  const standing = chariot.place ? `finished in place ${chariot.place}` : chariot.is_racing ? `place ${ahead + 1 + view.finished.length}, ${tellLap(chariot.laps_completed, view.laps)}` : "out of the race";
  const conditions = listConditions(chariot);
  return display(
    { colour: seatColour(chariot.chariot), text: `${chariot.chariot}`, title: fullName(chariot.seat), note: standing, isOut: !chariot.is_racing && !chariot.place },
    facts(
      ["Stamina", points(chariot.stamina)],
      ["Structure", points(chariot.structure)],
      ["Health", points(chariot.health)],
      ["Skill", points(chariot.skill)],
      ["Horses", chariot.dead_horses ? `${chariot.horses}, ${chariot.dead_horses} dead` : `${chariot.horses}`],
      ["Tokens", el("span", {}, chariot.tokens.map((token) => el("span", { class: "token" }, `${token}`)))],
    ),
    conditions.length ? el("ul", { class: "conditions", "aria-label": "Conditions" }, conditions.map((each) => el("li", {}, each))) : null,
    el("p", { class: "note choice" }, tellChoice(owed, chariot.seat)),
    showMove(findMove(chariot.chariot, turn)),
    el("p", { class: "note" }, [chariot.race, ...chariot.equipment].filter(Boolean).map(spaced).join(", ")),
  );
}

function points({ left, start, modifier }) {
  return el("span", {}, meter(left, start, "points"), modifier ? el("span", { class: "note" }, ` +${modifier} on the table`) : "");
}

function listConditions(chariot) {
  return [
    DRIVERS[chariot.driver] ? `driver ${DRIVERS[chariot.driver]}` : null,
    chariot.has_body ? null : "body wrecked",
    chariot.has_reins || chariot.driver !== "riding" ? null : "reins lost",
    chariot.grasp ? `reaches for the ${spaced(chariot.grasp.aim)}` : null,
    chariot.has_whip ? null : "whip lost",
    chariot.has_knife ? null : "knife lost",
    chariot.is_exhausted ? "horses exhausted" : null,
    chariot.has_damaged_wheel ? "wheel damaged" : null,
    chariot.is_halted ? "halted" : null,
    chariot.unconscious_for ? `unconscious for ${count(chariot.unconscious_for, "turn")}` : null,
    chariot.out_of_control_for ? `out of control for ${count(chariot.out_of_control_for, "turn")}` : null,
    chariot.fallen_for ? `horses down for ${count(chariot.fallen_for, "turn")}` : null,
  ].filter(Boolean);
}
