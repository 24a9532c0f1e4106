// <spina-verify>: the page for a bundle alone, which checks without a server once it is loaded, and replays the game in
// it. The boards of a replay are this server's, each for a line that it has just so: it is asked for them by the id of
// the game, and for names by the ids of accounts.

import { readPlayer } from "./parts/api.js";
import { answerBy } from "./parts/asking.js";
import "./proof/bundle_check.js";
import { button, el } from "./parts/dom.js";
import { answersOf, readLog } from "./proof/file_answers.js";
import { dropNulls } from "./parts/frames.js";
import { setNames } from "./parts/names.js";
import { listNotShown } from "./proof/report_view.js";
import { parseBundle } from "./verify/archive.js";

const OF_THE_FILE =
  "The story is the file's own. The board is drawn by this server, wherever it has the same line. It is asked by " +
  "the ids of the game and of its players.";

class VerifyPage extends HTMLElement {
  connectedCallback() {
    this.replay = el("div", { class: "replay" });
    this.replaceChildren(el("spina-bundle", { linking: true }), this.replay, listNotShown());
    this.addEventListener("bundle-given", () => {
      setNames({});
      this.replay.replaceChildren();
    });
    this.addEventListener("bundle-checked", ({ detail }) => this.#offer(detail));
    // The verdict is written anew once the drivers have names.
    this.addEventListener("click", ({ target }) => {
      if (/** @type {Element} */ (target).closest(".why a") && !this.querySelector("spina-game")) this.start?.();
    });
  }

  #offer({ file, report }) {
    if (!report.verdict.outcome) return;
    const show = () => this.#show(file, report).catch((error) => this.#complain(error));
    const name = () => readNames(report.verdict.outcome.holders);
    this.replay.replaceChildren(
      el("div", { class: "buttons" }, button("Replay this file", show), button("Ask this server for the names", name)),
    );
    this.start = show;
  }

  async #show(file, report) {
    const [bytes] = await Promise.all([file.arrayBuffer(), import("./game/game.js"), import("./proof/check_panel.js")]);
    const log = await readLog(parseBundle(new Uint8Array(bytes)).get("log.ndjson"));
    answerBy(answersOf({ game: report.game, log, readBoards: buildBoards(report, log) }));
    this.replay.replaceChildren(
      el("h2", {}, "Replay of this file"),
      el("p", { class: "note" }, OF_THE_FILE),
      el("spina-game", { game: report.game }),
      el("spina-check", { alone: true }),
    );
  }

  #complain(error) {
    this.replay.replaceChildren(
      el("p", { class: "state", role: "alert" }, `The game in it cannot be replayed here: ${error.message}`),
    );
  }
}

// A file has the ids of accounts alone; the names are those that this server knows.
async function readNames(holders) {
  const named = await Promise.all(
    holders.map(async ({ seat, player }) => [seat, (await readPlayer(player).catch(() => null))?.name]),
  );
  setNames(Object.fromEntries(named.filter(([, name]) => name)));
  document.dispatchEvent(new CustomEvent("named"));
}

// Each board of the server whose newest line is the file's; in place of any other the game without a board.
function buildBoards(report, log) {
  let isKnown = true;
  return async (from, to) => {
    const answer = isKnown
      ? await fetch(`/v1/games/${report.game}/boards?from=${from}&to=${to}`).catch(() => null)
      : null;
    isKnown = Boolean(answer?.ok);
    const { items } = answer?.ok ? await answer.json() : { items: [] };
    const known = new Map(items.map((shown) => [shown.version, dropNulls(shown)]));
    return Array.from({ length: to - from + 1 }, (_, place) => {
      const shown = known.get(from + place);
      return shown?.head === log[from + place - 1].hash ? shown : showWithoutBoard(report, log, from + place);
    });
  };
}

function showWithoutBoard({ game, ruleset, verdict: { outcome } }, log, version) {
  const { terms, at } = { terms: log[0].line.data, at: log[version - 1].line.at ?? log[0].line.at };
  const holders = new Map(outcome.holders.map(({ seat, player }) => [seat, player]));
  const seats = [...holders].map(([seat, player]) => ({ seat, player, status: "held", is_ready: true }));
  const ranking = version >= outcome.line ? log[outcome.line - 1].line.data.ranking : undefined;
  return {
    id: game,
    ruleset,
    version,
    at,
    terms,
    seats,
    ranking,
    owed: [],
    is_bare: true,
    status: version >= outcome.line ? outcome.status : "running",
  };
}

customElements.define("spina-verify", VerifyPage);
