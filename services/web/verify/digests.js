// SHA-256 and HMAC-SHA-256 by the browser's own WebCrypto, which it gives to pages from https and from this machine
// only.

const HMAC = { name: "HMAC", hash: "SHA-256" };

// Why this browser cannot verify here, or null where it can.
export function findHindrance() {
  if (globalThis.crypto?.subtle) return null;
  return (
    "This page came over plain http from another machine, and browsers give their cryptography only to pages that " +
    "come " +
    "over https or from the machine itself. So nothing is checked here; download the bundle and run spina verify, " +
    "or open " +
    "the page over https."
  );
}

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function hmac(key, bytes) {
  return (await keyed(key))(bytes);
}

// One key for many messages.
export async function keyed(key) {
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
  return async (bytes) => new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}
