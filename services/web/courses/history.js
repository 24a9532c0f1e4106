// The steps of a drawing that can be undone and done again.

// Of some hundred bytes each.
const STEPS_MAX = 200;

export class History {
  #steps;
  #at = 0;

  constructor(value) {
    this.#steps = [JSON.stringify(value)];
  }

  get canUndo() {
    return this.#at > 0;
  }

  get canRedo() {
    return this.#at < this.#steps.length - 1;
  }

  // Keeps a value, unless it is the last one.
  keep(value) {
    const text = JSON.stringify(value);
    if (text === this.#steps[this.#at]) return;
    this.#steps = [...this.#steps.slice(0, this.#at + 1), text].slice(-STEPS_MAX);
    this.#at = this.#steps.length - 1;
  }

  undo() {
    this.#at = Math.max(0, this.#at - 1);
    return JSON.parse(this.#steps[this.#at]);
  }

  redo() {
    this.#at = Math.min(this.#steps.length - 1, this.#at + 1);
    return JSON.parse(this.#steps[this.#at]);
  }
}
