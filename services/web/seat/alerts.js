// It is your turn: told by a sound and a notification where the player asked for them.

import { tick } from "../field.js";
import { el } from "../dom.js";
import { readTitle } from "../title.js";

const PLACE = "spina-alerts";
const TONES_HZ = [523, 784];
const TONE_S = 0.14;

let context = null;

// The player's choices of this browser: {sound, notice}. Both are off until they are chosen.
function readChosen() {
  return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
}

export function buildAlertChoices() {
  const chosen = readChosen();
  const offer = (name, said, onChosen) => {
    const made = tick(name, name, said, { isTicked: Boolean(chosen[name]) });
    made.addEventListener("change", ({ target }) => {
      localStorage.setItem(PLACE, JSON.stringify({ ...readChosen(), [name]: target.checked }));
      if (target.checked) onChosen(made);
    });
    return made;
  };
  return el("div", { class: "alerts" }, offer("sound", "Sound when it is my turn", playTones),
    "Notification" in globalThis ? offer("notice", "Notification when this tab is hidden", askToNotify) : "");
}

// A browser that refuses once does not ask again.
async function askToNotify(made) {
  if ((await Notification.requestPermission()) === "granted") return;
  made.querySelector("input").checked = false;
  made.append(el("span", { class: "note" }, "This browser blocks notifications of this site."));
}

export function callToTurn(said = "It is your turn") {
  const { sound, notice } = readChosen();
  if (sound) playTones();
  if (notice && document.hidden && Notification.permission === "granted") new Notification(said, { body: readTitle(), tag: location.pathname });
}

// Two tones, made here.
function playTones() {
  context ??= new AudioContext();
  TONES_HZ.forEach((frequency, place) => {
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0.15 });
    const start = context.currentTime + place * TONE_S;
    volume.gain.exponentialRampToValueAtTime(0.001, start + 3 * TONE_S);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 3 * TONE_S);
  });
}
