// Opens a worker. The pages' policy lets scripts in only by this one name, which can have no other address.

const WORKER = "/web/verify/worker.js";
const policy = globalThis.trustedTypes?.createPolicy("spina-worker", { createScriptURL: () => WORKER });

// `onFailure` hears of bugs: a worker that could not be read, or that broke.
export function openWorker({ onMessage, onFailure }) {
  const worker = new Worker(policy ? policy.createScriptURL(WORKER) : WORKER, { type: "module" });
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => onFailure(event.message || "the part of this page that checks could not be loaded");
  return worker;
}
