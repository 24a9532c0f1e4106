// The account of this browser: a guest with a name. Its token is the whole login; it stays here and in a header.

import { readAccount, register, useToken } from "../api.js";
import { drop, find, keep } from "./store.js";

const OWN = "own";
const UNKNOWN = 401;

let known = null;

// The account as {id, name, token}, or null; the server is asked once whether it still knows the token. From then on the
// page reads as this account: its own games, and in them its own view.
export function signIn() {
  known ??= findKnown();
  return known;
}

// Makes an account of this name, kept before anything is done with it.
export async function signUp(name) {
  const account = await register(name);
  await adopt(account);
  return account;
}

// Makes an account that of this browser, as one that comes from another device.
export async function adopt(account) {
  await keep("accounts", OWN, account);
  useToken(account.token);
  known = Promise.resolve(account);
}

// Forgets the account: its seats cannot be played from here any more.
export async function signOut() {
  await drop("accounts", OWN);
  useToken(null);
  known = Promise.resolve(null);
}

async function findKnown() {
  // A browser that keeps nothing, as some do in private windows, has no account.
  const account = await find("accounts", OWN).catch(() => null);
  if (!account) return null;
  try {
    await readAccount(account.token);
  } catch (error) {
    if (error.status === UNKNOWN) {
      await signOut();
      return null;
    }
    // Without an answer nothing is known against it.
  }
  useToken(account.token);
  return account;
}
