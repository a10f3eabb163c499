import { randomBytes } from 'node:crypto';
import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { CodeTakenError, createCodeStockRepository, type DrawnCode } from '../../shared/code-batches/code-stock-repository.ts';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { ownHoldOf } from '../../shared/entitlements/holds.ts';
import { newId } from '../../shared/ids.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { updatesUntilOf } from '../../shared/licenses/coverage.ts';
import { soldLimitOf } from '../../shared/licenses/entitled-license.ts';
import type { License } from '../../shared/licenses/license.ts';
import { licenseIssued } from '../../shared/licenses/license-events.ts';
import { generateLicenseKey, normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import { licenseLookups } from '../../shared/licenses/license-lookup.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { newLicense } from '../../shared/licenses/new-license.ts';
import { issuanceMailId } from '../../shared/mail/mail.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import type { Order } from '../../shared/orders/order.ts';
import { createWaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';

/** What becomes of an order's license: changes of the order, and the writes to commit with them. */
export interface LicenseOutcome {
  order: Partial<Order>;
  writes: readonly Write[];
  /** The jobs that the writes add; to be sent once these are committed. */
  jobs: readonly JobTask[];
  /** Takes the drawn code off sale for good, when the writes fail because a license has it as its key. */
  setCodeAside?: () => Promise<void>;
}

/** Nothing becomes of it. */
export const noOutcome: LicenseOutcome = { order: {}, writes: [], jobs: [] };

/**
 * Gives a paid order its one license. That it gets only one is ensured by the order's revision:
 * the order is replaced in the same transaction. An order for an imported code gets none after a
 * full refund, and waits when no code is left or others wait already.
 */
export type IssueLicense = (order: Order, hold: License['paymentHold']) => Promise<LicenseOutcome>;

/** Leaves the license of a paid order to a job, which is retried on its own. */
export function createIssueLater({ table, now }: { table: Table; now: () => Date }): IssueLicense {
  const jobs = createJobRepository({ table, now });
  return async ({ id: orderId }) => {
    const task: JobTask = { kind: 'issue-license', orderId };
    return { order: {}, writes: [jobs.addJob(task)], jobs: [task] };
  };
}

export function createIssueLicense(options: { table: Table; peppers: Keyring; encryptionKeys: Keyring; now: () => Date }): IssueLicense {
  const { table, peppers, encryptionKeys, now } = options;
  const licenses = createLicenseRepository({ table });
  const codeStock = createCodeStockRepository({ table, encryptionKeys });
  const waitingOrders = createWaitingOrderRepository({ table });
  const mails = createMailRepository({ table });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });

  function issue(order: Order, key: string, hold: License['paymentHold']): LicenseOutcome {
    const { id: orderId, productId, sellerId, terms, upgradedFrom } = order;
    const { licenseIssuanceMode, features, deactivationAllowed, offlineDays, offlineFileDays } = terms;
    const licenseId = newId('license', now());
    const issuedAt = now().toISOString();
    const licenseTerms = {
      id: licenseId,
      orderId,
      productId,
      sellerId,
      licenseIssuanceMode,
      activationLimit: soldLimitOf(order),
      features,
      deactivationAllowed,
      offlineDays,
      offlineFileDays,
      issuedAt,
      updatesUntil: updatesUntilOf(issuedAt, terms.updatesDays),
      paymentHold: hold,
    };
    const [, ...olderLookups] = licenseLookups(productId, normalizeLicenseKey(key), peppers);
    const license = newLicense(licenseTerms, key, { peppers, encryptionKeys });
    const mail = { id: issuanceMailId, orderId };
    const mailTask: JobTask = { kind: 'send-mail', orderId, mailId: mail.id };
    return {
      // From now on the issuance mail leads to the license, not one that was sent while there was none.
      order: { licenseId, waitingSince: undefined, completionMailId: undefined },
      writes: [
        ...licenses.issueLicense(license, olderLookups),
        mails.addMail(mail, now()),
        jobs.addJob(mailTask),
        audit.recordAudit({
          actor: 'provider',
          action: 'license.issue',
          targetId: licenseId,
          after: { orderId, paymentHold: hold ?? 'none' },
        }),
        ...licenseIssued(license, upgradedFrom, now()).map((happening) => recordEvent(sellerId, happening)),
      ],
      jobs: [mailTask],
    };
  }

  function wait(order: Order): LicenseOutcome {
    if (order.waitingSince) return noOutcome;
    const waitingSince = order.checkout.paidAt ?? now().toISOString();
    const serveTask: JobTask = { kind: 'serve-waiting-orders', productId: order.productId };
    return {
      order: { waitingSince },
      writes: [
        waitingOrders.addWaitingOrder({ ...order, waitingSince }),
        // An import may have committed after the stock was read; this job reads it again.
        jobs.addJob(serveTask),
      ],
      jobs: [serveTask],
    };
  }

  /** Whether orders that paid earlier wait still: while an import runs, its first codes are in stock before they are served. */
  async function mustQueue({ productId, waitingSince }: Order): Promise<boolean> {
    return waitingSince === undefined && (await waitingOrders.listWaitingOrders(productId, 1)).length > 0;
  }

  async function setAside({ productId }: Order, { batchId, writes }: DrawnCode): Promise<void> {
    const record = audit.recordAudit({
      actor: 'event-projector',
      action: 'code_batch.set_aside_code',
      targetId: batchId,
      after: { productId },
    });
    try {
      await table.transact([...writes, record]);
    } catch (error) {
      // Another sale that drew it was faster.
      if (!(error instanceof CodeTakenError)) throw error;
    }
  }

  function stopWaiting({ productId, id, waitingSince }: Order): readonly Write[] {
    return waitingSince ? [waitingOrders.removeWaitingOrder({ productId, id, waitingSince })] : [];
  }

  return async (order, hold) => {
    if (order.terms.licenseIssuanceMode === 'generated_server_validated') {
      return issue(order, generateLicenseKey(order.terms.licenseKeyPrefix, randomBytes), hold);
    }
    // One that is held through an order before it gets its code: its own payment stands.
    if (ownHoldOf(order) === 'refunded') {
      return { order: { waitingSince: undefined }, writes: stopWaiting(order), jobs: [] };
    }
    const drawn = (await mustQueue(order)) ? undefined : await codeStock.drawCode(order.productId);
    if (!drawn) return wait(order);
    const issued = issue(order, drawn.code, hold);
    return {
      ...issued,
      writes: [...drawn.writes, ...issued.writes, ...stopWaiting(order)],
      setCodeAside: () => setAside(order, drawn),
    };
  };
}
