// Attacks after the move: a javelin at a rival, a caltrop on a space that was driven through, on the board or from
// buttons.

import { button, el } from "../../parts/dom.js";
import { chariotName } from "../../parts/names.js";
import { count } from "../../parts/words.js";
import { callOwn, tellDistance, tellLane } from "./displays.js";

export function buildAttackPanel({ decision: { choices }, view, board, choose, act }) {
  const rivals = choices.targets.map(({ chariot, distance, damage_left: left }) => ({
    key: chariot,
    action: { kind: "throw_javelin", chariot },
    said: `javelin at ${chariotName(chariot)}`,
    told: `Javelin at ${chariotName(chariot)}, ${count(distance, "space")} away: ${left ? `${left} left` : "wrecked"}`,
    space: view.chariots.find((each) => each.colour === chariot).space,
    mark: "",
    kind: "offer-dear",
  }));
  const spaces = choices.spaces.map((space) => {
    const behind = tellBehind(space, view);
    return {
      key: space,
      action: { kind: "drop_caltrop", space },
      said: `caltrop ${behind}`,
      told: `Caltrop ${behind}`,
      short: behind.split(" ")[0],
      space,
      mark: "✶",
      kind: "offer-free",
    };
  });
  const offered = [...rivals, ...spaces];
  const buttons = offered.map((each) =>
    button(each.short ?? each.told, () => pick(each), { "aria-pressed": "false", "aria-label": each.told }),
  );
  const pick = (chosen) => {
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", `${offered[place] === chosen}`));
    board.offers.choose(chosen.key);
    choose(chosen.action, chosen.said);
  };
  board.offers.show(
    offered.map((each) => ({
      key: each.key,
      kind: each.kind,
      said: each.told,
      shapes: board.outlineOf(each.space, each.mark),
      onPick: () => pick(each),
    })),
  );
  return {
    element: el(
      "div",
      { class: "attack-panel" },
      el("p", {}, `Attack with ${callOwn(view)}: ${count(choices.attacks_left, "attack")} left.`),
      el("div", { class: "buttons" }, buttons.slice(0, rivals.length)),
      spaces.length ? el("p", { class: "note" }, "A caltrop on the way you came, so many spaces behind you:") : "",
      el("div", { class: "buttons" }, buttons.slice(rivals.length)),
      el(
        "div",
        { class: "buttons" },
        button("No more attacks", () => act({ kind: "pass" }, "no more attacks")),
      ),
    ),
    close: () => board.offers.show([]),
  };
}

// How far behind the chariot a space of its way lies, and in which lane where that is another one.
function tellBehind(name, { chariots, turn, track }) {
  const spaces = track.lanes.flatMap((lane) => lane.spaces);
  const own = chariots.find(({ colour }) => colour === turn.chariot).space;
  const [from, to] = [name, own].map((sought) => spaces.find((each) => each.name === sought).start_units);
  const behind = `${tellDistance((to - from + track.lap_units) % track.lap_units)} behind`;
  return tellLane(name) === tellLane(own) ? behind : `${behind}, ${tellLane(name)}`;
}
