// One tab plays a game: two that answered at once would use one link twice. The others show the race, and may take
// over.

export class TabLock {
  #name;
  #handlers;

  // Calls onHeld() when this tab may play, and onElsewhere() when another one does.
  constructor(game, handlers) {
    this.#name = `spina/seat/${game}`;
    this.#handlers = handlers;
  }

  hold() {
    // Over plain http from another machine browsers have no locks; there every tab may play.
    if (navigator.locks) this.#request({ ifAvailable: true });
    else this.#handlers.onHeld();
  }

  // Takes the game from the tab that plays it.
  takeOver() {
    this.#request({ steal: true });
  }

  #request(options) {
    const wait = () => {
      this.#handlers.onElsewhere();
      this.#request({});
    };
    const held = (lock) => {
      if (!lock) return wait();
      this.#handlers.onHeld();
      // Held until the tab is closed, or the lock is taken.
      return new Promise(() => null);
    };
    navigator.locks.request(this.#name, options, held).catch((error) => error.name === "AbortError" && wait());
  }
}
