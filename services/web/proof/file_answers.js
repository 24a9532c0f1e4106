// The answers of a game's API out of one file: its lines as they stand in it, and boards wherever there are such.

import { lineHash } from "../verify/line.js";

const NEWLINE = 0x0a;
const PAGE_MAX = 1_000;
const BOARDS_MAX = 64;
const ADDRESS = /^\/v1\/games\/([^/?]+)(?:\/(\w+))?(?:\?(.*))?$/;

// The lines of a log as objects with their hashes; a line that is no JSON is listed as unreadable, and keeps its place.
export async function readLog(log) {
  const found = [];
  for (let start = 0, end; start < log.length; start = end + 1) {
    end = log.indexOf(NEWLINE, start);
    if (end < 0) end = log.length;
    const raw = log.subarray(start, end);
    found.push({ line: { ...parseLine(raw), version: found.length + 1 }, hash: await lineHash(raw) });
  }
  return found;
}

// `log` is of readLog, `readBoards(from, to)` gives the shown game of each version. Requests about other things than
// this game get null.
export function answersOf({ game, log, readBoards }) {
  return async (address) => {
    const [, asked, part, query] = ADDRESS.exec(address) ?? [];
    if (asked !== game) return null;
    const given = new URLSearchParams(query);
    if (!part) return json((await readBoards(log.length, log.length))[0]);
    if (part === "events") {
      const after = Number(given.get("after"));
      const items = log.slice(after, after + PAGE_MAX).map(({ line }) => line);
      return json({ items, next: after + PAGE_MAX < log.length ? after + PAGE_MAX : null });
    }
    if (part !== "boards" || given.has("seat")) return json({ detail: "the file has the public's view alone" }, 404);
    const from = Number(given.get("from"));
    const to = Math.min(Number(given.get("to")), from + BOARDS_MAX - 1, log.length);
    return json({
      items: await readBoards(from, to),
      next: to < Number(given.get("to")) && to < log.length ? to + 1 : null,
    });
  };
}

export function json(body, status = 200) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

function parseLine(raw) {
  const unreadable = { type: "unreadable_line", kind: "outcome", by: "server", data: {} };
  try {
    const line = JSON.parse(new TextDecoder().decode(raw));
    return typeof line?.type === "string" && typeof line.data === "object" && line.data ? line : unreadable;
  } catch {
    return unreadable;
  }
}
