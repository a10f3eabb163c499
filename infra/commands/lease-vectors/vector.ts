export interface Vector {
  name: string;
  about: string;
  verdict: string;
  lease: string;
  /** The nonce that the app expects. */
  nonce?: string | undefined;
  /** Whether the app is built to take test keys. */
  allow_test_keys?: boolean | undefined;
}

export function of(name: string, about: string, verdict: string, lease: string, nonce?: string): Vector {
  return { name, about, lease, nonce, verdict };
}

/** Makes the vectors of one verdict. */
export const judged = (verdict: string) => (name: string, about: string, lease: string, nonce?: string) =>
  of(name, about, verdict, lease, nonce);
