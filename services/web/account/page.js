// <spina-account>: the account of this browser. Its name, the doors to it, its data; without one, a way in.

import { signIn } from "../seat/account.js";
import { buildDataMatter } from "./data.js";
import { buildDoors } from "./doors.js";
import { buildNameMatter } from "./name.js";
import { buildSignIn } from "./sign_in.js";
import { buildDeviceMatter, buildPasskeyMatter, buildRecoveryMatter } from "./ways_in.js";

class AccountPage extends HTMLElement {
  async connectedCallback() {
    this.code = takeCode();
    await this.#show();
  }

  async #show() {
    const account = await signIn();
    const again = () => {
      this.code = null;
      this.#show();
    };
    if (!account || this.code) {
      this.replaceChildren(buildSignIn({ account, code: this.code, onDone: again }));
      return;
    }
    const doors = buildDoors();
    const onChange = () => doors.look();
    this.replaceChildren(buildNameMatter(account), buildRecoveryMatter(onChange), buildDeviceMatter(onChange), buildPasskeyMatter(onChange), doors.root, buildDataMatter(account, again));
  }
}

// The code of a link, `/account#code=…`: no server gets this part of an address, and it leaves it at once.
function takeCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code) history.replaceState(null, "", location.pathname);
  return code;
}

customElements.define("spina-account", AccountPage);
