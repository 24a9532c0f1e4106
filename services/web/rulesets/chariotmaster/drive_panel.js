// A step of a chariot's turn: ways steered on the table or with sliders, and everything else as buttons.

import { button, el } from "../../parts/dom.js";
import { field, select } from "../../parts/field.js";
import { spaced } from "../../parts/words.js";
import { goTo, goWay } from "./base.js";
import { tellCm, tellRange, tellSide } from "./foreseen.js";
import { listSteps, rankEnds, tellEnd, tellLength } from "./steps.js";
import { TableMarks } from "./table_marks.js";

const HINGES = ["centre", "front_left", "front_right", "rear_left", "rear_right"];
const SUGGESTED_MAX = 12;

export function buildDrivePanel(asked) {
  const panel = new DrivePanel(asked);
  return { element: panel.element, close: () => panel.close() };
}

class DrivePanel {
  constructor({ decision: { choices }, view, board, choose }) {
    this.choices = choices;
    this.view = view;
    this.board = board;
    this.choose = choose;
    this.steps = listSteps(choices, view);
    this.ends = rankEnds(choices, view.turn);
    this.piece = view.pieces.find((each) => each.piece === choices.chariot);
    this.marks = new TableMarks(board, this.piece, {
      onWay: (way, um) => this.#dragWay(way, um),
      onTurn: (degrees) => this.#steer({ degrees }),
      onHinge: (hinge) => this.#steer({ hinge }),
    });
    this.marks.showLanes(
      this.steps
        .filter((each) => each.way)
        .map(({ way, lengths }) => ({
          way: way.way,
          low_um: Math.max(lengths[0].um, view.turn.min_um - view.turn.travelled_um),
          high_um: lengths.at(-1).um,
          contact_um: way.contact_um,
        })),
    );
    this.#showAttacks();
    this.#build();
    this.#begin();
  }

  close() {
    this.marks.close();
    this.board.offers.show([]);
  }

