// <spina-courses>: a course drawn by mouse, touch or keys, checked by the rules meanwhile; kept, shared and raced on.

import { command, listCourses } from "../parts/api.js";
import { button, el, form } from "../parts/dom.js";
import { select } from "../parts/field.js";
import { signIn, signUp } from "../seat/account.js";
import { buildNameField } from "../seat/name_field.js";
import * as changes from "./changes.js";
import { History } from "./history.js";
import { buildCornerFields, buildCourseFields, buildObstacleFields } from "./panel.js";
import { fromTable, shape, toPlan, toSketch } from "./shape.js";
import { Stage } from "./stage.js";

const KEY = "spina-course";
// A pause in drawing after which the rules are asked.
const CHECK_MS = 500;
const RULESET = "chariotmaster@1";

class CoursesPage extends HTMLElement {
  /** @type {import("./shape.js").Sketch} */
  sketch = changes.startSketch();
  history = new History(this.sketch);
  /** @type {any} */
  shaped = {};
  stage = new Stage({
    pick: (item, at) => this.#pick(item, at),
    move: (item, at) => this.#move(item, at),
    rest: () => this.#rest(),
    remove: (item) => this.#remove(item),
  });
  #timer = 0;
  #asked = 0;
  /** @type {{ at: object | null, said: string } | null} */
  #fault = null;
  /** @type {{ kind: string, index: number } | null} */
  #chosen = null;

  async connectedCallback() {
    this.sketch = readDraft() ?? changes.startSketch();
    this.history = new History(this.sketch);
    this.state = el("p", { class: "course-state", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.shared = el("p", { class: "course-shared" });
    this.fields = el("div", { class: "fields" });
    this.undo = button("Undo", () => this.#go(this.history.undo()));
    this.redo = button("Redo", () => this.#go(this.history.redo()));
    this.from = select("from", [["", "Begin with …"]]);
    this.from.setAttribute("aria-label", "Begin with another course");
    this.from.addEventListener("change", () => this.#begin());
    this.race = el("button", { type: "submit", class: "go-button" }, "Race it now");
    this.keep = button("Keep and share", () => this.#keep());
    this.account = await signIn().catch(() => null);
    this.#build();
    this.addEventListener("keydown", (event) => this.#onKey(event));
    addEventListener("resize", () => this.#show());
    this.#show();
    this.#showFields();
    this.#check();
    this.#listCourses();
  }

  #build() {
    this.who = this.account ? "" : buildNameField();
    const tools = el(
      "div",
      { class: "buttons course-tools", role: "toolbar", "aria-label": "Drawing" },
      this.undo,
      this.redo,
      button("Add an obstacle", () => this.#addObstacle()),
      this.from,
    );
    const kept = form(
      { class: "joining" },
      () => this.#race(),
      this.who,
      el("div", { class: "buttons" }, this.keep, this.race),
    );
    this.replaceChildren(
      el("div", { class: "course-drawing" }, tools, this.stage.element, this.state),
      el("div", { class: "course-side" }, this.fields, this.problem, kept, this.shared),
    );
  }

  // The courses of the account and of the box, to begin with one of them.
  async #listCourses() {
    const { items } = await listCourses().catch(() => ({ items: [] }));
    this.courses = items.filter(({ ruleset }) => ruleset === RULESET);
    this.from.replaceChildren(
      el("option", { value: "" }, "Begin with …"),
      el("option", { value: "new" }, "An oval"),
      ...this.courses.map(({ hash, name, is_own: isOwn }) =>
        el("option", { value: hash }, isOwn ? `${name} (yours)` : name),
      ),
    );
    const asked = new URLSearchParams(location.search).get("course");
    if (asked && this.courses.some(({ hash }) => hash === asked)) {
      this.from.value = asked;
      this.#begin();
    }
  }

  #begin() {
    const item = this.courses?.find(({ hash }) => hash === this.from.value);
    if (!item && this.from.value !== "new") return;
    this.from.value = "";
    this.#chosen = null;
    this.#take(item ? toSketch(item.course) : changes.startSketch());
  }

  #show() {
    const { sketch } = this;
    this.shaped = shape(sketch);
    const fault = this.shaped.fault ?? this.#fault;
    this.stage.show(sketch, this.shaped, { chosen: this.#chosen, fault });
    this.undo.disabled = !this.history.canUndo;
    this.redo.disabled = !this.history.canRedo;
    this.state.textContent = fault ? fault.said : this.#tellLap();
    this.state.classList.toggle("problem", Boolean(fault));
    this.race.disabled = this.keep.disabled = Boolean(fault);
    localStorage.setItem(KEY, JSON.stringify(sketch));
  }

  #tellLap() {
    const { pieces } = this.shaped;
    const lap = pieces.reduce(
      (sum, each) => sum + (each.kind === "arc" ? (Math.PI / 180) * each.degrees * each.radius_mm : each.length_mm),
      0,
    );
    return `A lap is ${Math.round(lap / 10)} cm. Drag the corners; press a plus to add one.`;
  }

  // The fields are those of the chosen item; while a finger drags they stay.
  #showFields() {
    const { sketch } = this;
    const { kind, index } = this.#chosen ?? { kind: "", index: 0 };
    const chosen =
      kind === "corner" && sketch.corners[index]
        ? buildCornerFields(
            { corner: sketch.corners[index], index, radius: this.shaped.radii?.get(index) },
            {
              change: (fields) => this.#take(changes.changeCorner(sketch, index, fields)),
              remove: () => this.#remove({ kind, index }),
            },
          )
        : kind === "obstacle" && sketch.obstacles[index]
          ? buildObstacleFields(
              { obstacle: sketch.obstacles[index], index },
              {
                change: (fields) => this.#take(changes.changeObstacle(sketch, index, fields)),
                remove: () => this.#remove({ kind, index }),
              },
            )
          : "";
    this.fields.replaceChildren(
      chosen,
      buildCourseFields(sketch, (fields) => this.#take({ ...sketch, ...fields })),
    );
  }

  // A new state that can be undone.
  #take(sketch) {
    if (!sketch) return;
    this.sketch = sketch;
    this.#rest();
  }

  #go(sketch) {
    this.sketch = sketch;
    this.#changed();
  }

  #rest() {
    this.history.keep(this.sketch);
    this.#changed();
  }

  #changed() {
    this.#fault = null;
    this.shared.replaceChildren();
    this.#show();
    this.#showFields();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), CHECK_MS);
  }

  // A plus becomes a corner at once, which the same finger drags on.
  #pick(item, at) {
    if (item.kind === "edge") {
      const added = changes.addCorner(this.sketch, item.index, at);
      if (!added) return item;
      this.sketch = added;
      item = { kind: "corner", index: item.index + 1 };
    }
    this.#chosen = item;
    this.#show();
    this.#showFields();
    return item;
  }

  #move({ kind, index }, at) {
    if (kind === "corner") this.sketch = changes.moveCorner(this.sketch, index, at);
    else if (kind === "obstacle")
      this.sketch = changes.changeObstacle(this.sketch, index, { x: Math.round(at.x), y: Math.round(at.y) });
    else if (kind === "start") this.sketch = changes.moveStart(this.sketch, at);
    this.#fault = null;
    this.#show();
  }

