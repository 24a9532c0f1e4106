// Where notices go while no page is open: this browser, mail, programs, a calendar. Each way has choices of its own.

import { command, read } from "../parts/api.js";
import { button, el, form } from "../parts/dom.js";
import { field, select } from "../parts/field.js";
import { addWay, findOwnWay, HAS_PUSH, renew, subscribe, unsubscribe } from "../parts/push.js";
import { buildMatter, showOnce } from "./matter.js";
import { buildWay } from "./way.js";

const PROGRAMS = [
  ["webhook", "a program, by signed messages"],
  ["discord", "a Discord channel"],
];

export function buildNoticeMatter() {
  const list = el("ul", { class: "doors" });
  const made = el("div", { role: "status" });
  const room = el("div", { class: "new-ways" });
  const tell = (...content) => made.replaceChildren(...content);
  const { root, attempt } = buildMatter(
    "Word when it is your turn",
    el(
      "p",
      { class: "note" },
      "Also of seats offered to you, games that begin and end, and your tournaments. A notice has names, deadlines " +
        "and links, never a move.",
    ),
    list,
    made,
    room,
  );
  root.classList.add("matter-wide");
  const act = (done) =>
    attempt(async () => {
      tell();
      await done();
      await look();
    });
  const look = () =>
    attempt(async () => {
      const { items, has_mail: hasMail } = await read("/v1/account/ways");
      const own = items.find(({ id, end_reason: ended }) => id === findOwnWay() && !ended);
      list.replaceChildren(
        ...items.map((way) =>
          buildWay(way, { isOwn: way === own, act, tell, onRemove: way === own ? unsubscribe : null }),
        ),
      );
      if (room.hasChildNodes()) room.firstChild.hidden = Boolean(own);
      else room.append(...buildNewWays({ act, tell, hasMail, hasOwn: Boolean(own) }));
    });
  act(renew);
  return root;
}

function buildNewWays({ act, tell, hasMail, hasOwn }) {
  return [
    HAS_PUSH
      ? button("Tell me in this browser", () => act(subscribe), { class: "go-button", hidden: hasOwn })
      : el(
          "p",
          { class: "note" },
          "This browser has no notifications by push here: it needs https, and on a phone this page on the home " +
            "screen.",
        ),
    hasMail ? buildMailForm(act, tell) : "",
    buildProgramForm(act, tell),
    el(
      "details",
      {},
      el("summary", {}, "In my calendar …"),
      el(
        "p",
        { class: "note" },
        "An address for calendar programs: your deadlines, looked up by them about once an hour. It opens nothing " +
          "else.",
      ),
      button("Make an address", () =>
        act(async () => {
          const { secret } = await addWay("My calendar", { kind: "calendar" });
          tell(
            el("p", {}, "Shown this once; subscribe to it in your calendar:"),
            showOnce(`${location.origin}/v1/account/calendar.ics?key=${secret}`),
          );
        }),
      ),
    ),
  ];
}

function buildMailForm(act, tell) {
  const address = el("input", {
    type: "email",
    name: "address",
    required: true,
    maxlength: 254,
    autocomplete: "email",
  });
  return el(
    "details",
    {},
    el("summary", {}, "By mail …"),
    form(
      {},
      () =>
        act(async () => {
          await command("/v1/account/mails", { address: address.value.trim() });
          tell(
            el(
              "p",
              {},
              "A mail is on its way to ",
              el("bdi", {}, address.value.trim()),
              ". Nothing else is sent there before its link was opened.",
            ),
          );
          address.value = "";
        }),
      field(
        "Mail address",
        address,
        "Only you and the operator of this server can read it. Every mail has a link that ends them.",
      ),
      el("button", { type: "submit" }, "Send the link"),
    ),
  );
}

function buildProgramForm(act, tell) {
  const made = form(
    {},
    () =>
      act(async () => {
        const { name, kind, url } = made.elements;
        const { secret } = await addWay(name.value.trim(), { kind: kind.value, url: url.value.trim() });
        if (secret) tell(el("p", {}, "The secret that signs its messages, shown this once:"), showOnce(secret));
        made.reset();
      }),
    field("Goes to", select("kind", PROGRAMS)),
    field("Name", el("input", { name: "name", required: true, maxlength: 80, autocomplete: "off" })),
    field(
      "Address of the webhook",
      el("input", {
        type: "url",
        name: "url",
        required: true,
        maxlength: 500,
        placeholder: "https://",
        autocomplete: "off",
      }),
    ),
    el("button", { type: "submit" }, "Add"),
  );
  return el("details", {}, el("summary", {}, "To a program or a channel …"), made);
}
