/**
 * What its seller can do about a license that shows this status. Behind a refund or a dispute it may be suspended too, which
 * the history alone tells. Undefined of one that is revoked for good.
 */
export function nextSuspension(status: string, history: readonly { action: string }[]): 'suspend' | 'reinstate' | undefined {
  if (status === 'revoked') return undefined;
  if (status !== 'refunded' && status !== 'disputed') return status === 'suspended' ? 'reinstate' : 'suspend';
  const moves = history.filter(({ action }) => action === 'license.suspend' || action === 'license.reinstate');
  return moves.at(-1)?.action === 'license.suspend' ? 'reinstate' : 'suspend';
}
