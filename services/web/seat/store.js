// Values that this browser keeps: its account, the secrets of its seats, and commands on their way (IndexedDB).
// A write has reached the disk when its promise resolves: nothing that a seat depends on is sent before that.

const NAME = "spina";
const STORES = ["accounts", "seats", "commands"];

/** @type {Promise<IDBDatabase> | null} */
let opening = null;

export function find(store, key) {
  return run(store, "readonly", (values) => values.get(key));
}

export function list(store) {
  return run(store, "readonly", (values) => values.getAll());
}

export function keep(store, key, value) {
  return run(store, "readwrite", (values) => values.put(value, key));
}

export function drop(store, key) {
  return run(store, "readwrite", (values) => values.delete(key));
}

async function run(store, mode, ask) {
  const waited = opening ?? open();
  opening = waited;
  const database = await waited;
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability: "strict" });
    const request = ask(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
    request.onsuccess = () => {
      // A browser closes it when storage is cleared or short; the next use opens it again.
      request.result.onclose = () => (opening = null);
      resolve(request.result);
    };
    request.onerror = () => {
      opening = null;
      reject(request.error);
    };
  });
}
