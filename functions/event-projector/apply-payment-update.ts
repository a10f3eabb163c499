import { isDeepStrictEqual } from 'node:util';
import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { CodeTakenError } from '../../shared/code-batches/code-stock-repository.ts';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText, sealText } from '../../shared/crypto/sealed-text.ts';
import { OptimisticLockError, retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import type { OrderId } from '../../shared/ids.ts';
import { DeadJobError, LeaseLostError } from '../../shared/jobs/job.ts';
import { licenseStatusChange } from '../../shared/licenses/license-events.ts';
import { createLicenseRepository, LicenseKeyTakenError } from '../../shared/licenses/license-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import { type Order, wasPaid } from '../../shared/orders/order.ts';
import { orderEvents } from '../../shared/orders/order-events.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
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
  refundedAmountOf,
} from '../../shared/payments/payment-facts.ts';
import { createPaymentRepository, EventKnownError } from '../../shared/payments/payment-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import type { Happening } from '../../shared/seller-events/seller-event.ts';
import { createIssueLater, createIssueLicense, type IssueLicense, type LicenseOutcome, noOutcome } from './issue-license.ts';
import { createReleaseMail } from './release-mail.ts';
import { createReturnMail } from './return-mail.ts';
import { createSettleLater } from './settle-later.ts';

/** New facts of an order and its payment, to be merged into what is known. Without any, the order is only brought up to date. */
export interface PaymentUpdate {
  orderId: OrderId;
  checkout?: CheckoutFacts;
  /** Binds this checkout session to the order. */
  checkoutSessionId?: string;
  /** Binds this payment to the order; facts that were parked under it count from then on. */
  paymentIntentId?: string | undefined;
  /** The new facts of the charge, given what is known of it. */
  charge?: (known: ChargeFacts) => Promise<ChargeFacts>;
  buyerEmail?: string | undefined;
}

/** `furtherWrites` are committed in the same transaction, before everything else. */
export type ApplyPaymentUpdate = (update: PaymentUpdate, furtherWrites: readonly Write[]) => Promise<void>;

/** Many events of one order may come at once. */
const attempts = 12;
/** Codes that are other licenses' keys are set aside one after the other; of more than these the rest is left to a job. */
const mostSetAside = 50;

/**
 * Merges facts into an order and everything that depends on them, in one transaction. It can be
 * repeated, in any order, and by several workers at once: what was decided on outdated reads is
 * decided again. Facts are recorded also when the license cannot be issued: then a job issues it.
 * See "One transaction" in README.md
 */
