// Sitting down at a game as this browser's account: secrets first, then the seat. The game's page gets ready by itself.

import { readGame } from "../parts/api.js";
import { keepLinks } from "./kept_links.js";
import { buildSecrets, readSecrets } from "./own_secrets.js";
import { SeatAt } from "./seat_at.js";
import { sendCommand } from "./sender.js";

// A seat of this browser's account. `options` are those of SeatAt.
export function ownSeat(account, secrets, options = {}) {
  return new SeatAt(account, secrets, { readGame, send: sendCommand, ...options });
}

/**
 * Takes the seat; after an interruption it goes on with the secrets that were kept. At a table of a `tournament` the
 * custody and the key are those of the entry.
 * @param {{ game: string, seat: number, custody?: string, account: any, invitation?: string | null,
 *   tournament?: string | null }} options
 */
export async function sitDown({ game, seat, custody = undefined, account, invitation = null, tournament = null }) {
  const entry = tournament ? await readSecrets(tournament) : null;
  const kept = await readSecrets(game);
  const secrets =
    kept?.seat === seat ? kept : await buildSecrets({ game, seat, custody: entry?.custody ?? custody, entry });
  await keepLinks(secrets);
  await ownSeat(account, secrets).take(invitation);
}
