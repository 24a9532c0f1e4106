// <spina-podium>: the end of a race: the winner with its chariot, by how much, each place with its reason, where the
// race turned, and the viewer's own best turn.

import { drawChariot } from "../board/chariot.js";
import { badge } from "../board/factions.js";
import { button, el, svg } from "../parts/dom.js";
import { fullName, inSeat } from "../parts/names.js";
import { tellTeams } from "../parts/teams.js";
import { list } from "../parts/words.js";
import { findGaps } from "./race_history.js";

const LAUREL =
  "M0,34 C-30,32 -44,12 -40,-16 M0,34 C30,32 44,12 40,-16 M-40,-16 l-8,-6 M-42,-2 l-11,-2 M-38,12 l-11,4 M-28,23 " +
  "l-8,9 " +
  "M40,-16 l8,-6 M42,-2 l11,-2 M38,12 l11,4 M28,23 l8,9";

class Podium extends HTMLElement {
  #drawn = "";

  connectedCallback() {
    this.hidden = true;
  }

  // `shown` is the last moment of a finished race; `standings` and `turns` are those of the whole race,
  // `playLog` is the link to it as a play.
  show(shown, { standings, turns, chariots, ruleset, playLog }) {
    const drawn = JSON.stringify([shown.version, standings.length, chariots]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const ranking = shown.ranking ?? [];
    const winners = ranking.filter(({ place }) => place === 1);
    const last = standings.at(-1);
    const gaps = last ? findGaps(last) : new Map();
    const tellGap = (seat) => tellPlace(seat, { standings, chariots, gaps, ruleset });
    const teams = shown.board?.teams ?? [];
    this.replaceChildren(
      el(
        "div",
        { class: "laurels" },
        winners.map(({ seat }) => drawWinner(seat, chariots)),
      ),
      el(
        "div",
        { class: "podium-told" },
        el("h2", { class: "podium-name" }, tellWinners(winners, teams)),
        el("p", {}, teams.length ? `${tellTeams(teams)}.` : tellMargin(ranking, winners, tellGap)),
        tellTurning(winners, { standings, chariots, ruleset }),
        tellBest(shown.your_seat, { turns, chariots, ruleset }),
      ),
      el(
        "ol",
        { class: "podium-places", "aria-label": "Places" },
        ranking.map(({ place, seat }) =>
          el(
            "li",
            { class: seat === shown.your_seat ? "podium-own" : "" },
            el("b", {}, `${place}.`),
            chariots.filter((each) => each.seat === seat).map(({ colour }) => badge(colour)),
            el("span", {}, fullName(seat)),
            el("span", { class: "note" }, tellGap(seat)),
          ),
        ),
      ),
      el(
        "div",
        { class: "buttons" },
        button("Watch the race", () => this.dispatchEvent(new CustomEvent("watch"))),
        el("a", { href: playLog, rel: "noreferrer" }, "Log it in BG Stats"),
      ),
    );
  }
}

function drawWinner(seat, chariots) {
  const own = chariots.find((each) => each.seat === seat);
  if (!own) return "";
  return svg(
    "svg",
    { class: "laurel", viewBox: "-58 -40 116 82", role: "img", "aria-label": `The chariot of ${inSeat(seat)}` },
    svg("path", { class: "laurel-leaves", d: LAUREL }),
    svg("g", { "aria-hidden": "true", transform: "scale(0.85)" }, drawChariot(own.colour, "")),
  );
}

function tellWinners(winners, teams) {
  const names = winners.map(({ seat }) => fullName(seat));
  if (!names.length) return "No winner";
  const first = teams.filter(({ place }) => place === 1);
  if (first.length === 1) return `Team ${first[0].team} wins`;
  return names.length > 1 ? `${list(names)} share the win` : `${names[0]} wins`;
}

function tellMargin(ranking, winners, tellGap) {
  if (winners.length > 1) return "They are level in everything that counts.";
  const second = ranking.find(({ place }) => place > 1);
  const gap = second ? tellGap(second.seat) : "";
  return gap ? `${inSeat(second.seat)}: ${gap}.` : "";
}

// How far a seat's best chariot is behind, or why none is in the race.
function tellPlace(seat, { standings, chariots, gaps, ruleset }) {
  const own = chariots.filter((each) => each.seat === seat);
  const done = standings.find(({ finished }) => own.some(({ key }) => finished.has(key)));
  if (done) return `finished in ${ruleset.turnWord} ${done.number}`;
  const racing = own.filter(({ fate }) => !fate).map(({ key }) => gaps.get(key));
  const behind = Math.min(...racing.filter((gap) => gap !== undefined));
  if (Number.isFinite(behind)) return behind > 0 ? `${ruleset.tellDistance(behind)} behind` : "in front";
  return [...new Set(own.map(({ fate }) => fate).filter(Boolean))].join(", ");
}

// The turn after which the winner led to the end.
function tellTurning(winners, { standings, chariots, ruleset }) {
  if (winners.length !== 1 || standings.length < 2) return null;
  const own = new Set(chariots.filter(({ seat }) => seat === winners[0].seat).map(({ key }) => key));
  const isAhead = (standing) => {
    const first = [...findGaps(standing)].filter(([, gap]) => gap === 0);
    return [...own].some((key) => standing.finished.has(key)) || first.every(([key]) => own.has(key));
  };
  const lost = standings.findLastIndex((standing) => !isAhead(standing));
  const at = standings[lost + 1];
  if (!at) return null;
  const said =
    lost < 0
      ? `In front from the first ${ruleset.turnWord} on`
      : `Took the lead for good in ${ruleset.turnWord} ${at.number}`;
  return el("p", {}, el("a", { href: `#${at.version}` }, said));
}

function tellBest(own, { turns, chariots, ruleset }) {
  if (own === undefined || !ruleset.findMove) return null;
  const mine = chariots.filter(({ seat }) => seat === own);
  const moves = turns.flatMap(({ number, lines }) =>
    mine.map(({ key }) => ({ number, move: ruleset.findMove(key, lines) })).filter(({ move }) => move?.total),
  );
  if (!moves.length) return null;
  const { number, move } = moves.reduce((best, each) => (each.move.total > best.move.total ? each : best));
  return el(
    "p",
    {},
    "Your best moment: ",
    el("a", { href: `#${move.version}` }, `${move.said} in ${ruleset.turnWord} ${number}`),
  );
}

customElements.define("spina-podium", Podium);