export function createApplyPaymentUpdate(options: {
  table: Table;
  sender: JobSender;
  logger: Logger;
  peppers: Keyring;
  encryptionKeys: Keyring;
  now: () => Date;
}): ApplyPaymentUpdate {
  const { table, sender, logger, peppers, encryptionKeys, now } = options;
  const orders = createOrderRepository({ table });
  const payments = createPaymentRepository({ table });
  const licenses = createLicenseRepository({ table });
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });
  const issueLicense = createIssueLicense({ table, peppers, encryptionKeys, now });
  /** In its place when it failed. */
  const issueLater = createIssueLater({ table, now });
  const releaseMail = createReleaseMail({ table, now });
  const returnMail = createReturnMail({ table, now });
  const settleLater = createSettleLater({ table, now });

  const recorded = ({ sellerId }: Order, happenings: readonly Happening[]) =>
    happenings.map((happening) => recordEvent(sellerId, happening));

  async function applyOnce(update: PaymentUpdate, furtherWrites: readonly Write[], issue: IssueLicense): Promise<void> {
    const order = await orders.getOrder(update.orderId);
    const payment = await readPayment(order, update.paymentIntentId);
    const knownCharge = payment?.charge ?? noChargeFacts;
    const charge = update.charge ? mergeChargeFacts(knownCharge, await update.charge(knownCharge)) : knownCharge;
    const updated = withFacts(order, update, charge);
    // Recorded before what follows from it.
    const moved = recordMove(order, updated, { before: order.paymentIntentId === undefined ? noChargeFacts : knownCharge, after: charge });
    // Made first, so that the sale is told of before its license.
    const events = recorded(order, orderEvents({ order, charge: knownCharge }, { order: updated, charge }));
    const license = await licenseOutcomeOf(order, updated, knownCharge, charge, issue);
    const told = returnMail(order, updated);
    const settled = settleLater(order, updated);
    const next = { ...updated, ...license.order, ...told.order };

    const writes = [
      ...furtherWrites,
      orders.replaceOrder(order, next),
      ...(payment ? [payments.replacePayment(payment, { id: payment.id, orderId: order.id, charge })] : []),
      ...events,
      ...license.writes,
      ...told.writes,
      ...settled.writes,
      ...(wasPaid(next) && (!wasPaid(order) || order.sealedBuyerEmail !== next.sealedBuyerEmail)
        ? orders.removeExpiry(next, emailHashOf(next))
        : []),
      ...moved,
    ];
    try {
      await table.transact(writes);
    } catch (error) {
      if (error instanceof LicenseKeyTakenError) await license.setCodeAside?.();
      throw error;
    }
    logger.info('order_updated', { orderId: order.id, status: next.status, licenseId: next.licenseId });
    await Promise.all([...license.jobs, ...told.jobs, ...settled.jobs].map((task) => sender.sendJob(task)));
  }

  /** The payment that is bound to the order, or is to be bound to it now. */
  async function readPayment(order: Order, paymentIntentId: string | undefined): Promise<Payment | undefined> {
    const id = paymentIntentId ?? order.paymentIntentId;
    if (id === undefined) return undefined;
    if (order.paymentIntentId !== undefined && order.paymentIntentId !== id) throw new DeadJobError('payment_differs');
    const payment = await payments.readPayment(id);
    if (payment.orderId !== undefined && payment.orderId !== order.id) throw new DeadJobError('payment_of_another_order');
    return payment;
  }

  /** The order with the new facts, and the statuses derived from all of them. */
  function withFacts(order: Order, update: PaymentUpdate, charge: ChargeFacts): Order {
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

  /** Issues the license when the order is paid, and puts it on hold or lifts the hold when the charge's facts changed that. */
  async function licenseOutcomeOf(
    order: Order,
    updated: Order,
    knownCharge: ChargeFacts,
    charge: ChargeFacts,
    issue: IssueLicense,
  ): Promise<LicenseOutcome> {
    const hold = licenseHoldOf(order.amount, charge);
    if (!order.licenseId) {
      return wasPaid(updated) ? issue(updated, hold) : noOutcome;
    }
    if (hold === licenseHoldOf(order.amount, knownCharge)) return noOutcome;
    const license = await licenses.getLicense(order.licenseId);
    const mail = hold === undefined ? await releaseMail(order) : noOutcome;
    const changes = licenseStatusChange(license, { ...license, paymentHold: hold }, now());
    return {
      order: {},
      jobs: mail.jobs,
      writes: [
        ...mail.writes,
        licenses.holdLicense(license, hold),
        audit.recordAudit({
          actor: 'provider',
          action: hold === undefined ? 'license.lift_hold' : 'license.hold',
          targetId: license.id,
          before: { paymentHold: license.paymentHold ?? 'none' },
          after: { paymentHold: hold ?? 'none' },
        }),
        ...recorded(order, changes),
      ],
    };
  }

  /** Of the address that the order keeps, whichever event told it. */
  const emailHashOf = ({ id, sealedBuyerEmail }: Order) =>
    sealedBuyerEmail === undefined ? undefined : buyerEmailHashes(openText(sealedBuyerEmail, id, encryptionKeys), encryptionKeys)[0];

  /** That a status moved, or what was refunded of the amount; what the charge had before the order knew of it is new to the order. */
  function recordMove(before: Order, after: Order, charge: { before: ChargeFacts; after: ChargeFacts }): Write[] {
    const factsOf = ({ status, paymentStatus }: Order, facts: ChargeFacts) => ({
      status,
      paymentStatus,
      amountRefunded: refundedAmountOf(facts),
    });
    const [was, is] = [factsOf(before, charge.before), factsOf(after, charge.after)];
    if (isDeepStrictEqual(was, is)) return [];
    return [audit.recordAudit({ actor: 'provider', action: 'order.update_status', targetId: before.id, before: was, after: is })];
  }

  /** A key that another license has is drawn or generated again; what was decided on outdated reads is decided again. */
  async function apply(update: PaymentUpdate, furtherWrites: readonly Write[], issue: IssueLicense): Promise<void> {
    const decide = () => applyOnce(update, furtherWrites, issue).catch(drawAgainIfTaken);
    for (let taken = 0; ; taken += 1) {
      try {
        return await retryOptimisticLock(decide, { attempts });
      } catch (error) {
        if (!(error instanceof LicenseKeyTakenError) || taken === mostSetAside) throw error;
      }
    }
  }

  return async (update, furtherWrites) => {
    let issuing = false;
    const issue: IssueLicense = (order, hold) => {
      issuing = true;
      return issueLicense(order, hold);
    };
    try {
      await apply(update, furtherWrites, issue);
    } catch (error) {
      if (!issuing || !bringsFacts(update) || isNoFault(error)) throw error;
      logger.error('license_not_issued', { orderId: update.orderId, error });
      await apply(update, furtherWrites, issueLater);
    }
  };
}

const bringsFacts = ({ checkout, charge }: PaymentUpdate) => checkout !== undefined || charge !== undefined;

/** Another worker did the work, or has it now; or the facts contradict the order. */
const isNoFault = (error: unknown) => error instanceof EventKnownError || error instanceof LeaseLostError || error instanceof DeadJobError;

/** A code that was drawn and then taken by another order is a lost race like any other. */
function drawAgainIfTaken(error: unknown): never {
  throw error instanceof CodeTakenError ? new OptimisticLockError() : error;
}
