// How a player takes part while entries are open: with a program, as these pages show and do not play.

import { el } from "../dom.js";

// Once it has begun, few look for it: it is there to be opened.
export function showTakingPart({ id, demands, hasBegun }) {
  const path = `/v1/tournaments/${id}`;
  const asked = (said) => el("code", {}, said);
  return el("details", { class: "section", open: !hasBegun }, el("summary", {}, el("h2", {}, "Take part")),
    el("p", {}, "Players are programs: yours speaks to this server over its API, and this page shows the results."),
    el("ol", { class: "plain" },
      el("li", {}, "Make an account, once: ", asked("POST /v1/players"), ". The token in the answer is enough to play as you: keep it secret."),
      el("li", {}, "Enter: ", asked(`POST ${path}/entries`), demands.includes("links") ? ", with the anchor of links of your own, as this tournament demands." : "."),
      el("li", {}, "Ask for your next action, again and again: ", asked(`GET ${path}/next`), ". It says when to check in, and in which game to sit down at which seat."),
      el("li", {}, "Play that game as any other: sit down, get ready, and answer each decision.")),
    el("p", {}, el("a", { href: "/v1/docs" }, "Every request with an example"), " is in the API's own pages; docs/bot.md of the project is a whole bot of forty lines."));
}
