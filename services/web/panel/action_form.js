// A form for any action, from the JSON Schema of the ruleset's actions: a choice of kinds, and a control for each
// field.

import { el } from "../parts/dom.js";
import { field, group, number, select, tick } from "../parts/field.js";
import { capital, spaced } from "../parts/words.js";

// `choose(action)` is called with each action that the form states.
export function buildActionForm(schema, choose) {
  const control = buildControl("answer", schema, schema.$defs ?? {});
  const made = el("div", { class: "action-form" }, control.element);
  const tell = () => choose(control.read());
  made.addEventListener("input", tell);
  queueMicrotask(tell);
  return made;
}

// Controls are {element, read}; `read` gives the value as it would be sent.
function buildControl(name, given, defs) {
  const schema = resolve(given, defs);
  const said = capital(spaced(name));
  if (schema.anyOf)
    return buildVariants(
      name,
      schema.anyOf.map((each) => resolve(each, defs)),
      defs,
    );
  if (schema.type === "object") return buildObject(said, schema, defs);
  if (schema.enum)
    return single(
      said,
      select(
        name,
        schema.enum.map((each) => [each, spaced(`${each}`)]),
      ),
      (text) => schema.enum.find((each) => `${each}` === text),
    );
  if (schema.type === "boolean") {
    const made = tick(name, name, said);
    return { element: made, read: () => made.querySelector("input").checked };
  }
  if (schema.type === "integer")
    return single(
      said,
      number(name, Math.max(schema.minimum ?? 0, 0), { min: schema.minimum, max: schema.maximum }),
      Number,
    );
  if (schema.type === "array") {
    const isNumbers = resolve(schema.items, defs).type === "integer";
    return single(
      said,
      el("input", { name }),
      (text) =>
        text
          .split(/[\s,]+/)
          .filter(Boolean)
          .map((each) => (isNumbers ? Number(each) : each)),
      "Several, with spaces between them.",
    );
  }
  return single(said, el("input", { name }), (text) => text, schema.description);
}

/**
 * @param {string} said
 * @param {HTMLInputElement} input
 * @param {(text: string) => any} parse
 * @param {string | null} [help]
 */
function single(said, input, parse, help = null) {
  return { element: field(said, input, help), read: () => parse(input.value) };
}

function buildObject(said, schema, defs) {
  const fields = Object.entries(schema.properties).map(([name, each]) => [
    name,
    isConstant(each) ? { element: "", read: () => each.enum[0] } : buildControl(name, each, defs),
  ]);
  const shown = fields.filter(([, control]) => control.element);
  return {
    element: shown.length
      ? group(
          said,
          shown.map(([, control]) => control.element),
        )
      : el("div"),
    read: () => Object.fromEntries(fields.map(([name, control]) => [name, control.read()])),
  };
}

// One of several forms; the first is chosen, and an absent value is one of them.
function buildVariants(name, variants, defs) {
  const titles = variants.map((each) =>
    each.type === "null" ? "none" : spaced(`${each.properties?.kind?.enum?.[0] ?? each.title ?? each.type ?? "other"}`),
  );
  const chosen = select(
    name,
    titles.map((title, place) => [place, title]),
    Math.max(titles.indexOf("none"), 0),
  );
  const room = el("div");
  const build = () => {
    const variant = variants[chosen.value];
    return variant.type === "null" ? { element: "", read: () => null } : buildControl(name, variant, defs);
  };
  let control = build();
  room.replaceChildren(control.element);
  chosen.addEventListener("input", () => {
    control = build();
    room.replaceChildren(control.element);
  });
  return { element: el("div", {}, field(capital(spaced(name)), chosen), room), read: () => control.read() };
}

function isConstant(schema) {
  return schema.enum?.length === 1;
}

function resolve(schema, defs) {
  return schema.$ref ? resolve(defs[schema.$ref.split("/").at(-1)], defs) : schema;
}
