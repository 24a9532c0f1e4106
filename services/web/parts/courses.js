// The choice of a course: one of the box by its name, one that the account keeps, or one that came by a link, whole.

import { listCourses } from "./api.js";
import { el } from "./dom.js";
import { select } from "./field.js";

const OTHER = "other";

// An empty choice is the first course of the box.
export function buildCourses(name, ruleset) {
  const element = select(name, [["", "as the components say"]]);
  /** @type {Map<string, any>} */
  const courses = new Map();
  const add = (value, said, course) => {
    courses.set(value, course);
    element.append(el("option", { value }, said));
  };
  const write = (value) => {
    if (typeof value === "string" && !courses.has(value)) add(value, value, value);
    if (value && typeof value === "object") {
      courses.delete(OTHER);
      element.querySelector(`[value="${OTHER}"]`)?.remove();
      add(OTHER, value.name, value);
    }
    element.value = value && typeof value === "object" ? OTHER : (value ?? "");
  };
  listCourses().then(
    ({ items }) => {
      for (const item of items.filter((each) => each.ruleset === ruleset)) {
        const isReleased = item.kept_at === null;
        if (isReleased && !courses.has(item.name)) add(item.name, item.name, item.name);
        if (!isReleased) add(item.hash, `${item.name} (yours)`, item.course);
      }
    },
    () => null,
  );
  return { element, write, read: () => courses.get(element.value) };
}
