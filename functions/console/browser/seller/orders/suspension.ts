import type { HistoryItem, LicenseStatus } from '../../../../../build/client.ts';

/**
 * What its seller can do about a license that shows this status. Behind a refund or a dispute it may be suspended too, which
 * the history alone tells. Undefined of one that is revoked for good.
 */
export function nextSuspension(
  status: LicenseStatus,
  history: readonly Pick<HistoryItem, 'action'>[],
): 'suspend' | 'reinstate' | undefined {
  if (status === 'revoked') return undefined;
  if (status !== 'refunded' && status !== 'disputed') return status === 'suspended' ? 'reinstate' : 'suspend';
  const last = history.findLast(({ action }) => action === 'license.suspend' || action === 'license.reinstate');
  return last?.action === 'license.suspend' ? 'reinstate' : 'suspend';
}
