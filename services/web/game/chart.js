// <spina-chart>: the race as one picture, how far each chariot was behind the leader after each turn; a turn is a link
// to it.

import { partMarks } from "./chart_marks.js";
import { el, svg } from "../parts/dom.js";
import { drawDisc } from "../board/factions.js";
import { findGaps } from "./race_history.js";
import { capital } from "../parts/words.js";

// Drawn as wide as it is shown, so that letters are as large as they are elsewhere.
const [WIDTH_MIN, HEIGHT_MIN] = [320, 280];
// Room for the marks at the end of each line, and for the numbers of the turns.
const EDGE = { left: 20, right: 46, top: 20, bottom: 34 };
// Marks of chariots side by side would hide each other.
const MARK_APART = 24;
// Numbers of turns that stand closer cannot be read.
const NUMBER_APART = 26;

class Chart extends HTMLElement {
  #standings = [];
  #drawn = null;
  #width = 0;

  connectedCallback() {
    this.picture = svg("svg", { class: "chart", "aria-hidden": "true" });
    this.table = el("table", {});
    this.replaceChildren(
      el("h2", {}, "The race"),
      el("p", { class: "note" }, "How far behind the leader, turn by turn; a click goes there."),
      this.picture,
      el("details", {}, el("summary", {}, "The same in numbers"), el("div", { class: "scroll" }, this.table)),
    );
    this.hidden = true;
    new ResizeObserver(
      () => this.#drawn && this.clientWidth && this.clientWidth !== this.#width && this.draw(...this.#drawn),
    ).observe(this);
  }

  // `chariots` are [{key, colour, name}]; `turnWord` is the ruleset's word for a turn.
  draw(standings, chariots, { turnWord, tellDistance }) {
    this.hidden = standings.length < 2 || !chariots.length;
    if (this.hidden) return;
    this.#drawn = [standings, chariots, { turnWord, tellDistance }];
    this.#standings = standings;
    this.#width = this.clientWidth;
    const width = Math.max(WIDTH_MIN, this.#width);
    // Twelve chariots that end in one place need room for twelve marks.
    const height = Math.max(HEIGHT_MIN, EDGE.top + EDGE.bottom + MARK_APART * chariots.length);
    this.bottom = height - EDGE.bottom;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.now = svg("path", { class: "chart-now" });
    const gaps = standings.map((each) => findGaps(each));
    const most = Math.max(1, ...gaps.flatMap((each) => [...each.values()]));
    const x = (index) => EDGE.left + ((width - EDGE.left - EDGE.right) * index) / Math.max(1, standings.length - 1);
    const y = (gap) => EDGE.top + ((this.bottom - EDGE.top) * gap) / most;
    this.x = x;
    const lines = chariots.map((chariot, index) => {
      const points = gaps.map((each, turn) => [x(turn), each.get(chariot.key)]).filter(([, gap]) => gap !== undefined);
      return { chariot, index, points: points.map(([at, gap]) => [at, y(gap)]) };
    });
    this.picture.replaceChildren(
      svg("path", {
        class: "chart-ground",
        d: `M${EDGE.left},${y(0)} H${width - EDGE.right} M${EDGE.left},${y(most)} H${width - EDGE.right}`,
      }),
      svg("text", { class: "chart-text", x: EDGE.left + 4, y: y(most) - 6 }, `${tellDistance(most)} behind`),
      ...lines.map(({ chariot, index, points }) =>
        svg("polyline", {
          class: `chart-line chart-${chariot.colour} chart-dash-${index % 3}`,
          points: points.map((each) => each.join(",")).join(" "),
        }),
      ),
      this.now,
      ...standings.map((standing, index) =>
        drawTurn(standing, { x: x(index), apart: x(1) - x(0), index, turnWord, height }),
      ),
      ...drawMarks(
        sortByPlace(
          lines.filter((each) => each.points.length),
          standings.at(-1),
        ),
        this.bottom,
      ),
    );
    this.table.replaceChildren(...drawTable(standings, chariots, { turnWord, tellDistance, gaps }));
  }

  // Marks the turn in which a version lies.
  show(version) {
    if (this.hidden) return;
    const index = this.#standings.findLastIndex((each) => each.start <= version);
    const d = index < 0 ? "" : `M${this.x(index)},${EDGE.top - 10} V${this.bottom + 4}`;
    if (this.now.getAttribute("d") !== d) this.now.setAttribute("d", d);
  }
}

function drawTurn({ version, number }, { x, apart, index, turnWord, height }) {
  const every = Math.max(1, Math.ceil(NUMBER_APART / Math.max(apart, 1)));
  return svg(
    "a",
    { href: `#${version}`, tabindex: "-1", class: "chart-turn" },
    svg("title", {}, `${capital(turnWord)} ${number}`),
    svg("rect", { x: x - apart / 2, y: 0, width: apart, height }),
    index % every ? null : svg("text", { class: "chart-text", x, y: height - 8, "text-anchor": "middle" }, `${number}`),
  );
}

// Those that finished first, so that their marks stand in the order of the result.
function sortByPlace(lines, { finished }) {
  const place = ({ chariot }) => finished.get(chariot.key) ?? Infinity;
  return lines.toSorted((one, other) => (place(one) < place(other) ? -1 : place(one) > place(other) ? 1 : 0));
}

// The mark of each chariot at the end of its line.
function drawMarks(lines, bottom) {
  const ends = lines.map(({ chariot, points }) => ({ chariot, x: points.at(-1)[0], y: points.at(-1)[1] }));
  return partMarks(ends, { apart: MARK_APART, bottom }).map(({ chariot, x, y }) =>
    svg("g", { class: "chart-mark", transform: `translate(${x + 22},${y})` }, drawDisc(chariot.colour, 9)),
  );
}

function drawTable(standings, chariots, { turnWord, tellDistance, gaps }) {
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, capital(turnWord)),
    chariots.map((each) => el("th", { scope: "col" }, each.name)),
  );
  const rows = standings.map((standing, index) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href: `#${standing.version}` }, `${standing.number}`)),
      chariots.map(({ key }) => el("td", {}, tellGap(standing, gaps[index].get(key), key, tellDistance))),
    ),
  );
  return [el("thead", {}, head), el("tbody", {}, rows)];
}

function tellGap(standing, gap, key, tellDistance) {
  if (standing.out.has(key)) return "out";
  if (standing.finished.has(key)) return `place ${standing.finished.get(key)}`;
  if (gap === undefined) return "–";
  return gap === 0 ? "leads" : `− ${tellDistance(gap)}`;
}

customElements.define("spina-chart", Chart);
