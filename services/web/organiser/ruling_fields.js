// The fields of a ruling's form, by the kind that the server gives each: how one is laid out and read, and the gap that
// is left. A field of a known kind needs nothing here.

import { el } from "../parts/dom.js";
import { field, group, number, select, tick } from "../parts/field.js";
import { tellPlace } from "../tournament/table_card.js";
import { nameOf } from "../tournament/words.js";

const SITS_OUT = "0";
const SECRET_BYTES = 32;
export const ROLES = { arbiter: "arbiter", desk: "desk", commentator: "commentator" };

/**
 * What the form knows: the entrants, the rounds that were drawn, the coming one, the chosen round and table, and what
 * was filled in before, where it is for the same table.
 * @typedef {{ form: HTMLFormElement, ruling: string, entrants: any[], drawn: number[], coming: number,
 *   tables: any[], table: any, seated: any, helpers: any[], chosen: any, hasBegun: (game: string) => boolean }} About
 * @typedef {{ name: string, kind: string, label: string, min: number | null, max: number | null,
 *   choices: { value: string, label: string }[] }} Asked
 * @typedef {{ lay: (asked: Asked, about: About) => HTMLElement | string, read: (asked: Asked, about: About) => any,
 *   gap?: (value: any, about: About) => string | null }} Kind
 */

/** @param {HTMLFormElement} form @param {string} name */
const at = (form, name) => {
  const input = form.elements.namedItem(name);
  return input instanceof HTMLSelectElement || input instanceof HTMLInputElement ? input.value : "";
};
/** @param {HTMLFormElement} form @param {string} name */
const numberAt = (form, name) => (at(form, name) === "" ? null : Number(at(form, name)));
/** @param {HTMLFormElement} form @param {string} name */
const ticked = (form, name) =>
  [...form.querySelectorAll(`[name="${name}"]:checked`)]
    .map((input) => Number(/** @type {HTMLInputElement} */ (input).value))
    .sort((one, other) => one - other);

// Rounds in which something was drawn; rulings on a draw are about the coming one too.
const OF_COMING = new Set(["draw_held", "draw_released", "entrant_excused"]);

/** @type {Record<string, Kind>} */
export const FIELDS = {
  entrant: {
    lay: ({ name, label }, { entrants, chosen }) => field(label, select(name, listWho(entrants), chosen?.[name])),
    read: ({ name }, { form }) => numberAt(form, name),
    gap: (value) => (value === null ? "Choose an entrant." : null),
  },
  group: {
    lay: ({ name, label }, { entrants, chosen }) =>
      group(
        label,
        entrants.map((each) =>
          tick(name, each.entrant, nameOf(each), { isTicked: chosen?.[name]?.includes(each.entrant) }),
        ),
      ),
    read: ({ name }, { form }) => ticked(form, name),
    gap: (value) => (value.length < 2 ? "Choose two entrants or more." : null),
  },
  seats: {
    lay: ({ name, label }, { table, chosen }) =>
      table
        ? group(
            label,
            table.seats.map((seat) =>
              tick(name, seat.entrant, nameOf(seat), { isTicked: chosen?.[name]?.includes(seat.entrant) }),
            ),
          )
        : "",
    read: ({ name }, { form }) => ticked(form, name),
    gap: (value) => (value.length ? null : "Say who is not there."),
  },
  round: {
    lay: ({ name, label }, { ruling, drawn, coming, chosen }) => {
      const rounds = OF_COMING.has(ruling) ? [...new Set([drawn.at(-1), coming])] : drawn;
      const wanted = chosen?.[name] ?? (OF_COMING.has(ruling) ? coming : drawn.at(-1));
      const listed = rounds.filter((round) => round !== undefined).map((round) => [round, `Round ${round}`]);
      return field(label, select(name, listed, wanted), listed.length ? null : "No round was drawn yet.");
    },
    read: ({ name }, { form }) => numberAt(form, name),
    gap: (value) => (value === null ? "There is no round yet for which this can be ruled." : null),
  },
  table: {
    lay: ({ name, label }, { tables, chosen }) =>
      field(label, select(name, listTables(tables), chosen?.[name]), tables.length ? null : "There is no such table."),
    read: ({ name }, { form }) => numberAt(form, name),
    gap: (_, { table }) => (table ? null : "Choose a table."),
  },
  all_tables: {
    lay: ({ name, label }, { tables, chosen }) =>
      field(label, select(name, [["", "every table that is waited for"], ...listTables(tables)], chosen?.[name])),
    read: ({ name }, { form }) => numberAt(form, name),
  },
  ranking: {
    lay: ({ label, name }, { table, chosen }) => {
      if (!table) return "";
      const places = [["", "no place"], ...table.seats.map((_, place) => [place + 1, tellPlace(place + 1)])];
      const given =
        chosen?.[name]?.map(({ seat, place }) => [table.seats[seat].entrant, place]) ??
        table.scored.map((scored) => [scored.entrant, scored.place]);
      const before = new Map(given);
      return group(
        label,
        table.seats.map((seat) =>
          field(nameOf(seat), select(`seat-${seat.seat}`, places, before.get(seat.entrant) ?? "")),
        ),
      );
    },
    read: (_, { form, table }) =>
      (table?.seats ?? [])
        .map(({ seat }) => ({ place: numberAt(form, `seat-${seat}`), seat }))
        .filter(({ place }) => place !== null),
    gap: (value) => (value.length ? null : "Give a place to an entrant."),
  },
  seating: {
    lay: ({ label, name }, { seated, chosen }) => {
      if (!seated) return "";
      const { tables, people } = seated;
      const choices = [[SITS_OUT, "sits out"], ...tables.map(({ table }) => [table, `Table ${table}`])];
      const wanted = new Map(
        (chosen?.[name] ?? []).flatMap(({ table, entrants }) => entrants.map((one) => [one, table])),
      );
      const seats = group(
        label,
        people.map((person) =>
          field(nameOf(person), select(`at-${person.entrant}`, choices, wanted.get(person.entrant) ?? person.table)),
        ),
      );
      seats.classList.add("seating");
      return seats;
    },
    read: (_, { form, seated }) => (seated ? readSeating(form, seated) : []),
    gap: (value) => (value.length ? null : "Move somebody: these are the seats of the draw."),
  },
  choice: {
    lay: ({ name, label, choices }, { chosen }) =>
      field(
        label,
        select(
          name,
          choices.map(({ value, label: said }) => [value, said]),
          chosen?.[name],
        ),
      ),
    read: ({ name }, { form }) => at(form, name),
  },
  number: {
    lay: ({ name, label, min, max }, { chosen }) =>
      field(
        label,
        number(name, chosen?.[name] ?? "", { min, max }),
        min !== null && min < 0 ? "Below 0 takes some away." : null,
      ),
    read: ({ name }, { form }) => numberAt(form, name),
    gap: (value) => (value === null ? "Say how many." : null),
  },
  link: { lay: () => "", read: () => null },
  helper: {
    lay: ({ name, label }, { helpers, chosen }) =>
      field(
        label,
        select(
          name,
          helpers.map((each) => [
            each.helper,
            `${each.name ?? "not joined yet"} (${each.helper}, ${ROLES[each.role]})`,
          ]),
          chosen?.[name],
        ),
      ),
    read: ({ name }, { form }) => numberAt(form, name),
    gap: (value) => (value === null ? "There is no helper." : null),
  },
};

