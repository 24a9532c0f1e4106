// Building elements without markup in strings: text of a log stays text.

const SVG = "http://www.w3.org/2000/svg";
// Making one takes longer than drawing a chariot, and a replay tells the time of every event.
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const AGO = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// A moment in the reader's own zone and language; the exact instant stays in the attribute.
export function time(at) {
  return el("time", { datetime: at, title: at }, EXACT.format(new Date(at)));
}

// How long ago a moment was, in the reader's language; the exact one is in the title.
export function ago(at) {
  const passed_s = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  const [unit, seconds] = AGO.find(([, each]) => passed_s >= each) ?? ["second", 1];
  const said = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(-Math.floor(passed_s / seconds), unit);
  return el("time", { datetime: at, title: EXACT.format(new Date(at)) }, said);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}
