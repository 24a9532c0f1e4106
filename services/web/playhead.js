// Which version is shown, and why: the present, a moment that the viewer chose, or a running replay. Knows no boards.

export class Playhead {
  version;
  newest;
  isAtPresent = true;
  isPlaying = false;
  #timer = null;
  #handlers;

  // Calls onMove() whenever anything here is another; asks isReady(version) before it plays on, and pace() for events a second.
  constructor(version, handlers) {
    this.version = version;
    this.newest = version;
    this.#handlers = handlers;
  }

  // The game went on.
  grow(newest) {
    if (newest <= this.newest) return;
    this.newest = newest;
    if (this.isAtPresent) this.version = newest;
    this.#handlers.onMove();
  }

  seek(version) {
    this.isAtPresent = false;
    this.version = Math.min(Math.max(version, 1), this.newest);
    this.#handlers.onMove();
  }

  joinPresent() {
    this.#stop();
    this.isAtPresent = true;
    this.version = this.newest;
    this.#handlers.onMove();
  }

  play() {
    this.#stop();
    if (this.version >= this.newest) this.version = 1;
    this.isPlaying = true;
    this.isAtPresent = false;
    this.#handlers.onMove();
    this.#wait();
  }

  pause() {
    this.#stop();
    this.#handlers.onMove();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.isPlaying = false;
  }

  #wait() {
    this.#timer = setTimeout(() => this.#step(), 1000 / this.#handlers.pace());
  }

  #step() {
    if (this.version >= this.newest) {
      this.joinPresent();
      return;
    }
    // A board that is not there yet holds the replay up, not the other way round.
    if (this.#handlers.isReady(this.version)) {
      this.version += 1;
      this.#handlers.onMove();
    }
    this.#wait();
  }
}
