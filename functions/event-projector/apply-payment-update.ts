import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../../shared/audit/audit-repository.ts';
import { buyerEmailHashes } from '../../shared/buyer-email/buyer-email.ts';
import { CodeTakenError } from '../../shared/code-batches/code-stock-repository.ts';
import type { Needs } from '../../shared/context.ts';
import { openText, sealText } from '../../shared/crypto/sealed-text.ts';
import { OptimisticLockError, retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { effectiveHold } from '../../shared/entitlements/holds.ts';
import type { OrderId } from '../../shared/ids.ts';
import { DeadJobError, type Job, LeaseLostError } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { type Addition, getAddition } from '../../shared/licenses/addition-repository.ts';
import { statusOf } from '../../shared/licenses/license.ts';
import { LicenseKeyTakenError } from '../../shared/licenses/license-repository.ts';
import { moveHeldOrder } from '../../shared/orders/held-order-repository.ts';
import { isAddition, type Order, wasPaid } from '../../shared/orders/order.ts';
import { orderEvents } from '../../shared/orders/order-events.ts';
import { getOrder, removeOrderExpiry, replaceOrder } from '../../shared/orders/order-repository.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import {
  type ChargeFacts,
  type CheckoutFacts,
  heldSinceOf,
  mergeChargeFacts,
  mergeCheckoutFacts,
  noChargeFacts,
  orderStatusOf,
  paymentStatusOf,
  refundedAmountOf,
  type ToldCharge,
} from '../../shared/payments/payment-facts.ts';
import { DuplicateEventError, readPayment, replacePayment, unknownPayment } from '../../shared/payments/payment-repository.ts';
import { recordEvent } from '../../shared/seller-events/event-record-repository.ts';
import type { NewEvent } from '../../shared/seller-events/seller-event.ts';
import { combine, type Effects, noEffects } from './effects.ts';
import { type IssueLicense, type IssueNeeds, issueLater, issueLicense } from './issue-license.ts';
import { heldMail, returnMail } from './mail-effects.ts';
import { settleLater } from './queue-settlement.ts';
import { countAddition } from './related-orders/count-addition.ts';
import { holdLicense } from './related-orders/hold-license.ts';
import { recordUpgrade } from './related-orders/record-upgrade.ts';

export type UpdateNeeds = Needs<'table' | 'now' | 'logger' | 'sendJob' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS' | 'randomBytes'>;

/** New facts of an order and its payment, to be merged into what is known. Without new facts the order is only brought up to date. */
export interface PaymentUpdate {
  orderId: OrderId;
  /** The order as read before; only its constant fields are used. */
  orderHint?: Order;
  /**
   * The new facts of the checkout, given the order as it is; decided again whenever that changes before they are written.
   * Undefined: nothing of this update is the order's.
   */
  checkout?: (order: Order) => CheckoutUpdate | undefined | Promise<CheckoutUpdate | undefined>;
  /** Binds this payment to the order; facts that were parked under it count from then on. */
  paymentIntentId?: string | undefined;
  /** The new facts of the charge, given what is known of it. */
  charge?: (known: ChargeFacts) => Promise<ToldCharge>;
  buyerEmail?: string | undefined;
}

export interface CheckoutUpdate {
  facts: CheckoutFacts;
  /** Binds this checkout session to the order. */
  sessionId?: string;
}

/** Many events of one order may come at once. */
const attempts = 12;

/** Codes that are other licenses' keys are set aside one after the other; of more than these the rest is left to a job. */
const maxSetAside = 50;

const recorded = (c: Needs<'now'>, { sellerId }: Order, happenings: readonly NewEvent[]) =>
  happenings.map((happening) => recordEvent(c, sellerId, happening));

