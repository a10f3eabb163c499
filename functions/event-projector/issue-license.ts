import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../shared/audit/audit-repository.ts';
import { CodeTakenError, type DrawnCode, drawCode } from '../../shared/code-batches/code-stock-repository.ts';
import type { Needs } from '../../shared/context.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { ownHold } from '../../shared/entitlements/holds.ts';
import { newId } from '../../shared/ids.ts';
import { initialUpdatesUntil } from '../../shared/licenses/coverage.ts';
import { soldActivationLimit } from '../../shared/licenses/entitled-license.ts';
import type { License } from '../../shared/licenses/license.ts';
import { licenseIssuedEvents } from '../../shared/licenses/license-events.ts';
import { licenseLookups } from '../../shared/licenses/license-lookup.ts';
import { addLicense } from '../../shared/licenses/license-repository.ts';
import { newLicense } from '../../shared/licenses/new-license.ts';
import { issuanceMailId } from '../../shared/mail/outbox/mail.ts';
import type { Order } from '../../shared/orders/order.ts';
import { addWaitingOrder, listWaitingOrders, removeWaitingOrder } from '../../shared/orders/waiting-order-repository.ts';
import { recordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { generateLicenseKey, normalizeLicenseKey } from '../../shared/text/license-key.ts';
import { doLater, type Effects, noEffects } from './effects.ts';
import { addedMail } from './mail-effects.ts';

export type IssueNeeds = Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS' | 'randomBytes'>;
export type IssueLicense = (c: IssueNeeds, order: Order, hold: License['paymentHold']) => Promise<Effects>;

/** Leaves the license of a paid order to a job, which is retried on its own. */
export const issueLater = async (c: Needs<'now'>, { id: orderId }: Order): Promise<Effects> =>
  doLater(c, { kind: 'issue-license', orderId });

function issue(c: Needs<'now' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>, order: Order, key: string, hold: License['paymentHold']): Effects {
  const { id: orderId, productId, sellerId, terms, upgradedFrom } = order;
  const { licenseIssuanceMode, features, deactivationAllowed, offlineDays, offlineFileDays } = terms;
  const licenseId = newId('license', c.now());
  const issuedAt = c.now().toISOString();
  const licenseTerms = {
    id: licenseId,
    orderId,
    productId,
    sellerId,
    licenseIssuanceMode,
    activationLimit: soldActivationLimit(order),
    features,
    deactivationAllowed,
    offlineDays,
    offlineFileDays,
    issuedAt,
    updatesUntil: initialUpdatesUntil(issuedAt, terms.updatesDays),
    paymentHold: hold,
  };
  const [, ...olderLookups] = licenseLookups(productId, normalizeLicenseKey(key), c.settings.LICENSE_PEPPERS);
  const license = newLicense(licenseTerms, key, { peppers: c.settings.LICENSE_PEPPERS, encryptionKeys: c.settings.ENCRYPTION_KEYS });
  const mail = addedMail(c, { id: issuanceMailId, orderId });
  return {
    // From now on the issuance mail leads to the license, not one that was sent while there was none.
    order: { licenseId, waitingSince: undefined, completionMailId: undefined },
    writes: [
      ...addLicense(license, olderLookups),
      ...mail.writes,
      recordAudit(c, {
        actor: 'provider',
        action: 'license.issue',
        targetId: licenseId,
        after: { orderId, paymentHold: hold ?? 'none' },
      }),
      ...licenseIssuedEvents(license, upgradedFrom, c.now()).map((happening) => recordEvent(c, sellerId, happening)),
    ],
    jobs: mail.jobs,
  };
}

function wait(c: Needs<'now'>, order: Order): Effects {
  if (order.waitingSince) return noEffects;
  const waitingSince = order.checkout.paidAt ?? c.now().toISOString();
  // An import may have committed after the stock was read; this job reads it again.
  const job = doLater(c, { kind: 'serve-waiting-orders', productId: order.productId });
  return { ...job, order: { waitingSince }, writes: [addWaitingOrder({ ...order, waitingSince }), ...job.writes] };
}

/** Whether orders that paid earlier are still waiting: during an import, codes are in stock before those orders are served. */
async function mustQueue(table: Table, { productId, waitingSince }: Order): Promise<boolean> {
  return waitingSince === undefined && (await listWaitingOrders(table, productId, 1)).length > 0;
}

async function setAside(c: Needs<'table' | 'now'>, { productId }: Order, { batchId, writes }: DrawnCode): Promise<void> {
  const record = recordAudit(c, {
    actor: 'event-projector',
    action: 'code_batch.set_aside_code',
    targetId: batchId,
    after: { productId },
  });
  try {
    await c.table.transact([...writes, record]);
  } catch (error) {
    // Another sale that drew it was faster.
    if (!(error instanceof CodeTakenError)) throw error;
  }
}

function stopWaiting({ productId, id, waitingSince }: Order): readonly Write[] {
  return waitingSince ? [removeWaitingOrder({ productId, id, waitingSince })] : [];
}

/**
 * Gives a paid order its one license. That it gets only one is ensured by the order's revision:
 * the order is replaced in the same transaction. An order for an imported code gets none after a
 * full refund, and waits when no code is left or others wait already.
 */
export async function issueLicense(c: IssueNeeds, order: Order, hold: License['paymentHold']): Promise<Effects> {
  if (order.terms.licenseIssuanceMode === 'generated_server_validated') {
    return issue(c, order, generateLicenseKey(order.terms.licenseKeyPrefix, randomBytes), hold);
  }
  // An order held because of an earlier one still gets its code, since its own payment is valid.
  if (ownHold(order) === 'refunded') {
    return { ...noEffects, order: { waitingSince: undefined }, writes: stopWaiting(order) };
  }
  const drawn = (await mustQueue(c.table, order)) ? undefined : await drawCode(c, order.productId);
  if (!drawn) return wait(c, order);
  const issued = issue(c, order, drawn.code, hold);
  return {
    ...issued,
    writes: [...drawn.writes, ...issued.writes, ...stopWaiting(order)],
    rejectDrawnCode: () => setAside(c, order, drawn),
  };
}
