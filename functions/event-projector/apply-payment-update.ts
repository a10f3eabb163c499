import { isDeepStrictEqual } from 'node:util';
import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { CodeTakenError } from '../../shared/code-batches/code-stock-repository.ts';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText, sealText } from '../../shared/crypto/sealed-text.ts';
import { OptimisticLockError, retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { effectiveHoldOf } from '../../shared/entitlements/holds.ts';
import type { OrderId } from '../../shared/ids.ts';
import { DeadJobError, LeaseLostError } from '../../shared/jobs/job.ts';
import { type Addition, createAdditionRepository } from '../../shared/licenses/addition-repository.ts';
import { statusOf } from '../../shared/licenses/license.ts';
import { LicenseKeyTakenError } from '../../shared/licenses/license-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import { isAddition, type Order, wasPaid } from '../../shared/orders/order.ts';
import { orderEvents } from '../../shared/orders/order-events.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import {
  type ChargeFacts,
  type CheckoutFacts,
  mergeChargeFacts,
  mergeCheckoutFacts,
  noChargeFacts,
  orderStatusOf,
  paymentStatusOf,
  refundedAmountOf,
} from '../../shared/payments/payment-facts.ts';
import { createPaymentRepository, EventKnownError, unknownPayment } from '../../shared/payments/payment-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import type { Happening } from '../../shared/seller-events/seller-event.ts';
import { createIssueLater, createIssueLicense, type IssueLicense, type LicenseOutcome, noOutcome } from './issue-license.ts';
import { createCountAddition } from './parents/count-addition.ts';
import { createHoldLicense } from './parents/hold-license.ts';
import { createRecordUpgrade } from './parents/record-upgrade.ts';
import { createReturnMail } from './return-mail.ts';
import { createSettleLater } from './settle-later.ts';

/** New facts of an order and its payment, to be merged into what is known. Without any, the order is only brought up to date. */
export interface PaymentUpdate {
  orderId: OrderId;
  /** The order as it was read before: only what never changes of it is relied on. */
  known?: Order;
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
  const additions = createAdditionRepository({ table });
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });
  const issueLicense = createIssueLicense({ table, peppers, encryptionKeys, now });
  /** In its place when it failed. */
  const issueLater = createIssueLater({ table, now });
  const countAddition = createCountAddition({ table, now });
  const recordUpgrade = createRecordUpgrade({ table, now });
  const holdLicense = createHoldLicense({ table, now });
  const returnMail = createReturnMail({ table, now });
  const settleLater = createSettleLater({ table, now });

  const recorded = ({ sellerId }: Order, happenings: readonly Happening[]) =>
    happenings.map((happening) => recordEvent(sellerId, happening));

  async function applyOnce(update: PaymentUpdate, furtherWrites: readonly Write[], issue: IssueLicense): Promise<void> {
    const { order, payment, addition } = await readSale(update);
    const knownCharge = payment?.charge ?? noChargeFacts;
    const charge = update.charge ? mergeChargeFacts(knownCharge, await update.charge(knownCharge)) : knownCharge;
    const updated = withFacts(order, update, charge);
    // Recorded before what follows from it.
    const moved = recordMove(order, updated, { before: order.paymentIntentId === undefined ? noChargeFacts : knownCharge, after: charge });
    // Made first, so that the sale is told of before its license.
    const licenseStatus = addition && statusOf(addition.license, now());
    const events = recorded(order, orderEvents({ order, charge: knownCharge }, { order: updated, charge }, licenseStatus));
    const upgrade = await recordUpgrade(order, updated);
    const linked = { ...updated, ...upgrade.order };
    const license =
      addition && isAddition(order) && isAddition(linked)
        ? await countAddition(addition, order, linked)
        : await licenseOutcomeOf(order, linked, issue);
    const told = returnMail(order, updated);
    const settled = settleLater(order, updated);
    const next = { ...linked, ...license.order, ...told.order };

    const writes = [
      ...furtherWrites,
      orders.replaceOrder(order, next),
      ...(payment ? [payments.replacePayment(payment, { id: payment.id, orderId: order.id, charge })] : []),
      ...events,
      ...upgrade.writes,
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
    await Promise.all([...upgrade.jobs, ...license.jobs, ...told.jobs, ...settled.jobs].map((task) => sender.sendJob(task)));
  }

  /** The order, with the payment that is bound to it or is to be bound to it now; an addition with its license. */
  async function readSale(update: PaymentUpdate): Promise<{ order: Order; payment?: Payment | undefined; addition?: Addition }> {
    const known = update.known && isAddition(update.known) ? update.known : await orders.getOrder(update.orderId);
    const id = update.paymentIntentId ?? known.paymentIntentId;
    if (!isAddition(known)) {
      return { order: known, payment: id === undefined ? undefined : checkPayment(known, await payments.readPayment(id)) };
    }
    const addition = await additions.getAddition(known, id);
    const { order, payment = id === undefined ? undefined : unknownPayment(id) } = addition;
    return { order, payment: payment && checkPayment(order, payment), addition };
  }

  /** @throws DeadJobError payment_differs, payment_of_another_order */
  function checkPayment(order: Order, payment: Payment): Payment {
    if (order.paymentIntentId !== undefined && order.paymentIntentId !== payment.id) throw new DeadJobError('payment_differs');
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

  /** Issues the license when the order is paid, and puts it on hold or lifts the hold when the payment's facts changed that. */
  const licenseOutcomeOf = async (order: Order, updated: Order, issue: IssueLicense): Promise<LicenseOutcome> => {
    if (order.licenseId) return holdLicense(order, updated);
    return wasPaid(updated) ? issue(updated, effectiveHoldOf(updated)) : noOutcome;
  };

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
