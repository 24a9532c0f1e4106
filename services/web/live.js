// How a page learns what happens next: pushed where the server pushes, asked for politely where it does not.
// Lines are handed on in order and once each; this is the one place that knows which way they came.

import { readEvents } from "./api.js";

// A turn takes its driver some seconds; a reader who asks is then hardly later than one who is told.
const POLL_MS = 2_000;
const POLL_MS_MAX = 30_000;

// The last line of every game.
export const LAST = "secret_disclosed";

// Calls onLine(line) for everything after `after`, and onState("live" | "lost" | "over") as it changes.
export function follow(game, after, { onLine, onState }) {
  const followed = { game, version: after, isOver: false, onLine, onState };
  const stream = new EventSource(`/v1/games/${encodeURIComponent(game)}/live?after=${after}`);
  stream.onopen = () => onState("live");
  stream.onmessage = (message) => {
    const { line } = JSON.parse(message.data);
    take(followed, line);
    // A hole means that something was lost on the way: the log itself has it.
    if (line.version > followed.version) catchUp(followed).catch(() => onState("lost"));
    if (followed.isOver) stream.close();
  };
  stream.onerror = () => {
    // Closed for good: there is no stream here, or nothing more can come.
    if (stream.readyState === EventSource.CLOSED) poll(followed);
    else onState("lost");
  };
}

function take(followed, line) {
  if (line.version !== followed.version + 1) return;
  followed.version = line.version;
  followed.onLine(line);
  if (line.type !== LAST) return;
  followed.isOver = true;
  followed.onState("over");
}

async function poll(followed) {
  let pause = POLL_MS;
  while (!followed.isOver) {
    try {
      await catchUp(followed);
      if (!followed.isOver) followed.onState("live");
      pause = POLL_MS;
    } catch {
      followed.onState("lost");
      pause = Math.min(pause * 2, POLL_MS_MAX);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    while (document.hidden) await becomesVisible();
  }
}

async function catchUp(followed) {
  for (let hasMore = true; hasMore; ) {
    const page = await readEvents(followed.game, followed.version);
    page.items.forEach((line) => take(followed, line));
    hasMore = page.next !== null;
  }
}

function becomesVisible() {
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}
