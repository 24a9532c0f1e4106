// Notices of this browser by Web Push: asked for and given up for one account. The id of its way is kept beside.

import { command, read } from "./api.js";

export const HAS_PUSH = "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

const PLACE = "spina-push";
const WORKER = "/sw.js";
// Each kind of notice with its words, the most urgent first.
export const KINDS = [["your_turn", "It is my turn"], ["seat_offered", "A seat is offered to me"], ["game_started", "A game starts"], ["game_over", "A game is over"],
  ["round_called", "A round is called"], ["table_drawn", "My table is drawn"], ["ruling", "A ruling is about me"]];
const policy = globalThis.trustedTypes?.createPolicy("spina-notices", { createScriptURL: () => WORKER });

// The id of this browser's way, or null.
export function findOwnWay() {
  return localStorage.getItem(PLACE);
}

// Raises an error in words where the browser blocks notices or reaches no push service.
export async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("This browser blocks notifications of this site.");
  await unsubscribe();
  const { push_key: applicationServerKey } = await read("/v1/account/ways");
  const registration = await navigator.serviceWorker.register(policy ? policy.createScriptURL(WORKER) : WORKER);
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch((error) => {
    throw new Error(`This browser reaches no push service: ${error.message}`);
  });
  const { endpoint: url, keys } = subscription.toJSON();
  const { id } = await addWay(nameBrowser(), { kind: "browser", url, ...keys });
  localStorage.setItem(PLACE, id);
}

// A new way begins with all kinds of notices, at all hours.
export function addWay(name, to) {
  return command("/v1/account/ways", { name, kinds: KINDS.map(([kind]) => kind), quiet: null, to });
}

// Nothing is shown here from now on, also where the server does not hear of it: the push service then tells it.
export async function unsubscribe() {
  const way = findOwnWay();
  localStorage.removeItem(PLACE);
  const registration = HAS_PUSH && (await navigator.serviceWorker.getRegistration("/"));
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  if (way) await command("/v1/account/ways/removals", { way }).catch(() => null);
}

// As the list of signed-in browsers names them: `Firefox on Linux`.
function nameBrowser() {
  const browser = /Edg|Firefox|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? "A browser";
  const machine = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0];
  return `${browser.replace("Edg", "Edge")}${machine ? ` on ${machine}` : ""}`;
}
