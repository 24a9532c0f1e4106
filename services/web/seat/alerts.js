// It is your turn: shown by a sound and a notification where the player asked for them. Where the browser has a push
// service, the server sends the notification, also to a closed page; else the page shows it while it is hidden.

import { el } from "../parts/dom.js";
import { tick } from "../parts/field.js";
import { findOwnWay, HAS_PUSH, renew, subscribe, unsubscribe } from "../parts/push.js";
import { readTitle } from "../parts/title.js";

const PLACE = "spina-alerts";
const TONES_HZ = [523, 784];
const TONE_S = 0.14;

/** @type {AudioContext | null} */
let context = null;

// The player's choices of this browser: {sound, notice}. Both are off until they are chosen.
function readChosen() {
  return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
}

export function buildAlertChoices() {
  renew().catch(() => null);
  const chosen = readChosen();
  const offer = (name, said, onChange) => {
    const made = tick(name, name, said, { isTicked: Boolean(chosen[name]) });
    made.addEventListener("change", ({ target }) => {
      localStorage.setItem(PLACE, JSON.stringify({ ...readChosen(), [name]: target.checked }));
      onChange(target.checked, made);
    });
    return made;
  };
  return el(
    "div",
    { class: "alerts" },
    offer("sound", "Sound when it is my turn", (isOn) => isOn && playTones()),
    "Notification" in globalThis
      ? offer("notice", `Notification when this tab is hidden${HAS_PUSH ? " or closed" : ""}`, changeNotices)
      : "",
    HAS_PUSH ? el("a", { class: "note", href: "/account" }, "Mail, quiet hours and more") : "",
  );
}

// A browser that refuses once does not ask again.
async function changeNotices(isOn, made) {
  made.querySelector(".note")?.remove();
  if (!isOn) {
    await unsubscribe();
    return;
  }
  if ((await Notification.requestPermission()) !== "granted") {
    made.querySelector("input").checked = false;
    made.append(el("span", { class: "note" }, "This browser blocks notifications of this site."));
  } else if (HAS_PUSH) {
    await subscribe().catch(({ message }) =>
      made.append(el("span", { class: "note" }, ` Only while this tab is open: ${message}`)),
    );
  }
}

export function callToTurn(said = "It is your turn") {
  const { sound, notice } = readChosen();
  if (sound) playTones();
  if (notice && document.hidden && !findOwnWay() && Notification.permission === "granted")
    new Notification(said, { body: readTitle(), tag: location.pathname });
}

// Two tones, made here.
function playTones() {
  const playing = context ?? new AudioContext();
  context = playing;
  TONES_HZ.forEach((frequency, place) => {
    const tone = new OscillatorNode(playing, { type: "triangle", frequency });
    const volume = new GainNode(playing, { gain: 0.15 });
    const start = playing.currentTime + place * TONE_S;
    volume.gain.exponentialRampToValueAtTime(0.001, start + 3 * TONE_S);
    tone.connect(volume).connect(playing.destination);
    tone.start(start);
    tone.stop(start + 3 * TONE_S);
  });
}
