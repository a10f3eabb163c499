/** What the session needs of the browser's tab. `browser-tab.ts` is the real one. */
export interface Tab {
  /** The whole address that the tab shows. */
  address(): string;
  /** Shows another path of this origin, without loading anything or keeping the one before. */
  setAddress(path: string): void;
  /** Leaves for another page, in the place of this one in the tab's history. */
  replaceWith(url: string): void;
  /** The storage of this tab. Anything of it may throw where the browser keeps none. */
  storage(): Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;
  fetch(url: string, init: { method: string; headers: Record<string, string>; body: URLSearchParams }): Promise<Response>;
  now(): number;
  /** Calls once after that many milliseconds, perhaps later; what is returned calls it off. */
  schedule(milliseconds: number, run: () => void): () => void;
  /** Tells the other tabs of the console. */
  broadcast(message: string): void;
  onBroadcast(onMessage: (message: unknown) => void): void;
  /** Calls when the page is shown again as it was left, without being loaded. */
  onRestored(run: () => void): void;
}
