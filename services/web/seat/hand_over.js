// Seats and entries in own custody, handed to another device inside of the link that signs it in. They stand behind the
// "#" of the address, which no browser sends: the server never sees them.
//
//   seats=DATA   base64url over deflated JSON: [{"game", "seat", "publicKey", "lastLink", "pkcs8", "sealed"}, …]

import { read, readGame } from "../parts/api.js";
import { fromBase64, fromText, toBase64, toText } from "../verify/bytes.js";
import { followSecrets, listSecrets, readSecrets } from "./own_secrets.js";

const NOT_FOUND = 404;
const OVER = new Set(["finished", "aborted"]);

// Those that are played on, as text for a link and how many; null where only the server's custody was chosen.
export async function packSeats() {
  const own = (await listSecrets()).filter(({ custody, lastLink }) => custody === "own" && lastLink);
  const packed = (await Promise.all(own.map(pack))).filter(Boolean);
  if (!packed.length) return null;
  const bytes = await pipe(fromText(JSON.stringify(packed)), new CompressionStream("deflate-raw"));
  const text = toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return { text, count: packed.length };
}

// Writes them down here. The secrets of this browser's own seat in the same game stay.
export async function unpackSeats(text) {
  const padded = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .padEnd(Math.ceil(text.length / 4) * 4, "=");
  const bytes = await pipe(fromBase64(padded), new DecompressionStream("deflate-raw"));
  for (const secrets of JSON.parse(toText(bytes))) {
    const known = await readSecrets(secrets.game);
    if (known && known.lastLink !== secrets.lastLink) continue;
    const sealed = { ...(await known?.pack())?.sealed, ...secrets.sealed };
    await followSecrets({ ...secrets, sealed, custody: "own" });
  }
}

// Without the actions that were opened long ago; null for a game that is over.
async function pack(secrets) {
  const { game, seat, publicKey, pkcs8, sealed } = await secrets.pack();
  const shown = await readStream(game);
  if (!shown || OVER.has(shown.status)) return null;
  const open = (shown.sealed ?? []).filter((decision) => decision in sealed);
  const { lastLink } = secrets;
  const kept = Object.fromEntries(open.map((decision) => [decision, sealed[decision]]));
  return { game, seat, publicKey, lastLink, pkcs8, sealed: kept };
}

// A game, or the tournament of an entry; null where neither is there any more.
async function readStream(id) {
  for (const look of [() => readGame(id).then(({ body }) => body), () => read(`/v1/tournaments/${id}`)]) {
    try {
      return await look();
    } catch (error) {
      if (error.status !== NOT_FOUND) throw error;
    }
  }
  return null;
}

async function pipe(bytes, through) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(through));
  return new Uint8Array(await answer.arrayBuffer());
}
