// <spina-verify>: the page for a bundle alone, which needs no server once it is loaded.

import "./bundle_check.js";
import { el } from "./dom.js";
import { listNotShown } from "./report_view.js";

class VerifyPage extends HTMLElement {
  connectedCallback() {
    this.replaceChildren(el("spina-bundle"), listNotShown());
  }
}

customElements.define("spina-verify", VerifyPage);
