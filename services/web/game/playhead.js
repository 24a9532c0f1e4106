// Which version is shown, and why: the present, a moment that the viewer chose, or a running replay. Knows no boards.

// So long at most is a turn that came at once played out, on a slow machine too.
const CATCH_UP_MS = 4_000;
// More events than these are several turns: a reader so far behind goes on with the present.
const BEHIND_MAX = 100;

export class Playhead {
  version;
  newest;
  isAtPresent = true;
  isPlaying = false;
  #timer = null;
  #until_ms = 0;
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
    if (!this.isAtPresent || isBehind) {
      this.#handlers.onMove();
      return;
    }
    this.#until_ms = Date.now() + CATCH_UP_MS;
    this.#catchUp();
  }

  // The events of one command come at once; a reader of the present sees them one after the other.
  #catchUp() {
    if (Date.now() >= this.#until_ms || this.newest - this.version > BEHIND_MAX) this.version = this.newest;
    while (this.version < this.newest) {
      this.version += 1;
      if (this.#restNow() > 0) break;
    }
    this.#handlers.onMove();
    if (this.version < this.newest) this.#timer = setTimeout(() => this.#catchUp(), this.#restNow());
  }

  #restNow() {
    const behind = this.newest - this.version;
    return behind ? Math.min(this.#handlers.restAt(this.version), CATCH_UP_MS / behind) : 0;
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
