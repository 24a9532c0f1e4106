// Slips with the codes of a tournament, to be cut and given to people: shown once, as the log has hashes alone.

import { button, el } from "../parts/dom.js";
import { drawCode } from "../parts/picture_code.js";
import { spaceCode } from "../tournament/entry_code.js";

// `people` are [name, code], with one entry without a name for a code that all share.
export function buildSlips({ tournament, name, people, onDone }) {
  const address = (code) => `${location.origin}/tournaments/${tournament}#code=${code}`;
  return el(
    "section",
    { class: "slips", "aria-labelledby": "slips" },
    el("h2", { id: "slips" }, people.length > 1 ? `${people.length} codes` : "The code"),
    el(
      "p",
      { class: "no-print" },
      "Print them or copy them now: they are not shown again, and the server keeps none. A link behind each picture " +
        "opens the tournament with its code.",
    ),
    el(
      "div",
      { class: "buttons no-print" },
      button("Print", () => print()),
      button("To the desk", onDone, { class: "go-button" }),
    ),
    el(
      "ul",
      { class: "plain slip-list" },
      people.map(([person, code]) =>
        el(
          "li",
          { class: "slip" },
          drawCode(address(code), "Picture code of the link") ?? "",
          el(
            "div",
            {},
            el("p", {}, el("strong", {}, el("bdi", {}, person || name))),
            el("p", { class: "slip-code" }, spaceCode(code)),
            el("p", { class: "note" }, el("a", { href: address(code) }, address(code))),
          ),
        ),
      ),
    ),
  );
}
