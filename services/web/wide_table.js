// A table that may be wider than the page: it scrolls by itself, and says so wherever some of it is out of sight.

import { el } from "./dom.js";

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
