// Passkeys: made for the account of this browser, and used to sign in. Browsers have none for an address in numbers.

import { command } from "../parts/api.js";
import { signInByPasskey } from "../seat/account.js";

export const HAS_PASSKEYS =
  Boolean(globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON) && /[a-z]$/i.test(location.hostname);

// Makes a passkey, and returns the name under which it is listed.
export async function makePasskey() {
  const { options } = await command("/v1/account/passkeys/options", {});
  const made = await ask(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
  return (await command("/v1/account/passkeys", { credential: made.toJSON() })).name;
}

export async function usePasskey() {
  const { options } = await command("/v1/sessions/passkey/options", {});
  const signed = await ask(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
  return signInByPasskey(signed.toJSON());
}

async function ask(authenticator) {
  try {
    return await authenticator();
  } catch (error) {
    throw new Error(
      error.name === "NotAllowedError" ? "No passkey was chosen." : `The browser refused: ${error.message}`,
    );
  }
}
