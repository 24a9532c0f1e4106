// The pieces on the table of Chariotmaster: numbers below 100 are chariots, from there drivers on foot, from 200 wrecks.

const DRIVERS_FROM = 100;
const WRECKS_FROM = 200;

export function chariotOf(piece) {
  return piece < 0 ? null : piece % DRIVERS_FROM;
}

export function isWreck(piece) {
  return piece >= WRECKS_FROM;
}

export function isOnFoot(piece) {
  return piece >= DRIVERS_FROM && piece < WRECKS_FROM;
}
