// One way by which notices go, in the list: its state, its choices, a test, and its end.

import { command } from "../parts/api.js";
import { button, el, form, time } from "../parts/dom.js";
import { field, group, tick } from "../parts/field.js";
import { KINDS } from "../parts/push.js";

const WORDS = { browser: "Browser", mail: "Mail", webhook: "Webhook", discord: "Discord", calendar: "Calendar" };
// Kinds without an entry in a calendar.
const NOT_IN_CALENDARS = new Set([
  "seat_offered",
  "seat_handed",
  "game_started",
  "game_over",
  "ruling",
  "announced",
  "organiser_called",
]);
const NIGHT = { start: "22:00", end: "08:00" };

// `act` does a thing and looks again; `tell` shows its outcome.
export function buildWay(way, { isOwn, act, tell, onRemove }) {
  const { id, kind, name, address, end_reason: ended } = way;
  const send = (path, fields) => command(`/v1/account/ways/${path}`, { way: id, ...fields });
  const test = () =>
    act(async () => {
      await send("tests", {});
      tell(el("p", { class: "note" }, `A test goes to ${name} in a moment; with quiet hours, after them.`));
    });
  return el(
    "li",
    {},
    el(
      "span",
      {},
      el("span", { class: "door-name" }, name),
      isOwn ? el("span", { class: "tag" }, "this browser") : "",
      " ",
      el("span", { class: "note" }, [WORDS[kind], address].filter(Boolean).join(", "), tellState(way)),
    ),
    el(
      "span",
      { class: "buttons" },
      ended || kind === "calendar" ? "" : button("Test", test, { "aria-label": `Send a test to ${name}` }),
      button("Remove", () => act(onRemove ?? (() => send("removals", {}))), { "aria-label": `Remove ${name}` }),
    ),
    ended
      ? ""
      : buildChoices(way, (choices) =>
          act(async () => {
            await send("changes", choices);
            tell(el("p", { class: "note" }, `Saved for ${name}.`));
          }),
        ),
  );
}

function tellState({ is_proven: isProven, end_reason: ended, failing_since: since, failing_reason: reason }) {
  if (ended) return [", has ended: ", ended];
  if (!isProven && !since) return ", waits for its first answer";
  return since ? [", fails since ", time(since), `: ${reason}`] : "";
}

function buildChoices({ kind, name, kinds, quiet }, onSave) {
  const isCalendar = kind === "calendar";
  const offered = KINDS.filter(([each]) => !isCalendar || !NOT_IN_CALENDARS.has(each));
  const zone = quiet?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hour = (place, said) =>
    field(said, el("input", { type: "time", name: place, required: true, value: (quiet ?? NIGHT)[place] }));
  const made = form(
    {},
    () => {
      const { elements } = made;
      const isQuiet = elements.quiet?.checked;
      onSave({
        name: elements.name.value.trim(),
        kinds: offered.map(([each]) => each).filter((each) => elements[each].checked),
        quiet: isQuiet ? { start: elements.start.value, end: elements.end.value, zone } : null,
      });
    },
    field("Name", el("input", { name: "name", required: true, maxlength: 80, value: name, autocomplete: "off" })),
    group(
      "Tell me when",
      el(
        "div",
        { class: "kinds" },
        offered.map(([each, said]) => tick(each, each, said, { isTicked: kinds.includes(each) })),
      ),
    ),
    isCalendar
      ? ""
      : group(
          "Quiet hours",
          tick("quiet", "quiet", "Keep notices until the hours are over", { isTicked: quiet !== null }),
          el("div", { class: "hours" }, hour("start", "From"), hour("end", "To")),
          el("p", { class: "note" }, `Times of ${zone}.`),
        ),
    el("button", { type: "submit" }, "Save"),
  );
  return el(
    "details",
    { class: "choices" },
    el("summary", {}, `Choices: ${tellChoices(offered, kinds, quiet)} …`),
    made,
  );
}

function tellChoices(offered, kinds, quiet) {
  const chosen = offered.filter(([kind]) => kinds.includes(kind)).length;
  return (
    (chosen === offered.length ? "all notices" : `${chosen} of ${offered.length} kinds`) +
    (quiet ? `, quiet from ${quiet.start} to ${quiet.end}` : "")
  );
}
