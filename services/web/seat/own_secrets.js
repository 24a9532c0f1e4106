// The secrets of this browser's seats and entries, in its store.

import { SeatSecrets } from "./seat_secrets.js";
import { find, keep, list } from "./store.js";

const save = (secrets) => keep("seats", secrets.game, secrets.kept);

// Those of a seat in a game, or of an entry in a tournament, or null.
export async function readSecrets(stream) {
  const kept = await find("seats", stream);
  return kept ? new SeatSecrets(kept, save) : null;
}

// Of every seat and entry; the store has links to seats of friends as well.
export async function listSecrets() {
  const all = await list("seats");
  return all.filter(({ links }) => links).map((kept) => new SeatSecrets(kept, save));
}

/** @param {Parameters<typeof SeatSecrets.build>[0]} options */
export function buildSecrets(options) {
  return SeatSecrets.build(options, save);
}

export function unpackSecrets(packed) {
  return SeatSecrets.unpack(packed, save);
}

export function followSecrets(link) {
  return SeatSecrets.follow(link, save);
}
