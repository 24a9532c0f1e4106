// The secrets of seats in a folder of the player's own (Node), so that a program that was killed plays on.

import { mkdir, open, readFile, rename, rm } from "node:fs/promises";

/** One file for each game, for its owner alone to read. A reader of the folder can play the seats. */
export class KeptSeats {
  #folder;

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * The secrets that were kept for a game, or null.
   * @param {string} game
   * @returns {Promise<object | null>}
   */
  async read(game) {
    try {
      return JSON.parse(await readFile(this.#path(game), "utf8"));
    } catch (error) {
      if (error.code === "ENOENT") return null;
      // Neither the text nor the parser's reason is in the message: either may quote a secret.
      throw new Error(`expected kept secrets in ${this.#path(game)}, found another text`);
    }
  }

  /**
   * Keeps them whole or not at all, on the disk before it resolves.
   * @param {string} game
   * @param {object} packed
   */
  async keep(game, packed) {
    await mkdir(this.#folder, { mode: 0o700, recursive: true });
    const unfinished = `${this.#path(game)}.new`;
    const file = await open(unfinished, "w", 0o600);
    try {
      await file.writeFile(JSON.stringify(packed));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, this.#path(game));
  }

  /** @param {string} game */
  async forget(game) {
    await rm(this.#path(game), { force: true });
  }

  #path(game) {
    return `${this.#folder}/${game}.seat`;
  }
}