export async function hashSecret(secret) {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", secret)));
}

// A secret for a link, and its hash, which alone is sent.
export async function buildSecret() {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return { secret: toHex(secret), hash: await hashSecret(secret) };
}

// Who can be seated in a round: those of tables without a result, those who sit out, and who came since.
export function findSeated(round, entrants) {
  const tables = round.tables.filter(({ status }) => ["awaited", "halted", "walked_over"].includes(status));
  const elsewhere = new Set(
    round.tables.filter((table) => !tables.includes(table)).flatMap(({ seats }) => seats.map(({ entrant }) => entrant)),
  );
  const at = new Map(
    tables.flatMap(({ table, status, seats, scored }) => {
      const here = status === "walked_over" ? scored : seats;
      return here.map(({ entrant }) => [entrant, table]);
    }),
  );
  const people = entrants
    .filter((each) => !each.left && !elsewhere.has(each.entrant))
    .map((each) => ({ ...each, table: at.get(each.entrant) ?? SITS_OUT }));
  return { tables, people };
}

// The tables whose seats differ: who stays keeps the seat, who comes sits behind.
function readSeating(form, { tables, people }) {
  const named = tables.map(({ table, attempt, seats }) => {
    const order = new Map(seats.map(({ entrant }, place) => [entrant, place]));
    const here = people.filter(({ entrant }) => at(form, `at-${entrant}`) === String(table));
    const entrants = here.map(({ entrant }) => entrant);
    entrants.sort((one, other) => (order.get(one) ?? Infinity) - (order.get(other) ?? Infinity) || one - other);
    const before = people.filter((person) => person.table === table).map(({ entrant }) => entrant);
    const isSame = before.length === entrants.length && before.every((entrant) => entrants.includes(entrant));
    return isSame ? null : { table, attempt, entrants };
  });
  return named.filter((table) => table !== null);
}

const listWho = (entrants) => entrants.map((each) => [each.entrant, `${nameOf(each)} (${each.entrant})`]);
const listTables = (tables) =>
  tables.map((each) => [each.table, `Table ${each.table}: ${each.seats.map(nameOf).join(", ")}`]);
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Shown once: the link by which a person goes on with an entry from another device, or helps.
export function buildLink({ entrant, secret }) {
  const page = `${location.origin}/tournaments/${location.pathname.split("/")[2]}`;
  const address = entrant === undefined ? `${page}/organise#help=${secret}` : `${page}#entry=${entrant}.${secret}`;
  return el(
    "div",
    { class: "handed" },
    el("p", {}, "Give this link to the person alone. It is not shown again:"),
    el("p", {}, el("a", { class: "handed-link", href: address }, address)),
  );
}
