// Links in the server's custody: kept by the server for the other devices of the account, which play on after signing
// in. Secrets in own custody leave the browser in a link or a file for another device, which the server never sees.

import { command, read } from "../parts/api.js";
import { untilAnswered } from "../parts/reaching.js";
import { followSecrets, readSecrets } from "./own_secrets.js";

// Before the seat or the entry is taken with them.
export async function keepLinks(secrets) {
  const { game: stream, lastLink: link, custody } = secrets;
  if (custody === "server" && link) await untilAnswered(() => command("/v1/account/links", { stream, link }));
}

// The secrets of a seat or an entry in this browser, or those that another device kept with the server; null where
// these are neither here nor there. `seat` is null for an entry.
export async function findSecrets(stream, seat) {
  const own = await readSecrets(stream);
  if (own) return own;
  const { link } = await untilAnswered(() => read(`/v1/account/links/${stream}`));
  return link && followSecrets({ game: stream, seat, lastLink: link });
}
