// A race in a frame of another page leads to its own page.

const whole = /** @type {HTMLAnchorElement} */ (document.querySelector("#whole"));
whole.href = `/games/${location.pathname.split("/").at(-1)}`;