  #build() {
    const { turn } = this.view;
    this.buttons = this.steps.map((step) =>
      button(step.told, () => this.#pick(step), {
        class: "chip",
        "aria-pressed": "false",
        "data-tip": step.holdsBack ? "holds_back" : step.attack ? "attack" : step.key,
      }),
    );
    this.length = slider(() => this.#steer({ length: Number(this.length.value) }));
    this.lengthField = field("Length", this.length);
    this.lengthLabel = this.lengthField.querySelector("label");
    this.degrees = slider(() => this.#steer({ degrees: -Number(this.degrees.value) }));
    this.degreesField = field("Then turn", this.degrees);
    this.degreesLabel = this.degreesField.querySelector("label");
    this.hinge = select(
      "hinge",
      HINGES.map((each) => [each, spaced(each)]),
    );
    this.hinge.addEventListener("change", () => this.#steer({ hinge: this.hinge.value }));
    this.hingeField = field("Turn about", this.hinge);
    this.steering = el("div", { class: "steering" }, this.lengthField, this.degreesField, this.hingeField);
    this.looking = button(
      "",
      () => {
        this.marks.changeView();
        this.#tellLook();
      },
      { class: "chip" },
    );
    this.#tellLook();
    const go = turn.max_um > turn.min_um ? tellRange(Math.max(turn.min_um, 0), turn.max_um) : tellCm(turn.max_um);
    this.element = el(
      "div",
      { class: "drive-panel" },
      el(
        "p",
        {},
        `Your token is ${turn.token}: drive ${go} in this ` +
          `turn${turn.travelled_um ? `; ${tellCm(turn.travelled_um)} are done` : ""}. Stamina ` +
          `${this.view.chariots[this.choices.chariot].stamina.left}.`,
      ),
      el("div", { class: "chips", role: "group", "aria-label": "Steps" }, this.buttons),
      this.#buildSuggested(),
      this.steering,
      this.looking,
    );
  }

  // Whole steps in a list: for a quick choice, and for readers of the screen.
  #buildSuggested() {
    if (this.ends.length < 2) return "";
    const listed = this.ends.slice(0, SUGGESTED_MAX);
    const list = el(
      "select",
      { "aria-label": "Suggested ways" },
      el("option", { value: "" }, "Suggested ways …"),
      listed.map((each, place) => el("option", { value: place }, tellEnd(each))),
    );
    list.addEventListener("change", () => {
      if (listed[list.value]) this.#takeEnd(listed[list.value].action);
    });
    return list;
  }

  // With the best way; without one the turn ends, or the least harmful step is taken.
  #begin() {
    const [best] = this.ends;
    const find = (key) => this.steps.find((each) => each.key === key);
    const mayStop = find("stop");
    if (best && !(mayStop && best.end.gain_um <= 0)) this.#takeEnd(best.action);
    else this.#take(mayStop ?? find("announce") ?? find("brake") ?? this.steps[0]);
  }

  // A way begins with its best end.
  #pick(step) {
    const best = this.ends.find(({ action }) => (action.way ?? "turn") === step.key);
    if (best) this.#takeEnd(best.action);
    else this.#take(step);
  }

  #takeEnd({ way, distance_mm: mm, pivot }) {
    const step = this.steps.find((each) => each.key === (way ?? "turn"));
    this.#take(step, {
      length: way ? step.lengths.findIndex((each) => each.mm === (mm ?? null)) : 0,
      degrees: pivot?.degrees ?? 0,
      hinge: pivot?.hinge ?? "centre",
    });
  }

  #take(step, { length = step.lengths ? step.lengths.length - 1 : 0, degrees = 0, hinge = "centre" } = {}) {
    this.step = step;
    this.steps.forEach((each, place) => this.buttons[place].setAttribute("aria-pressed", `${each === step}`));
    this.steering.hidden = !step.way && !step.turns;
    this.lengthField.hidden = !step.way;
    this.board.offers.choose(step.key);
    this.marks.show(step.way ? goWay(this.piece.pose, step.way.way, step.lengths.at(-1).um) : this.piece.pose);
    if (step.action) this.#foresee(step);
    else this.#steer({ length, degrees, hinge });
  }

  // A step that is not steered: a skid shows where it leads.
  #foresee({ key, action, said }) {
    const { skid } = this.choices;
    if (skid && (key === "announce" || key === "go_on"))
      this.marks.showGhost(goTo(this.piece.pose, skid.heading, skid.distance_um));
    else this.marks.hideGhost();
    this.choose(action, said);
  }

  // The pointer goes where it likes; the way takes the nearest lawful length.
  #dragWay(way, um) {
    const step = this.steps.find((each) => each.key === way);
    if (!step) return;
    const length = step.lengths.reduce(
      (best, each, place) => (Math.abs(each.um - um) < Math.abs(step.lengths[best].um - um) ? place : best),
      0,
    );
    if (step === this.step) this.#steer({ length });
    else this.#take(step, { length });
  }

  // The pointer and the sliders both end here.
  #steer(changed) {
    const { step } = this;
    if (!step.way && !step.turns) return;
    this.steered = { ...this.steered, ...changed };
    const at = step.way ? step.lengths[this.steered.length] : null;
    const landing = at ? goWay(this.piece.pose, step.way.way, at.um) : this.piece.pose;
    const { hinge } = this.steered;
    const [left, right] = this.#findReach(at, hinge);
    const degrees = Math.min(Math.max(this.steered.degrees, -right), left);
    this.steered.degrees = degrees;
    this.#tellSteered(at, { left, right });
    this.marks.showGhost(landing, { hinge, degrees, reach: left + right });
    const pivot = degrees ? { hinge, degrees } : null;
    const turned = pivot ? `${at ? ", then " : ""}${tellSide(degrees)}` : "";
    if (at)
      this.choose(
        { kind: "make_sub_move", way: step.way.way, distance_mm: at.mm, pivot },
        `${spaced(step.way.way)} ${tellCm(at.um)}${turned}`,
      );
    else this.choose(pivot && { kind: "make_u_turn", pivot }, `turn ${turned}`);
  }

  // How far it may turn to the left and to the right: as measured, or by the token where only the preview measures.
  #findReach(at, hinge) {
    const { step, choices } = this;
    if (at?.isAcross) return [0, 0];
    const measured = at ? step.way.landings.find((each) => (each.distance_mm ?? null) === at.mm)?.pivots : step.turns;
    const found = measured?.find((each) => each.hinge === hinge);
    return found ? [found.left_degrees, found.right_degrees] : [choices.pivot_degrees, choices.pivot_degrees];
  }

  #tellSteered(at, { left, right }) {
    const { step } = this;
    const { length, degrees, hinge } = this.steered;
    if (at)
      tellSlider(this.length, {
        min: 0,
        max: step.lengths.length - 1,
        value: length,
        said: tellLength(at, step.way, this.view),
      });
    this.lengthLabel.textContent = at ? `Length: ${tellLength(at, step.way, this.view)}` : "";
    // To the right is to the right of the slider.
    tellSlider(this.degrees, { min: -left, max: right, value: -degrees, said: tellSide(degrees) });
    this.degreesLabel.textContent = `Then turn: ${tellSide(degrees)}`;
    this.degreesField.hidden = this.hingeField.hidden = left + right === 0;
    this.hinge.value = hinge;
  }

  // Rivals beside the chariot can be attacked by a click on the part.
  #showAttacks() {
    this.board.offers.show(
      this.steps
        .filter((each) => each.attack && !each.holdsBack)
        .map((step) => {
          const { parts } = this.view.pieces.find((each) => each.piece === step.attack.target);
          return {
            key: step.key,
            kind: "offer-dear",
            said: step.told,
            shapes: TableMarks.outline(parts[step.attack.part]),
            onPick: () => this.#take(step),
          };
        }),
    );
  }

  #tellLook() {
    this.looking.textContent = this.marks.isClose ? "See the whole table" : "See from close";
  }
}

function tellSlider(made, { min, max, value, said }) {
  Object.assign(made, { min, max, value });
  made.setAttribute("aria-valuetext", said);
}

function slider(onInput) {
  const made = el("input", { type: "range", step: 1 });
  made.addEventListener("input", onInput);
  return made;
}
