// The invitation with which a friend comes to a game: `#seat=2&invitation=…`, a part of the address that no server
// gets. It is worth a seat, so it leaves the address at once, and stays in this tab until the seat is taken.

// The invitation to a game as {seat, secret}, or null.
export function takeInvitation(game) {
  const place = `spina-invitation-${game}`;
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("invitation")) {
    sessionStorage.setItem(place, JSON.stringify({ seat: Number(given.get("seat")), secret: given.get("invitation") }));
    history.replaceState(null, "", location.pathname);
  }
  return JSON.parse(sessionStorage.getItem(place) ?? "null");
}
