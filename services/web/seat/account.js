// The account of this browser: a guest with a name. Its session is in a cookie that no script can read; what is kept
// here states only that there is one, and for whom.

import { command, readAccount, useSession } from "../parts/api.js";
import { unsubscribe } from "../parts/push.js";
import { drop, find, keep } from "./store.js";

const OWN = "own";
const UNKNOWN = 401;

/** @type {Promise<{ id: string, name: string } | null> | null} */
let known = null;

// The account as {id, name}, or null; the server is asked once whether the session is good. From then on the page reads
// as this account: its own games, and in them its own view.
export function signIn() {
  known ??= findKnown();
  return known;
}

// Makes an account of this name, kept before anything is done with it.
export async function signUp(name) {
  return adopt(await command("/v1/players", { name }));
}

// Opens a session by a code of the account, which is used up, or by a token.
export async function signInBy(secret) {
  return change(await command("/v1/sessions", { secret }));
}

// Opens a session by a passkey's signature.
export async function signInByPasskey(credential) {
  return change(await command("/v1/sessions/passkey", { credential }));
}

// Ends the session: the seats of the account cannot be played from here any more, and it gets no notices here.
export async function signOut() {
  await unsubscribe();
  await command("/v1/sessions/end", { role: "player" });
  await forget();
}

// Changes the name, and returns it as it is shown from now on.
export async function rename(name) {
  const account = await signIn();
  if (!account) throw new TypeError("expected an account to rename, found none");
  const { id } = account;
  return (await adopt({ id, ...(await command("/v1/account/name", { name })) })).name;
}

// Deletes the account; `name` is its present name.
export async function forgetAccount(name) {
  await command("/v1/account/forget", { name });
  await forget();
}

// Notices of the account before come here no more: its push service refuses them from now on.
async function change(account) {
  await unsubscribe();
  return adopt(account);
}

async function adopt({ id, name }) {
  const account = { id, name };
  await keep("accounts", OWN, account);
  useSession(true);
  known = Promise.resolve(account);
  return account;
}

async function forget() {
  await drop("accounts", OWN);
  useSession(false);
  known = Promise.resolve(null);
}

async function findKnown() {
  // A browser that keeps nothing, as some do in private windows, has no account.
  const account = await find("accounts", OWN).catch(() => null);
  if (!account) return null;
  useSession(true);
  try {
    // Another device may have changed the name.
    account.name = (await readAccount()).name;
  } catch (error) {
    if (error.status === UNKNOWN) {
      await forget();
      return null;
    }
    // Without an answer nothing is known against it.
  }
  return account;
}
