// Which version is shown, and why: the present, a moment that the viewer chose, or a running replay. Knows no boards.

// So long at most is a turn that came at once played out, however much it holds.
const CATCH_UP_MS = 4_000;

export class Playhead {
  version;
  newest;
  isAtPresent = true;
  isPlaying = false;
  #timer = null;
  #restMax = CATCH_UP_MS;
  #handlers;

  // Calls onMove() whenever anything here is another; asks isReady(version) before it plays on, pace() for events a second,
  // and restAt(version) for how long a reader of the present looks at an event, in ms.
  constructor(version, handlers) {
    this.version = version;
    this.newest = version;
    this.#handlers = handlers;
  }

  // The game went on.
  grow(newest) {
    if (newest <= this.newest) return;
    // A turn that is already being played out takes the further events with it.
    const isBehind = this.version < this.newest;
    this.newest = newest;
    this.#restMax = CATCH_UP_MS / (newest - this.version);
    if (this.isAtPresent && !isBehind) this.#catchUp();
    else this.#handlers.onMove();
  }

  // The events of one command come at once; a reader of the present sees them one after the other.
  #catchUp() {
    do this.version += 1;
    while (this.version < this.newest && this.#restNow() === 0);
    this.#handlers.onMove();
    if (this.version < this.newest) this.#timer = setTimeout(() => this.#catchUp(), this.#restNow());
  }

  #restNow() {
    return Math.min(this.#handlers.restAt(this.version), this.#restMax);
  }

  seek(version) {
    if (this.isAtPresent) this.#stop();
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
