// How a page learns what happens next: pushed where the server pushes, asked for politely where it does not.
// Lines are handed on in order and once each; this is the one place that knows which way they came.

import { readEvents } from "./api.js";

// A turn takes its driver some seconds; a reader who asks is then hardly later than one who is told.
const POLL_MS = 2_000;
const POLL_MS_MAX = 30_000;

// Calls onLine(line) for everything after `after`, and onState("live" | "lost" | "over") as it changes.
export function follow(game, after, { onLine, onState }) {
  let known = after;
  const take = (line) => {
    if (line.version !== known + 1) return false;
    known = line.version;
    onLine(line);
    return true;
  };
  const stream = new EventSource(`/v1/games/${encodeURIComponent(game)}/live?after=${after}`);
  stream.onopen = () => onState("live");
  stream.onmessage = (message) => {
    const { line } = JSON.parse(message.data);
    // A hole means that something was lost on the way: the log itself has it.
    if (line.version > known && !take(line)) catchUp(game, () => known, take).catch(() => onState("lost"));
  };
  stream.onerror = () => {
    if (stream.readyState !== EventSource.CLOSED) onState("lost");
    // Closed for good: there is no stream here, or nothing more can come.
    else poll(game, () => known, take, onState);
  };
}

async function poll(game, known, take, onState) {
  let pause = POLL_MS;
  for (;;) {
    try {
      const isOver = await catchUp(game, known, take);
      onState(isOver ? "over" : "live");
      if (isOver) return;
      pause = POLL_MS;
    } catch {
      onState("lost");
      pause = Math.min(pause * 2, POLL_MS_MAX);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    while (document.hidden) await becomesVisible();
  }
}

async function catchUp(game, known, take) {
  for (;;) {
    const page = await readEvents(game, known());
    page.items.forEach(take);
    if (page.items.some((line) => line.type === "secret_disclosed")) return true;
    if (page.next === null) return false;
  }
}

function becomesVisible() {
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}
