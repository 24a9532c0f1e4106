// The server's findings in a table's game, on request, and how to check it without believing the server.

import { read } from "../api.js";
import { el } from "../dom.js";
import { mark } from "../report_view.js";

const VERDICTS = { 0: "held", 1: "did_not_hold", 2: "did_not_hold", 3: "not_checkable_yet" };
// Findings stay: a game that is over does not change.
const found = new Map();

export function showCheck({ game, game_version: version, game_hash: hash, result }) {
  const state = el("p", { class: "check-state", role: "status" });
  const details = el("details", { class: "check" }, el("summary", {}, "Check this game"), state,
    el("p", { class: "note" }, result === null ? "It was aborted" : "Its result was taken", ` at line ${version}, whose hash is `, el("code", {}, hash), "."),
    el("p", {}, "Do not take the server's word: ", el("a", { href: `/games/${game}` }, "let this browser check it"), ", or take the ",
      el("a", { href: `/v1/games/${game}/bundle`, download: "" }, "bundle"), " away and check it offline:"),
    el("pre", {}, el("code", {}, `spina verify ${game}.spina.zip --policy trusted.policy`)));
  details.addEventListener("toggle", () => details.open && !state.textContent && tellVerdict(game, state));
  return details;
}

export async function tellVerdict(game, state) {
  state.replaceChildren("The server is asked for its findings…");
  try {
    const told = found.get(game) ?? (await read(`/v1/games/${game}/audit`));
    // A proof may still come, so only complete findings are kept.
    if (told.exit_code === 0) found.set(game, told);
    state.replaceChildren(mark(VERDICTS[told.exit_code] ?? "not_checkable_yet"), ` The server's own audit: ${told.verdict} `, tellProof(told));
    return told.exit_code;
  } catch (error) {
    state.replaceChildren(`The server's audit cannot be read: ${error.message}`);
    return null;
  }
}

function tellProof({ report }) {
  const signed = (report?.findings ?? []).filter(({ check }) => check === "inclusion" || check === "checkpoint");
  if (!signed.length) return "";
  return signed.every(({ result }) => result.verdict === "held") ? "Its proof is there: the ledger has signed for its last line." : "Its proof is not complete yet.";
}
