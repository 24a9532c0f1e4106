// The race history from the lines: where turns and laps begin, and how far each chariot had come when.
// Lines may come in any order; answers come from the present ones.

export class RaceHistory {
  #ruleset;
  #turnField;
  #marks = [];
  #places = [];
  #isSorted = true;

  constructor(ruleset) {
    this.#ruleset = ruleset;
    this.#turnField = ruleset.turnField;
  }

  add(lines) {
    for (const line of lines) {
      const kind = this.#ruleset.words.marks[line.type];
      if (kind) this.#marks.push({ version: line.version, kind, number: line.data[this.#turnField] ?? null });
      for (const place of this.#ruleset.findPlaces(line)) this.#places.push({ version: line.version, ...place });
    }
    this.#isSorted = false;
  }

  // [{version, kind, number}] in order; kinds are turn, lap and end.
  get marks() {
    this.#sort();
    return this.#marks;
  }

  get turns() {
    return this.marks.filter((mark) => mark.kind === "turn");
  }

  // The turn in which a version lies; null before the first.
  findTurn(version) {
    return this.turns.findLast((turn) => turn.version <= version) ?? null;
  }

  // The turn in which a version lies, up to it, behind the whole turn before: [{number, version, lines}].
  findTurns(version, log) {
    const begun = this.turns.filter((turn) => turn.version <= version).slice(-2);
    return begun.map((turn, place) => ({
      ...turn,
      lines: log.between(turn.version - 1, (begun[place + 1]?.version ?? version + 1) - 1),
    }));
  }

  // The lines of each turn, as far as they are here: [{number, lines}].
  listTurns(log) {
    const { turns } = this;
    return turns.map(({ version, number }, index) => ({
      number,
      lines: log.between(version - 1, (turns[index + 1]?.version ?? Infinity) - 1),
    }));
  }

  // How far each chariot was at the end of each turn: [{version, number, progress: Map of key to number, out: Set of
  // keys, finished: Map of key to place}]. A ruleset whose lines have poses measures them on the course of a view.
  readStandings(view) {
    this.#sort();
    const measure = this.#ruleset.buildMeasure?.(view) ?? ((place) => place.progress);
    const standings = [];
    const progress = new Map();
    const out = new Set();
    const finished = new Map();
    let next = 0;
    const takeUpTo = (version) => {
      for (; next < this.#places.length && this.#places[next].version < version; next += 1) {
        const place = this.#places[next];
        if (place.isOut) out.add(place.key);
        else if (place.place) finished.set(place.key, place.place);
        else progress.set(place.key, measure(place));
      }
    };
    const { turns } = this;
    turns.forEach((turn, index) => {
      const end = turns[index + 1]?.version ?? Infinity;
      takeUpTo(end);
      const last = end === Infinity ? (this.#places.at(-1)?.version ?? turn.version) : end - 1;
      standings.push({
        number: turn.number,
        start: turn.version,
        version: Math.max(last, turn.version),
        progress: new Map(progress),
        out: new Set(out),
        finished: new Map(finished),
      });
    });
    return standings;
  }

  #sort() {
    if (this.#isSorted) return;
    const byVersion = (one, other) => one.version - other.version;
    this.#marks.sort(byVersion);
    this.#places.sort(byVersion);
    this.#isSorted = true;
  }
}

// How far each chariot is behind the first one.
// A chariot that has finished keeps its place: it cannot be overtaken by one that rolls further beyond the line.
export function findGaps({ progress, out, finished }) {
  const racing = [...progress].filter(([key]) => !out.has(key));
  const most = Math.max(...racing.map(([, each]) => each));
  return new Map(racing.map(([key, each]) => [key, finished.has(key) ? 0 : most - each]));
}
