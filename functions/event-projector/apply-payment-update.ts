import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import { CodeTakenError } from '../../shared/code-batches/code-stock-repository.ts';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import { sealText } from '../../shared/crypto/sealed-text.ts';
import { OptimisticLockError } from '../../shared/db/optimistic-lock.ts';
import type { Write } from '../../shared/db/table.ts';
import { DeadJobError } from '../../shared/jobs/job.ts';
import type { LicenseRepository } from '../../shared/licenses/license-repository.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import { type Order, wasPaid } from '../../shared/orders/order.ts';
import type { OrderRepository } from '../../shared/orders/order-repository.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import {
  type ChargeFacts,
  type CheckoutFacts,
  licenseHoldOf,
  mergeChargeFacts,
  mergeCheckoutFacts,
  noChargeFacts,
  orderStatusOf,
  paymentStatusOf,
} from '../../shared/payments/payment-facts.ts';
import type { PaymentRepository } from '../../shared/payments/payment-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import type { IssueLicense, LicenseOutcome } from './issue-license.ts';
import type { ReleaseMail } from './release-mail.ts';

/** News of an order and its payment, to be merged into what is known. */
export interface PaymentUpdate {
  orderId: string;
  checkout?: CheckoutFacts;
  /** Binds this checkout session to the order. */
  checkoutSessionId?: string;
  /** Binds this payment to the order; facts that were parked under it count from then on. */
  paymentIntentId?: string | undefined;
  charge?: (known: ChargeFacts) => Promise<ChargeFacts>;
  buyerEmail?: string | undefined;
}

export type ApplyPaymentUpdate = (update: PaymentUpdate, alongside: readonly Write[]) => Promise<void>;

const attempts = 12;
const nothing: LicenseOutcome = { order: {}, writes: [], jobs: [] };

/**
 * Brings an order to what its facts say, in one transaction: the facts and the
 * statuses derived from them, the payment that is bound to it, its one license (or
 * its place among the orders that wait for a code), the mail, the audit records, and
 * the writes given `alongside`. It can be repeated, in any order, and by several
 * workers at once: whoever read something stale reads again.
 */
export function createApplyPaymentUpdate(dependencies: {
  orders: OrderRepository;
  payments: PaymentRepository;
  licenses: LicenseRepository;
  audit: AuditRepository;
  issueLicense: IssueLicense;
  releaseMail: ReleaseMail;
  sender: JobSender;
  encryptionKeys: Keyring;
  random?: () => number;
}): ApplyPaymentUpdate {
  const { orders, payments, licenses, audit, issueLicense, releaseMail, sender, encryptionKeys, random = Math.random } = dependencies;

  async function applyOnce(update: PaymentUpdate, alongside: readonly Write[]): Promise<void> {
    const order = await orders.getOrder(update.orderId);
    const payment = await readPayment(order, update.paymentIntentId);
    const knownCharge = payment?.charge ?? noChargeFacts;
    const charge = update.charge ? mergeChargeFacts(knownCharge, await update.charge(knownCharge)) : knownCharge;
    const settled = settle(order, update, charge);
    const license = await licenseOf(order, settled, knownCharge, charge);
    const next = { ...settled, ...license.order };

    await orders.commit([
      ...alongside,
      orders.replaceOrder(order, next),
      ...(payment ? [payments.replacePayment(payment, { id: payment.id, orderId: order.id, charge })] : []),
      ...license.writes,
      ...(wasPaid(next) && !wasPaid(order) ? orders.removeExpiry(next, emailHashOf(update)) : []),
      ...(next.status === order.status && next.paymentStatus === order.paymentStatus ? [] : [auditOf(order, next)]),
    ]);
    await Promise.all(license.jobs.map(({ kind, ref }) => sender.sendJob(kind, ref)));
  }

  async function readPayment(order: Order, paymentIntentId: string | undefined): Promise<Payment | undefined> {
    const id = paymentIntentId ?? order.paymentIntentId;
    if (id === undefined) return undefined;
    if (order.paymentIntentId !== undefined && order.paymentIntentId !== id) throw new DeadJobError('payment_differs');
    const payment = await payments.readPayment(id);
    if (payment.orderId !== undefined && payment.orderId !== order.id) throw new DeadJobError('payment_of_another_order');
    return payment;
  }

  function settle(order: Order, update: PaymentUpdate, charge: ChargeFacts): Order {
    const checkout = mergeCheckoutFacts(order.checkout, update.checkout ?? {});
    const { checkoutSessionId = order.checkoutSessionId, paymentIntentId = order.paymentIntentId, buyerEmail } = update;
    return {
      ...order,
      checkout,
      checkoutSessionId,
      paymentIntentId,
      status: orderStatusOf(order.amount, checkout, charge),
      paymentStatus: paymentStatusOf(order.amount, checkout, charge),
      sealedBuyerEmail: order.sealedBuyerEmail ?? (buyerEmail === undefined ? undefined : sealText(buyerEmail, order.id, encryptionKeys)),
      ttl: checkout.paidAt ? undefined : order.ttl,
    };
  }

  /** What becomes of the license: made, held or let go with the payment, or neither. */
  async function licenseOf(order: Order, settled: Order, knownCharge: ChargeFacts, charge: ChargeFacts): Promise<LicenseOutcome> {
    const hold = licenseHoldOf(order.amount, charge);
    if (!order.licenseId) {
      return wasPaid(settled) ? issueLicense(settled, hold) : nothing;
    }
    if (hold === licenseHoldOf(order.amount, knownCharge)) return nothing;
    const license = await licenses.getLicense(order.licenseId);
    const action = hold === undefined ? 'license.release' : 'license.hold';
    const after = { paymentHold: hold ?? 'none' };
    const mail = hold === undefined ? await releaseMail(order.id) : nothing;
    return {
      order: {},
      jobs: mail.jobs,
      writes: [
        ...mail.writes,
        licenses.holdLicense(license.lookup, hold),
        audit.recordAudit({
          actor: 'provider',
          action,
          targetId: license.id,
          before: { paymentHold: license.paymentHold ?? 'none' },
          after,
        }),
      ],
    };
  }

  const emailHashOf = ({ buyerEmail }: PaymentUpdate) =>
    buyerEmail === undefined ? undefined : buyerEmailHashes(buyerEmail, encryptionKeys)[0];

  const auditOf = (before: Order, after: Order) =>
    audit.recordAudit({
      actor: 'provider',
      action: 'order.settle',
      targetId: before.id,
      before: { status: before.status, paymentStatus: before.paymentStatus },
      after: { status: after.status, paymentStatus: after.paymentStatus },
    });

  return async (update, alongside) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await applyOnce(update, alongside);
      } catch (error) {
        const readAgain = error instanceof OptimisticLockError || error instanceof CodeTakenError;
        if (!readAgain || attempt === attempts) throw error;
        await sleep(random() * Math.min(500, 10 * 2 ** attempt));
      }
    }
  };
}
