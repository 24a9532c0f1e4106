// The part of Node that `kept_seats.js` uses.

declare module "node:fs/promises" {
  interface File {
    writeFile(text: string): Promise<void>;
    sync(): Promise<void>;
    close(): Promise<void>;
  }
  export function mkdir(path: string, options: { mode: number; recursive: boolean }): Promise<unknown>;
  export function open(path: string, flags: string, mode: number): Promise<File>;
  export function readFile(path: string, encoding: "utf8"): Promise<string>;
  export function rename(from: string, to: string): Promise<void>;
  export function rm(path: string, options: { force: boolean }): Promise<void>;
}

declare var process: { env: Record<string, string | undefined> } | undefined;
