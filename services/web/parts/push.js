// Notices of this browser by Web Push: asked for and given up for one account. The id of its way is kept beside.

import { command, read } from "./api.js";

export const HAS_PUSH = "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

const PLACE = "spina-push";
const WORKER = "/sw.js";
// Each kind of notice with its words, the most urgent first.
export const KINDS = [
  ["your_turn", "It is my turn"],
  ["seat_offered", "A seat is offered to me"],
  ["seat_handed", "A house bot plays my seat"],
  ["game_started", "A game starts"],
  ["game_over", "A game is over"],
  ["round_called", "A round is called"],
  ["table_drawn", "My table is drawn"],
  ["ruling", "A ruling is about me"],
  ["announced", "The organisers say something"],
  ["organiser_called", "Somebody calls me as an organiser or helper"],
];
/** @type {{ createScriptURL(url: string): any } | null} */
let policy = null;

// The id of this browser's way, or null.
export function findOwnWay() {
  return localStorage.getItem(PLACE);
}

// Makes a way of this browser, or takes it over from its last subscription with all that was chosen. Raises an error in
// words where the browser blocks notices or reaches no push service.
export async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("This browser blocks notifications of this site.");
  const { items, push_key: applicationServerKey } = await read("/v1/account/ways");
  const before = items.find(({ id }) => id === findOwnWay());
  await unsubscribe();
  policy ??= globalThis.trustedTypes?.createPolicy("spina-notices", { createScriptURL: () => WORKER });
  const registration = await navigator.serviceWorker.register(policy ? policy.createScriptURL(WORKER) : WORKER);
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey })
    .catch((error) => {
      throw new Error(`This browser reaches no push service: ${error.message}`);
    });
  const { endpoint: url, keys } = subscription.toJSON();
  const { id } = await addWay(nameBrowser(), { kind: "browser", url, ...keys }, before);
  localStorage.setItem(PLACE, id);
}

// A new way begins with all kinds of notices, at all hours; another takes the place of the one before.
export function addWay(name, to, before = { name, kinds: KINDS.map(([kind]) => kind), quiet: null }) {
  return command("/v1/account/ways", { name: before.name, kinds: before.kinds, quiet: before.quiet, to });
}

// Subscribes again where the browser has lost its subscription.
export async function renew() {
  if (!findOwnWay() || (await findSubscription())) return;
  await (Notification.permission === "granted" ? subscribe() : unsubscribe());
}

// Nothing is shown here from now on, also where the server does not hear of it: the push service then reports it.
export async function unsubscribe() {
  const way = findOwnWay();
  localStorage.removeItem(PLACE);
  await (await findSubscription())?.unsubscribe();
  if (way) await command("/v1/account/ways/removals", { way }).catch(() => null);
}

async function findSubscription() {
  const registration = HAS_PUSH ? await navigator.serviceWorker.getRegistration("/") : null;
  return registration?.pushManager.getSubscription();
}

// As the list of signed-in browsers names them: `Firefox on Linux`.
function nameBrowser() {
  const browser = /Edg|Firefox|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? "A browser";
  const machine = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0];
  return `${browser.replace("Edg", "Edge")}${machine ? ` on ${machine}` : ""}`;
}
