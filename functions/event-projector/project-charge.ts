/** Projects events about a charge: its refunds and disputes. `done` is committed with them. */

import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Write } from '../../shared/db/table.ts';
import { DeadJobError } from '../../shared/jobs/job.ts';
import { findOrder, getOrder } from '../../shared/orders/order-repository.ts';
import { disputeStateOf } from '../../shared/payments/events/parse-event.ts';
import type { PayloadOf, WebhookEvent } from '../../shared/payments/events/webhook-event.ts';
import {
  type ChargeFacts,
  contradicts,
  type DisputeFact,
  mergeChargeFacts,
  noChargeFacts,
  type ToldCharge,
  type ToldDispute,
} from '../../shared/payments/payment-facts.ts';
import { findPaymentIdOfCharge, linkCharge, readPayment, replacePayment } from '../../shared/payments/payment-repository.ts';
import {
  findDisputeStatus,
  findIsRefunded,
  retrieveCharge,
  retrieveChargeOfPayment,
} from '../../shared/payments/provider/checkout-sessions.ts';
import { applyPaymentUpdate, type UpdateNeeds } from './apply-payment-update.ts';
import { checkAmount } from './project-checkout.ts';

type ChargeIds = Pick<PayloadOf<'dispute'>, 'paymentIntentId' | 'chargeId' | 'orderId'>;

/** All events about one payment may come at once, before its order is known. */
const parkingAttempts = 12;

/** From the event itself, from an earlier event about the same charge, from the order, or from the provider. */
async function paymentIdOf(c: Needs<'table' | 'provider'>, { paymentIntentId, chargeId, orderId }: ChargeIds): Promise<string> {
  return (
    paymentIntentId ??
    (chargeId === undefined ? undefined : await findPaymentIdOfCharge(c.table, chargeId)) ??
    (orderId === undefined ? undefined : await findOrder(c.table, orderId))?.paymentIntentId ??
    retrievePaymentId(c, chargeId)
  );
}

async function retrievePaymentId(c: Needs<'provider'>, chargeId: string | undefined): Promise<string> {
  const charge = chargeId === undefined ? undefined : await retrieveCharge(c, chargeId);
  if (!charge?.paymentIntentId) throw new DeadJobError('payment_unknown');
  return charge.paymentIntentId;
}

async function retrieveRefunds(c: Needs<'now' | 'provider'>, chargeId: string | undefined, paymentIntentId: string): Promise<ChargeFacts> {
  const at = c.now().toISOString();
  const { refundedAmount } = chargeId ? await retrieveCharge(c, chargeId) : await retrieveChargeOfPayment(c, paymentIntentId);
  return { ...noChargeFacts, refundRetrieval: { at, amount: refundedAmount } };
}

/** The dispute as the provider has it now, or as the event reported it when the provider has none of this id. */
async function retrieveDispute(
  c: Needs<'provider'>,
  { disputeId, chargeId }: PayloadOf<'dispute'>,
  reported: DisputeFact,
): Promise<ToldDispute> {
  const status = await findDisputeStatus(c, disputeId);
  return status === undefined
    ? reported
    : { ...reported, state: await settledState(c, disputeStateOf(status), chargeId), isRetrieved: true };
}

/** A dispute may be prevented by a refund. */
async function settledState(
  c: Needs<'provider'>,
  state: PayloadOf<'dispute'>['state'],
  chargeId: string | undefined,
): Promise<DisputeFact['state']> {
  if (state !== 'prevented') return state;
  const isRefunded = chargeId === undefined ? undefined : await findIsRefunded(c, chargeId);
  return isRefunded === false ? 'won' : 'lost';
}

/** Applies facts of a charge to the order that its payment is bound to; parks them while it is bound to none. */
async function projectFacts(
  c: UpdateNeeds,
  { chargeId }: ChargeIds,
  paymentIntentId: string,
  facts: (known: ChargeFacts) => Promise<ToldCharge>,
  done: readonly Write[],
): Promise<void> {
  const furtherWrites = chargeId === undefined ? done : [...done, linkCharge(chargeId, paymentIntentId)];
  return retryOptimisticLock(
    async () => {
      const payment = await readPayment(c.table, paymentIntentId);
      if (payment.orderId) {
        return applyPaymentUpdate(c, { orderId: payment.orderId, paymentIntentId, charge: facts }, furtherWrites);
      }
      const charge = mergeChargeFacts(payment.charge, await facts(payment.charge));
      return c.table.transact([...furtherWrites, replacePayment(payment, { id: payment.id, charge })]);
    },
    { attempts: parkingAttempts },
  );
}

export async function projectRefund(
  c: UpdateNeeds & Needs<'provider'>,
  event: WebhookEvent,
  payload: PayloadOf<'refund'>,
  done: readonly Write[],
): Promise<void> {
  const paymentIntentId = await paymentIdOf(c, payload);
  const { orderId } = await readPayment(c.table, paymentIntentId);
  if (orderId) checkAmount(await getOrder(c.table, orderId), payload.amount, payload.currency);
  // Once a refund failed, the amount in an event may be outdated: only a retrieval shows what is refunded.
  const refundTimes = { [payload.refundedAmount]: event.createdAt };
  const facts = async (known: ChargeFacts): Promise<ChargeFacts> =>
    known.refundRetrieval
      ? { ...(await retrieveRefunds(c, payload.chargeId, paymentIntentId)), refundTimes }
      : { ...noChargeFacts, refundedAmount: payload.refundedAmount, refundTimes };
  await projectFacts(c, payload, paymentIntentId, facts, done);
}

export async function projectFailedRefund(
  c: UpdateNeeds & Needs<'provider'>,
  payload: PayloadOf<'failed-refund'>,
  done: readonly Write[],
): Promise<void> {
  const paymentIntentId = await paymentIdOf(c, payload);
  await projectFacts(c, payload, paymentIntentId, () => retrieveRefunds(c, payload.chargeId, paymentIntentId), done);
}

export async function projectDispute(
  c: UpdateNeeds & Needs<'provider'>,
  event: WebhookEvent,
  payload: PayloadOf<'dispute'>,
  done: readonly Write[],
): Promise<void> {
  const { disputeId } = payload;
  const facts = async (known: ChargeFacts): Promise<ToldCharge> => {
    const { amount } = payload;
    const state = await settledState(c, payload.state, payload.chargeId);
    const reported: DisputeFact = { state, at: event.createdAt, ...(amount !== undefined && { amount }) };
    const dispute = contradicts(known, disputeId, reported) ? await retrieveDispute(c, payload, reported) : reported;
    return { ...noChargeFacts, disputes: { [disputeId]: dispute } };
  };
  await projectFacts(c, payload, await paymentIdOf(c, payload), facts, done);
}