  #remove({ kind, index }) {
    this.#chosen = null;
    if (kind === "corner") this.#take(changes.removeCorner(this.sketch, index));
    if (kind === "obstacle") this.#take(changes.removeObstacle(this.sketch, index));
  }

  // On the middle of the longest straight but the one with the line, where there is room for one.
  #addObstacle() {
    const { frame, pieces } = this.shaped;
    if (!pieces) return;
    let pen = { x: 0, y: 0, heading: 0 };
    let best = { length: 0, at: { x: 200, y: 0 } };
    for (const [place, piece] of pieces.entries()) {
      const turn = (Math.PI / 180) * pen.heading;
      if (piece.kind === "straight") {
        const { length_mm: length } = piece;
        const at = { x: pen.x + (Math.cos(turn) * length) / 2, y: pen.y + (Math.sin(turn) * length) / 2 };
        if (place && place < pieces.length - 1 && length > best.length) best = { length, at };
        pen = { ...pen, x: pen.x + Math.cos(turn) * length, y: pen.y + Math.sin(turn) * length };
      } else {
        const side = piece.turn === "left" ? 1 : -1;
        const end = turn + (side * piece.degrees * Math.PI) / 180;
        pen = {
          x: pen.x + side * piece.radius_mm * (Math.sin(end) - Math.sin(turn)),
          y: pen.y - side * piece.radius_mm * (Math.cos(end) - Math.cos(turn)),
          heading: pen.heading + side * piece.degrees,
        };
      }
    }
    const added = changes.addObstacle(this.sketch, fromTable(frame, best.at));
    if (!added) return;
    this.#chosen = { kind: "obstacle", index: added.obstacles.length - 1 };
    this.#take(added);
  }

  // Asks the rules whether a race can be held; an answer to an older drawing is of no use.
  async #check() {
    this.#asked += 1;
    const asked = this.#asked;
    if (!this.shaped.pieces) return;
    const { frame } = this.shaped;
    try {
      const { fault } = await command("/v1/courses/checks", this.#terms());
      if (asked !== this.#asked) return;
      this.problem.textContent = "";
      const at = fault?.at_mm ? fromTable(frame, { x: fault.at_mm[0], y: fault.at_mm[1] }) : null;
      this.#fault = fault ? { at, said: tellFault(fault) } : null;
      this.#show();
    } catch (error) {
      if (asked === this.#asked) this.problem.textContent = error.message;
    }
  }

  #terms() {
    return { ruleset: RULESET, course: toPlan(this.sketch, this.shaped) };
  }

  // Resolves to the hash, or to null where the course is not kept.
  async #keep() {
    this.problem.textContent = "";
    try {
      if (!this.account) {
        const name = /** @type {any} */ (this.querySelector("form [name=name]"));
        this.account = await signUp(name.value.trim());
        this.who.remove();
      }
      const { hash } = await command("/v1/courses", this.#terms());
      const url = `${location.origin}/?course=${hash}`;
      this.shared.replaceChildren("Kept. Whoever has this link races on it: ", el("a", { href: url }, url));
      await this.#listCourses();
      return hash;
    } catch (error) {
      this.problem.textContent = error.message;
      return null;
    }
  }

  async #race() {
    const hash = await this.#keep();
    if (hash) location.assign(`/?course=${hash}`);
  }

  #onKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "range") return;
    event.preventDefault();
    if (event.shiftKey ? this.history.canRedo : this.history.canUndo)
      this.#go(event.shiftKey ? this.history.redo() : this.history.undo());
  }
}

function tellFault({ place, expected, found }) {
  return `${place[0].toUpperCase()}${place.slice(1)}: expected ${expected}, found ${found}.`;
}

function readDraft() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

customElements.define("spina-courses", CoursesPage);