async function applyOnce(c: UpdateNeeds, update: PaymentUpdate, furtherWrites: readonly Write[], issue: IssueLicense): Promise<void> {
  const { order, payment, addition } = await readSale(c.table, update);
  const checkout = update.checkout ? await update.checkout(order) : { facts: {} };
  if (!checkout) return furtherWrites.length > 0 ? c.table.transact(furtherWrites) : undefined;
  if (payment) checkPayment(order, payment);
  const knownCharge = payment?.charge ?? noChargeFacts;
  const charge = update.charge ? mergeChargeFacts(knownCharge, await update.charge(knownCharge)) : knownCharge;
  const updated = withFacts(c, order, update, { checkout, charge });
  // Recorded before what follows from it.
  const moved = recordMove(c, order, updated, { before: order.paymentIntentId === undefined ? noChargeFacts : knownCharge, after: charge });
  // Created first, so that the sale's event precedes its license's.
  const licenseStatus = addition && statusOf(addition.license, c.now());
  const events = recorded(c, order, orderEvents({ order, charge: knownCharge }, { order: updated, charge }, licenseStatus));
  const upgrade = await recordUpgrade(c, order, updated);
  const linked = { ...updated, ...upgrade.order };
  const license =
    addition && isAddition(order) && isAddition(linked)
      ? await countAddition(c, addition, order, linked)
      : await licenseOutcomeOf(c, order, linked, issue);
  const effects = combine(upgrade, license, returnMail(c, order, updated), heldMail(c, linked), settleLater(c, order, updated));
  const next = { ...updated, ...effects.order };

  const writes = [
    ...furtherWrites,
    replaceOrder(order, next),
    ...(payment ? [replacePayment(payment, { id: payment.id, orderId: order.id, charge })] : []),
    ...events,
    ...effects.writes,
    ...moveHeldOrder(order, next),
    ...(wasPaid(next) && (!wasPaid(order) || order.sealedBuyerEmail !== next.sealedBuyerEmail)
      ? removeOrderExpiry(next, emailHashOf(c, next))
      : []),
    ...moved,
  ];
  try {
    await c.table.transact(writes);
  } catch (error) {
    if (error instanceof LicenseKeyTakenError) await effects.rejectDrawnCode?.();
    throw error;
  }
  c.logger.info('order_updated', { orderId: order.id, status: next.status, licenseId: next.licenseId });
  await Promise.all(effects.jobs.map((task) => c.sendJob(task)));
}

/** The order, with the payment that is bound to it or is to be bound to it now; an addition with its license. */
async function readSale(
  table: Table,
  update: PaymentUpdate,
): Promise<{ order: Order; payment?: Payment | undefined; addition?: Addition }> {
  const known = update.orderHint && isAddition(update.orderHint) ? update.orderHint : await getOrder(table, update.orderId);
  const id = update.paymentIntentId ?? known.paymentIntentId;
  if (!isAddition(known)) {
    return { order: known, payment: id === undefined ? undefined : await readPayment(table, id) };
  }
  const addition = await getAddition(table, known, id);
  const { order, payment = id === undefined ? undefined : unknownPayment(id) } = addition;
  return { order, payment, addition };
}

/** @throws DeadJobError payment_differs, payment_of_another_order */
function checkPayment(order: Order, payment: Payment): void {
  if (order.paymentIntentId !== undefined && order.paymentIntentId !== payment.id) throw new DeadJobError('payment_differs');
  if (payment.orderId !== undefined && payment.orderId !== order.id) throw new DeadJobError('payment_of_another_order');
}

/** The order with the new facts, and the statuses derived from all of them. */
function withFacts(
  c: Needs<'ENCRYPTION_KEYS'>,
  order: Order,
  { paymentIntentId = order.paymentIntentId, buyerEmail }: PaymentUpdate,
  { checkout: { facts, sessionId = order.checkoutSessionId }, charge }: { checkout: CheckoutUpdate; charge: ChargeFacts },
): Order {
  const checkout = mergeCheckoutFacts(order.checkout, facts);
  return {
    ...order,
    checkout,
    checkoutSessionId: sessionId,
    paymentIntentId,
    status: orderStatusOf(order.amount, checkout, charge),
    paymentStatus: paymentStatusOf(order.amount, checkout, charge),
    heldSince: heldSinceOf(order.amount, charge),
    sealedBuyerEmail:
      order.sealedBuyerEmail ?? (buyerEmail === undefined ? undefined : sealText(buyerEmail, order.id, c.settings.ENCRYPTION_KEYS)),
    ttl: checkout.paidAt ? undefined : order.ttl,
  };
}

