// <spina-account>: the account of this browser. Its name, its notices, the doors to it, its data; without one, a way
// in. The link of a mail is followed by a click, in any browser.

import { signIn } from "../seat/account.js";
import { buildDataMatter } from "./data.js";
import { buildDoors } from "./doors.js";
import { buildLink } from "./mail_link.js";
import { buildNameMatter } from "./name.js";
import { buildNoticeMatter } from "./notices.js";
import { buildSignIn } from "./sign_in.js";
import { buildDeviceMatter, buildPasskeyMatter, buildRecoveryMatter } from "./ways_in.js";

class AccountPage extends HTMLElement {
  async connectedCallback() {
    const link = takeLink();
    this.code = link.get("code");
    this.seats = link.get("seats");
    const followed = buildLink(link);
    if (followed) this.replaceChildren(followed);
    else await this.#show();
  }

  async #show() {
    const account = await signIn();
    const again = () => {
      this.code = null;
      this.seats = null;
      this.#show();
    };
    if (!account || this.code) {
      this.replaceChildren(buildSignIn({ account, code: this.code, seats: this.seats, onDone: again }));
      return;
    }
    const doors = buildDoors();
    const onChange = () => doors.look();
    this.replaceChildren(
      buildNameMatter(account),
      buildRecoveryMatter(onChange),
      buildDeviceMatter(onChange),
      buildPasskeyMatter(onChange),
      buildNoticeMatter(),
      doors.root,
      buildDataMatter(account, again),
    );
  }
}

// The secret of a link, such as `/account#code=…`: no server gets this part of an address, and it leaves it at once.
function takeLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.size) history.replaceState(null, "", location.pathname);
  return link;
}

customElements.define("spina-account", AccountPage);
