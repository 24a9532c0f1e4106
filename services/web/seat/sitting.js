// Sitting down at a game as this browser's account: secrets first, then the seat. The game's page gets ready by itself.

import { keepLinks } from "./kept_links.js";
import { SeatAt } from "./seat_at.js";
import { SeatSecrets } from "./seat_secrets.js";

/**
 * Takes the seat; after an interruption it goes on with the secrets that were kept. At a table of a `tournament` the
 * custody and the key are those of the entry.
 * @param {{ game: string, seat: number, custody?: string, account: any, invitation?: string | null,
 *   tournament?: string | null }} options
 */
export async function sitDown({ game, seat, custody = undefined, account, invitation = null, tournament = null }) {
  const entry = tournament ? await SeatSecrets.read(tournament) : null;
  const kept = await SeatSecrets.read(game);
  const secrets =
    kept?.seat === seat ? kept : await SeatSecrets.build({ game, seat, custody: entry?.custody ?? custody, entry });
  await keepLinks(secrets);
  await new SeatAt(account, secrets).take(invitation);
}
