// Lists that are told anew again and again: what has not changed stays the very element it was, so that nobody who reads,
// scrolls, has opened something or stands on it with the keyboard loses the place.

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

// Makes the children of `parent` those of `items`; `key` names an item for ever, `build` makes its element. An element is
// built again only where its item reads otherwise than before.
export function renew(parent, items, { key, build }) {
  const before = new Map([...parent.children].map((each) => [each.dataset.key, each]));
  const wanted = items.map((item) => {
    const name = String(key(item));
    const told = JSON.stringify(item);
    const old = before.get(name);
    if (old && old.told === told) return old;
    const built = Object.assign(build(item), { told });
    built.dataset.key = name;
    if (old) replace(old, built);
    return built;
  });
  const kept = new Set(wanted);
  for (const each of [...parent.children]) if (!kept.has(each)) each.remove();
  // Only what stands elsewhere is moved: an element that is moved loses the focus.
  wanted.forEach((each, place) => parent.children[place] === each || parent.insertBefore(each, parent.children[place] ?? null));
}

// Puts new content where other content was, unless it reads the same.
export function renewOne(parent, item, build) {
  renew(parent, item === null ? [] : [item], { key: () => "one", build });
}

function replace(old, built) {
  const place = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  const opened = [...old.querySelectorAll("details")].map((each) => each.open);
  [...built.querySelectorAll("details")].forEach((each, index) => {
    if (opened[index]) each.open = true;
  });
  old.replaceWith(built);
  if (place >= 0) [...built.querySelectorAll(FOCUSABLE)][place]?.focus({ preventScroll: true });
}
