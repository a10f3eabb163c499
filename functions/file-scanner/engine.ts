/** An engine's result for a file: a verdict, or, as a code, why there will be none. */
export type EngineReport =
  | { verdict: 'clean' | 'infected'; summary: string; signatureVersion?: string | undefined }
  | { verdict: 'error'; error: string; summary?: string | undefined; signatureVersion?: string | undefined };

/** An engine that reads the bytes itself. */
export interface Engine {
  /** The name by which TRUSTED_SCANNERS trusts it. */
  name: string;
  /**
   * Scans what `open` streams; it may open more than once.
   *
   * @throws AppError dependency_unavailable when it is worth trying again later
   */
  scan(sizeBytes: number, open: () => Promise<AsyncIterable<Uint8Array>>): Promise<EngineReport>;
}
