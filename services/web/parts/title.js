// The tab's title and icon: the page's own text, and the sign of a turn on both. Each is set without the other.

const SIGN = "● ";
const ICONS = { false: "/web/icon.svg", true: "/web/icon-turn.svg" };

let own = document.title;
let isTurn = false;

export function setTitle(text) {
  own = text;
  write();
}

export function signTurn(isMine) {
  isTurn = isMine;
  document.querySelector("link[rel=icon]")?.setAttribute("href", ICONS[isMine]);
  write();
}

export function readTitle() {
  return own;
}

function write() {
  document.title = `${isTurn ? SIGN : ""}${own}`;
}
