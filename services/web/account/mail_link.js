// The links of mails: `/account#mail=…` confirms an address, `/account#leave=…` ends its mails. Neither needs an
// account here, and neither does anything before a click: programs that look at mails open links.

import { command } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { buildMatter } from "./matter.js";

const LINKS = {
  mail: {
    title: "Notices by mail",
    said: "Send the notices of your account to this address?",
    act: "Yes, send them",
    send: (key) => command("/v1/notices/confirmations", { key }),
    done:
      "They come from now on. Every mail has a link that ends them; the hours and kinds are chosen on the page " +
      "of the account.",
  },
  leave: {
    title: "No more mails",
    said: "End the mails of this server to your address?",
    act: "End them",
    send: (key) => command(`/v1/notices/departures?key=${encodeURIComponent(key)}`, {}),
    done: "Nothing is sent to your address any more.",
  },
};

// The card of a link, or null for another page.
export function buildLink(given) {
  const name = Object.keys(LINKS).find((each) => given.has(each));
  if (!name) return null;
  const { title, said, act, send, done } = LINKS[name];
  const room = el("div", { role: "status" }, el("p", {}, said));
  const { root, attempt } = buildMatter(
    title,
    room,
    button(
      act,
      () =>
        attempt(async () => {
          await send(given.get(name));
          room.replaceChildren(el("p", {}, done), el("p", {}, el("a", { href: "/account" }, "Your account")));
          root.querySelector("button").remove();
        }),
      { class: "go-button" },
    ),
  );
  return root;
}