/** Issues the license when the order is paid, and puts it on hold or lifts the hold when the payment's facts changed that. */
async function licenseOutcomeOf(c: IssueNeeds, order: Order, updated: Order, issue: IssueLicense): Promise<Effects> {
  if (order.licenseId) return holdLicense(c, order, updated);
  return wasPaid(updated) ? issue(c, updated, effectiveHold(updated)) : noEffects;
}

/** Uses the address that the order keeps, whichever event brought it. */
const emailHashOf = (c: Needs<'ENCRYPTION_KEYS'>, { id, sealedBuyerEmail }: Order) =>
  sealedBuyerEmail === undefined
    ? undefined
    : buyerEmailHashes(openText(sealedBuyerEmail, id, c.settings.ENCRYPTION_KEYS), c.settings.ENCRYPTION_KEYS)[0];

/** That a status moved, or what was refunded of the amount; what the charge had before the order knew of it is new to the order. */
function recordMove(c: Needs<'now'>, before: Order, after: Order, charge: { before: ChargeFacts; after: ChargeFacts }): Write[] {
  const factsOf = ({ status, paymentStatus }: Order, facts: ChargeFacts) => ({
    status,
    paymentStatus,
    amountRefunded: refundedAmountOf(facts),
  });
  const [was, is] = [factsOf(before, charge.before), factsOf(after, charge.after)];
  if (isDeepStrictEqual(was, is)) return [];
  return [recordAudit(c, { actor: 'provider', action: 'order.update_status', targetId: before.id, before: was, after: is })];
}

/** A key that another license has is drawn or generated again; what was decided on outdated reads is decided again. */
async function apply(c: UpdateNeeds, update: PaymentUpdate, furtherWrites: readonly Write[], issue: IssueLicense): Promise<void> {
  const decide = () => applyOnce(c, update, furtherWrites, issue).catch(drawAgainIfTaken);
  for (let setAsideCount = 0; ; setAsideCount += 1) {
    try {
      return await retryOptimisticLock(decide, { attempts });
    } catch (error) {
      if (!(error instanceof LicenseKeyTakenError) || setAsideCount === maxSetAside) throw error;
    }
  }
}

/**
 * Merges facts into an order and everything that depends on them, in one transaction. It can be
 * repeated, in any order, and by several workers at once: what was decided on outdated reads is
 * decided again. Facts are recorded also when the license cannot be issued: then a job issues it.
 * See "One transaction" in transaction.md
 *
 * `furtherWrites` are committed in the same transaction, before everything else.
 */
export async function applyPaymentUpdate(c: UpdateNeeds, update: PaymentUpdate, furtherWrites: readonly Write[]): Promise<void> {
  let issuing = false;
  const issue: IssueLicense = (...sale) => {
    issuing = true;
    return issueLicense(...sale);
  };
  try {
    await apply(c, update, furtherWrites, issue);
  } catch (error) {
    if (!issuing || !bringsFacts(update) || isNoFault(error)) throw error;
    c.logger.error('license_not_issued', { orderId: update.orderId, error });
    await apply(c, update, furtherWrites, issueLater);
  }
}

const bringsFacts = ({ checkout, charge }: PaymentUpdate) => checkout !== undefined || charge !== undefined;

/** Another worker did the work, or has it now; or the facts contradict the order. */
const isNoFault = (error: unknown) =>
  error instanceof DuplicateEventError || error instanceof LeaseLostError || error instanceof DeadJobError;

/** A drawn code that another order took first is an ordinary lost race. */
function drawAgainIfTaken(error: unknown): never {
  throw error instanceof CodeTakenError ? new OptimisticLockError() : error;
}

/** Gives a paid order its license, if it has none yet. */
export const issuePostponed = (c: UpdateNeeds, job: Job<'issue-license'>) =>
  applyPaymentUpdate(c, { orderId: job.task.orderId }, [finishJob(job)]);
