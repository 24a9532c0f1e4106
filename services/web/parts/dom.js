// Building elements without markup in strings: text of a log stays text.

const SVG = "http://www.w3.org/2000/svg";
// Making one takes longer than drawing a chariot, and a replay shows the time of every event.
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const TO_THE_MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const AGO = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
/** @type {[Intl.RelativeTimeFormatUnit, number]} */
const SECOND = ["second", 1];

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function button(said, onPress, attributes = {}) {
  const made = el("button", { type: "button", ...attributes }, said);
  made.addEventListener("click", () => onPress());
  return made;
}

// A form that a script sends: the browser itself never does.
export function form(attributes, onSubmit, ...children) {
  const made = el("form", attributes, ...children);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit();
  });
  return made;
}

// In place of content that cannot be shown; without `onAgain` there is nothing to try again.
export function refusal(said, onAgain) {
  return el("p", { class: "state", role: "alert" }, `${said} `, onAgain && button("Try again", onAgain));
}

// A moment in the reader's own zone and language; the exact instant stays in the attribute.
export function time(at) {
  return el("time", { datetime: at, title: at }, TO_THE_MINUTE.format(new Date(at)));
}

// How long ago a moment was, in the reader's language; the exact one is in the title.
export function ago(at) {
  const passed_s = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  const [unit, seconds] = AGO.find(([, length]) => passed_s >= length) ?? SECOND;
  const said = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(
    -Math.floor(passed_s / seconds),
    unit,
  );
  return el("time", { datetime: at, title: EXACT.format(new Date(at)) }, said);
}

// A table that may be wider than the page: it scrolls by itself, and states so wherever some of it is out of sight.
export function wideTable(table, labelledBy) {
  const note = el("p", { class: "note wide-note", hidden: true }, "Scroll the table sideways for the rest →");
  const region = el("div", { class: "wide", tabindex: "0", role: "region", "aria-labelledby": labelledBy }, table);
  const look = () => {
    note.hidden = region.scrollWidth <= region.clientWidth;
  };
  const watched = new ResizeObserver(look);
  watched.observe(region);
  watched.observe(table);
  return el("div", {}, note, region);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}
