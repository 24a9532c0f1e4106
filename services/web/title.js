// The tab's title: the page's own text, and before it the sign of a turn. Each is set without the other.

const SIGN = "● ";

let own = document.title;
let isTurn = false;

export function setTitle(text) {
  own = text;
  write();
}

export function signTurn(isMine) {
  isTurn = isMine;
  write();
}

export function readTitle() {
  return own;
}

function write() {
  document.title = `${isTurn ? SIGN : ""}${own}`;
}
