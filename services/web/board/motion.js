// Movement on a board: along the spaces that were entered, one chariot after the other. Readers may ask for less, or
// skip it.

// A space takes this long when a move is shown along its way; a long way is shown faster.
const STEP_MS = 70;
const STEPS_MIN = 4;
const WAY_MS_MAX = 1_500;
// A whole turn, one chariot after the other, is shown in this time: live is live.
const TURN_MS_MAX = 2_400;
const WRECK_MS = 600;

export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// `moves` are {element, places, scale, order}; returns the running animations, in the order in which the chariots
// moved.
export function drive(moves) {
  if (isStill()) return [];
  moves.sort((one, other) => one.order - other.order);
  const lengths = moves.map(({ places }) => Math.min(WAY_MS_MAX, STEP_MS * Math.max(STEPS_MIN, places.length)));
  const share = Math.min(1, TURN_MS_MAX / lengths.reduce((sum, each) => sum + each, 1));
  let delay = 0;
  return moves.flatMap(({ element, places, scale }, index) => {
    const duration = lengths[index] * share;
    const timing = { duration, delay, easing: "ease-in-out", fill: "backwards" };
    delay += duration;
    const frames = places.map((place) => ({ transform: `translate(${place.x}px, ${place.y}px)` }));
    const way = element.animate(frames, timing);
    element.classList.add("running");
    way.finished.then(
      () => element.classList.remove("running"),
      () => null,
    );
    const turns = unwind(places);
    if (turns.every((turn) => turn === turns[0])) return [way];
    return [
      way,
      element.firstElementChild.animate(
        turns.map((turn) => ({ transform: `rotate(${turn}deg) scale(${scale})` })),
        timing,
      ),
    ];
  });
}

// A chariot that is out of the race breaks, and is gone.
export function breakUp(element) {
  if (isStill()) {
    element.remove();
    return [];
  }
  element.classList.add("breaking");
  const fading = element.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], { duration: WRECK_MS });
  fading.finished.then(
    () => element.remove(),
    () => element.remove(),
  );
  return [fading];
}

// Turns as they are made: over the shorter side, never once around.
function unwind(places) {
  let last = places[0].turned ?? 0;
  return places.map(({ turned = 0 }) => {
    last += ((((turned - last) % 360) + 540) % 360) - 180;
    return last;
  });
}
