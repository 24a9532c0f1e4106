// The service worker of the pages: shows a notice that comes while no page shows it. It handles no request of a page,
// and keeps nothing.

// Pages that call a player to a turn or a round by themselves.
const CALLING = /^\/(games|tournaments)\//;

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);

worker.addEventListener("push", (event) => event.data && event.waitUntil(tell(event.data.json())));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data));
});

// Silent where such a page is in front. A later notice of a game takes the place of the one before.
/** @param {{ title: string, text: string, path: string, challenge?: string }} notice */
async function tell({ title, text, path, challenge }) {
  if (challenge) await answer(challenge);
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (CALLING.test(path) && pages.some((page) => page.visibilityState === "visible" && pathOf(page) === path)) return;
  await worker.registration.showNotification(title, { body: text, tag: path, renotify: true, data: path });
}

// The server uses a subscription once its browser has answered; a challenge that was not answered comes again.
/** @param {string} key */
async function answer(key) {
  const body = JSON.stringify({ key });
  const headers = { "content-type": "application/json" };
  await fetch("/v1/notices/answers", { method: "POST", headers, body }).catch(() => null);
}

// To the page that shows it already, or to a new one.
/** @param {string} path */
async function lead(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => pathOf(page) === path);
  await (open ? open.focus() : worker.clients.openWindow(path));
}

/** @param {WindowClient} page */
function pathOf(page) {
  return new URL(page.url).pathname;
}
