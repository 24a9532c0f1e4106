// The events and elements of the pages, by name, as the type check knows them. No browser reads this file.

interface DocumentEventMap {
  /** How many seconds the server's receipts are ahead of this device's clock. */
  "receipt-ahead": CustomEvent<number>;
  /** Lines of the log that the page has read since the last such event. */
  lines: CustomEvent<Picture.Line[]>;
  /** The version that the page shows now. */
  shown: CustomEvent<number>;
  /** The id of the game in the front page's window. */
  featured: CustomEvent<string>;
}

interface HTMLElementEventMap {
  "bundle-given": CustomEvent<File>;
  "bundle-checked": CustomEvent<{ file: File; report: { verdict: { outcome: object | null } } }>;
}

interface HTMLElementTagNameMap {
  "spina-bundle": HTMLElement & { check(files: Iterable<Blob>): void };
  "spina-featured": HTMLElement & { window: { race: { id: string } } | null };
  "spina-game": HTMLElement & { log: { between(first: number, last: number): Picture.Line[] } };
  "spina-story": HTMLElement & { sign(version: number, mark: HTMLElement): void };
}
