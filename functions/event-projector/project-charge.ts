import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { DeadJobError } from '../../shared/jobs/job.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createCheckoutSessions } from '../../shared/payments/checkout-sessions.ts';
import { disputeStateOf } from '../../shared/payments/parse-event.ts';
import { type ChargeFacts, contradicts, type DisputeFact, mergeChargeFacts, noChargeFacts } from '../../shared/payments/payment-facts.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import type { PayloadOf, WebhookEvent } from '../../shared/payments/webhook-event.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';
import { checkAmount } from './project-checkout.ts';

type ChargeIds = Pick<PayloadOf<'dispute'>, 'paymentIntentId' | 'chargeId' | 'orderId'>;

/** All events about one payment may come at once, before its order is known. */
const parkingAttempts = 12;

/** Projects events about a charge: its refunds and disputes. `done` is committed with them. */
export function createProjectCharge(options: {
  table: Table;
  provider: StripeClient;
  applyPaymentUpdate: ApplyPaymentUpdate;
  now: () => Date;
}) {
  const { table, provider, applyPaymentUpdate, now } = options;
  const orders = createOrderRepository({ table });
  const payments = createPaymentRepository({ table });
  const checkoutSessions = createCheckoutSessions({ provider });

  /** From the event itself, from an earlier event about the same charge, from the order, or from the provider. */
  async function paymentIdOf({ paymentIntentId, chargeId, orderId }: ChargeIds): Promise<string> {
    return (
      paymentIntentId ??
      (chargeId === undefined ? undefined : await payments.findPaymentIdOfCharge(chargeId)) ??
      (orderId === undefined ? undefined : await orders.findOrder(orderId))?.paymentIntentId ??
      retrievePaymentId(chargeId)
    );
  }

  async function retrievePaymentId(chargeId: string | undefined): Promise<string> {
    const charge = chargeId === undefined ? undefined : await checkoutSessions.retrieveCharge(chargeId);
    if (!charge?.paymentIntentId) throw new DeadJobError('payment_unknown');
    return charge.paymentIntentId;
  }

  async function retrieveRefunds(chargeId: string | undefined, paymentIntentId: string): Promise<ChargeFacts> {
    const at = now().toISOString();
    const { refundedAmount } = chargeId
      ? await checkoutSessions.retrieveCharge(chargeId)
      : await checkoutSessions.retrieveChargeOfPayment(paymentIntentId);
    return { ...noChargeFacts, refundRetrieval: { at, amount: refundedAmount } };
  }

  /** The dispute as the provider has it now, or as the event reported it when the provider has none of this id. */
  async function retrieveDispute({ disputeId, chargeId }: PayloadOf<'dispute'>, reported: DisputeFact): Promise<DisputeFact> {
    const at = now().toISOString();
    const status = await checkoutSessions.findDisputeStatus(disputeId);
    return status === undefined ? reported : { ...reported, state: await settledState(disputeStateOf(status), chargeId), at };
  }

  /** A dispute may be prevented by giving the money back. */
  async function settledState(state: PayloadOf<'dispute'>['state'], chargeId: string | undefined): Promise<DisputeFact['state']> {
    if (state !== 'prevented') return state;
    const isRefunded = chargeId === undefined ? undefined : await checkoutSessions.findIsRefunded(chargeId);
    return isRefunded === false ? 'won' : 'lost';
  }

  /** Applies facts of a charge to the order that its payment is bound to; parks them while it is bound to none. */
  async function projectFacts(
    { chargeId }: ChargeIds,
    paymentIntentId: string,
    facts: (known: ChargeFacts) => Promise<ChargeFacts>,
    done: readonly Write[],
  ): Promise<void> {
    const furtherWrites = chargeId === undefined ? done : [...done, payments.linkCharge(chargeId, paymentIntentId)];
    return retryOptimisticLock(
      async () => {
        const payment = await payments.readPayment(paymentIntentId);
        if (payment.orderId) {
          return applyPaymentUpdate({ orderId: payment.orderId, paymentIntentId, charge: facts }, furtherWrites);
        }
        const charge = mergeChargeFacts(payment.charge, await facts(payment.charge));
        return table.transact([...furtherWrites, payments.replacePayment(payment, { id: payment.id, charge })]);
      },
      { attempts: parkingAttempts },
    );
  }

  return {
    async projectRefund(event: WebhookEvent, payload: PayloadOf<'refund'>, done: readonly Write[]): Promise<void> {
      const paymentIntentId = await paymentIdOf(payload);
      const { orderId } = await payments.readPayment(paymentIntentId);
      if (orderId) checkAmount(await orders.getOrder(orderId), payload.amount, payload.currency);
      // Once a refund failed, the amount in an event may be outdated: only a retrieval shows what is refunded.
      const refundTimes = { [payload.refundedAmount]: event.createdAt };
      const facts = async (known: ChargeFacts): Promise<ChargeFacts> =>
        known.refundRetrieval
          ? { ...(await retrieveRefunds(payload.chargeId, paymentIntentId)), refundTimes }
          : { ...noChargeFacts, refundedAmount: payload.refundedAmount, refundTimes };
      await projectFacts(payload, paymentIntentId, facts, done);
    },

    async projectFailedRefund(payload: PayloadOf<'failed-refund'>, done: readonly Write[]): Promise<void> {
      const paymentIntentId = await paymentIdOf(payload);
      await projectFacts(payload, paymentIntentId, () => retrieveRefunds(payload.chargeId, paymentIntentId), done);
    },

    async projectDispute(event: WebhookEvent, payload: PayloadOf<'dispute'>, done: readonly Write[]): Promise<void> {
      const { disputeId } = payload;
      const facts = async (known: ChargeFacts): Promise<ChargeFacts> => {
        const { amount } = payload;
        const state = await settledState(payload.state, payload.chargeId);
        const reported: DisputeFact = { state, at: event.createdAt, ...(amount !== undefined && { amount }) };
        const dispute = contradicts(known, disputeId, reported) ? await retrieveDispute(payload, reported) : reported;
        return { ...noChargeFacts, disputes: { [disputeId]: dispute } };
      };
      await projectFacts(payload, await paymentIdOf(payload), facts, done);
    },
  };
}
