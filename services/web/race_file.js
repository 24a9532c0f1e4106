// A race as one page, which plays and checks itself without a server. What is not imported here is not in the page.

import { bundle } from "./proof/kept.js";
import "./game/game.js";
import "./proof/check_panel.js";

const saved = /** @type {HTMLAnchorElement} */ (document.querySelector("#bundle-link"));
saved.href = URL.createObjectURL(bundle);
saved.download = bundle.name;
document.querySelector("spina-bundle")?.check([bundle]);
