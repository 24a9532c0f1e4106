// Taking a tournament away: its bundle, to check it offline, and its numbers for other programs.

import { el } from "../dom.js";

export function showTakeAway({ id }) {
  const path = `/v1/tournaments/${id}`;
  const link = (address, said, attributes = {}) => el("li", {}, el("a", { href: address, ...attributes }, said));
  return el("section", { class: "take-away", "aria-labelledby": "check-all" },
    el("h2", { id: "check-all" }, "Check it yourself"),
    el("p", {}, "One file has the log of the tournament and every game of it. With it you can verify each game, draw each round again and add up each point, without this server and without its word:"),
    el("pre", {}, el("code", {}, `curl -sS ${location.origin}/v1/ledger/policy > trusted.policy\ncurl -sSOJ ${location.origin}${path}/bundle\nspina verify ${id}.tournament.zip --policy trusted.policy`)),
    el("p", { class: "note" }, "The last line proves as much as the policy: in earnest take the ledger's key from people, from print or from a witness."),
    el("ul", { class: "links" },
      link(`${path}/bundle`, "The bundle", { download: "" }),
      link(`${path}/events`, "The log"),
      link(`${path}/export?format=html`, "A page to print"),
      link(`${path}/export?format=csv&part=standings`, "Standings as CSV"),
      link(`${path}/export?format=csv&part=pairings`, "Pairings as CSV"),
      link(`${path}/export?format=csv&part=rulings`, "Rulings as CSV"),
      link(`${path}/export?format=json`, "Everything as JSON"),
      link(`/tournaments/${id}/organise`, "Organise")));
}
