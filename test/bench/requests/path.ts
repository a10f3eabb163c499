/** What a path takes of the table: requests, and the units that they consume. */
export interface Taken {
  requests: number;
  reads: number;
  writes: number;
}

/** A way through a real handler, and exactly what it may take. Paths are gone in the order in which they are listed. */
export interface Path {
  name: string;
  budget: Taken;
  /** What must have happened before, and is not counted. */
  prepare?: () => Promise<void>;
  /** Goes it; what was answered. */
  go: () => Promise<string>;
}

/** A budget as it is written in the lists. */
export const takes = (requests: number, { reads = 0, writes = 0 } = {}): Taken => ({ requests, reads, writes });
