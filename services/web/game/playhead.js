// Which version is shown, and why: the present, a moment that the viewer chose, or a running replay. Knows no boards.

// More events than these are several turns: a reader so far behind goes on with the present.
const BEHIND_MAX = 160;
// A board that is not there yet is looked for again after this time.
const WAIT_MS = 150;

export class Playhead {
  version;
  newest;
  isAtPresent = true;
  isPlaying = false;
  #timer = null;
  #isCatchingUp = false;
  #share = 1;
  #handlers;

  // Calls onMove() whenever anything here is another. Asks beat(version) for how long a reader looks at an event, in
  // ms; catchUp() for {factor, whole_ms} of a reader of the present; speed() for the factor of a replay;
  // isReady(version) before it plays on.
  constructor(version, handlers) {
    this.version = version;
    this.newest = version;
    this.#handlers = handlers;
  }

  // The game went on.
  grow(newest) {
    if (newest <= this.newest) return;
    this.newest = newest;
    if (!this.isAtPresent) {
      this.#handlers.onMove();
      return;
    }
    this.#catchUpFrom(this.version);
  }

  // Shows what came since a version once more, and goes on with the present.
  again(version) {
    this.#stop();
    this.isAtPresent = true;
    this.version = Math.max(1, version - 1);
    this.#catchUpFrom(this.version);
  }

  // How long a replay looks at an event, in ms.
  restAt(version) {
    return this.#handlers.beat(version) / this.#handlers.speed();
  }

  get isBehind() {
    return this.isAtPresent && this.version < this.newest;
  }

  // The events of one command come at once; a reader of the present sees them one after the other, a long turn faster.
  #catchUpFrom(version) {
    const { whole_ms: whole } = this.#handlers.catchUp();
    let sum = 0;
    for (let at = version + 1; at < this.newest; at += 1) sum += this.#handlers.beat(at);
    const isJump = this.newest - version > BEHIND_MAX;
    const { factor } = this.#handlers.catchUp();
    this.#share = isJump ? 0 : Math.min(factor, sum ? whole / sum : 0);
    // A turn that is already being played out takes the further events with it.
    if (this.#isCatchingUp && !isJump) {
      this.#handlers.onMove();
      return;
    }
    this.#catchUp();
  }

  #catchUp() {
    clearTimeout(this.#timer);
    const rest = this.#step(this.#share);
    this.#isCatchingUp = this.version < this.newest;
    this.#handlers.onMove();
    if (this.#isCatchingUp) this.#timer = setTimeout(() => this.#catchUp(), rest);
  }

  // Goes on to the next event looked at, and states for how long it is.
  #step(share) {
    while (this.version < this.newest) {
      this.version += 1;
      const rest = this.#handlers.beat(this.version) * share;
      if (rest > 0) return rest;
    }
    return 0;
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
    this.#wait(this.restAt(this.version));
  }

  pause() {
    this.#stop();
    this.#handlers.onMove();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.isPlaying = false;
    this.#isCatchingUp = false;
  }

  #wait(rest) {
    this.#timer = setTimeout(() => this.#playOn(), rest);
  }

  #playOn() {
    if (this.version >= this.newest) {
      this.joinPresent();
      return;
    }
    // A board that is not there yet holds the replay up, not the other way round.
    if (!this.#handlers.isReady(this.version)) {
      this.#wait(WAIT_MS);
      return;
    }
    this.#step(1);
    this.#handlers.onMove();
    this.#wait(this.restAt(this.version));
  }
}
