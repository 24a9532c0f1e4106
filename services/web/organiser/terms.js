// The terms of a tournament out of the form that opens one, as the API takes them. The API names its refusals itself.

import { makeCode } from "../tournament/entry_code.js";

const FULL_POINTS = 60;

// The first has all, the last nothing, and the others are evenly between.
export function defaultPoints(size) {
  return Array.from({ length: size }, (_, place) => Math.floor((FULL_POINTS * (size - place - 1)) / (size - 1)));
}

export function readTerms(form, { options, components }) {
  const { elements } = form;
  const text = (name) => elements[name].value.trim();
  const whole = (name) => Number(text(name));
  const checked = (name) => [...form.querySelectorAll(`[name=${name}]:checked`)].map(({ value }) => value);
  const sizes = { min: whole("tables-min"), max: whole("tables-max"), preferred: whole("tables-preferred") };
  return {
    name: text("name").replace(/\s+/g, " "),
    ruleset: text("ruleset"),
    options,
    ...(components && { components }),
    format: readFormat(text("format"), whole),
    tables: sizes,
    clock: elements.clock.checked
      ? { per_decision_ms: whole("clock-decision") * 1000, bank_ms: whole("clock-bank") * 60_000 }
      : null,
    delay_s: whole("delay"),
    demands: checked("demand"),
    organisers: Object.fromEntries(
      text("organisers")
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((id) => [id.toLowerCase(), null]),
    ),
    points: Object.fromEntries(
      listSizes(sizes).map((size) => [
        size,
        text(`points-${size}`)
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(Number),
      ]),
    ),
    bye_points: whole("bye"),
    tie_breaks: [1, 2, 3, 4, 5].map((place) => text(`tie-break-${place}`)).filter(Boolean),
    entries_max: whole("entries"),
    check_in_ms: whole("check-in") * 60_000,
    sit_down_ms: whole("sit-down") * 60_000,
    ...readAbout(text),
    ...(elements.teams.checked && {
      teams: {
        members_max: whole("team-members"),
        counting: whole("team-counting"),
        seating: text("team-seating"),
        ...(elements["team-race"].checked && { race_in_games: true }),
      },
    }),
  };
}

// The words for people before they enter, if there are any.
function readAbout(text) {
  const line = (name) => text(name).replace(/\s+/g, " ") || null;
  const about = {
    description: line("description"),
    place: line("place"),
    contact: line("contact"),
    starts_at: line("starts-at"),
  };
  return Object.values(about).some(Boolean) ? { about } : {};
}

// Who may enter, with the people of the codes: all, by one code, by a list with a code for each name, after approval.
export function readDoor(form) {
  const { elements } = form;
  const has_approval = elements.approval.checked;
  const has_waiting_list = elements.waiting.checked;
  const terms = { has_approval, has_waiting_list };
  const names = elements.names.value
    .split("\n")
    .map((name) => name.trim())
    .filter(Boolean);
  const kind = elements.door.value;
  if (kind === "list") return { people: names.map((name) => [name, makeCode()]), is_shared: false, ...terms };
  if (kind === "code") return { people: [["", makeCode()]], is_shared: true, ...terms };
  return has_approval || has_waiting_list ? { people: [], is_shared: false, ...terms } : null;
}

export function listSizes({ min, max }) {
  return Array.from({ length: Math.max(0, max - min + 1) }, (_, place) => min + place);
}

function readFormat(kind, whole) {
  switch (kind) {
    case "heats":
      return { kind, heats: whole("heats"), finalists: whole("finalists") };
    case "knockout":
      return { kind, survivors: whole("survivors") };
    default:
      return { kind, rounds: whole("rounds") };
  }
}
