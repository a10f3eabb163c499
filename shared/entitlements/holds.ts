/** Why payments stop a license for now. */
export type Hold = 'refunded' | 'disputed';

/** Of several holds the one that is told: a refund before a dispute. */
export function holdOf(...holds: readonly (Hold | undefined)[]): Hold | undefined {
  return holds.includes('refunded') ? 'refunded' : holds.find((hold) => hold !== undefined);
}
