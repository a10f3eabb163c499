import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import type { OrderId } from '../../shared/ids.ts';
import { DeadJobError, FailedJobError } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Order } from '../../shared/orders/order.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import type { CheckoutSessions } from '../../shared/payments/checkout-sessions.ts';
import { disputeStateOf } from '../../shared/payments/parse-event.ts';
import {
  type ChargeFacts,
  type CheckoutFacts,
  contradicts,
  type DisputeFact,
  mergeChargeFacts,
  noChargeFacts,
} from '../../shared/payments/payment-facts.ts';
import { createPaymentRepository, EventKnownError } from '../../shared/payments/payment-repository.ts';
import { isMissing } from '../../shared/payments/stripe-client.ts';
import type { PayloadOf, WebhookEvent } from '../../shared/payments/webhook-event.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';

type ChargeIds = Pick<PayloadOf<'dispute'>, 'paymentIntentId' | 'chargeId' | 'orderId'>;

/** Retrieves the account that an event is about from the provider, and updates its seller's payment fields. */
export type RefreshAccount = (event: { id: string; payload: PayloadOf<'account'> }) => Promise<void>;

/** All events about one payment may come at once, before its order is known. */
const parkingAttempts = 12;

/**
 * Projects a stored event onto order, payment and license, or onto the seller's
 * payment fields: once, and in any order with other events.
 * See "Facts and statuses" in shared/payments/README.md
 */
export function createProjectEvent(options: {
  stage: string;
  table: Table;
  checkoutSessions: CheckoutSessions;
  applyPaymentUpdate: ApplyPaymentUpdate;
  refreshAccount: RefreshAccount;
  encryptionKeys: Keyring;
  now: () => Date;
}): RunJob<'project-event'> {
  const { stage, table, checkoutSessions, applyPaymentUpdate, refreshAccount, encryptionKeys, now } = options;
  const orders = createOrderRepository({ table });
  const payments = createPaymentRepository({ table });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const event = await payments.getEvent(job.task.eventId);
    const done = [payments.markEventProjected(event, now()), jobs.finishJob(job)];
    try {
      await project(event, done);
    } catch (error) {
      if (!(error instanceof EventKnownError)) throw error;
      await table.transact([jobs.finishJob(job)]);
    }
  };

  async function project(event: WebhookEvent, done: readonly Write[]): Promise<void> {
    const { payload } = event;
    switch (payload.kind) {
      case 'session':
        return projectSession(event, payload, done);
      case 'decline':
        return projectDecline(event, payload, done);
      case 'refund':
        return projectRefund(payload, done);
      case 'failed-refund':
        return projectFailedRefund(payload, done);
      case 'dispute':
        return projectDispute(event, payload, done);
      case 'account':
        await refreshAccount({ id: event.id, payload }).catch(retryIfMissing);
        return table.transact(done);
      case 'unreadable':
        throw new DeadJobError('event_unreadable');
      case 'ignored':
        return table.transact(done);
    }
  }

  async function findOrder(orderId: OrderId | undefined): Promise<Order | undefined> {
    return orderId === undefined ? undefined : orders.findOrder(orderId);
  }

  async function projectSession(event: WebhookEvent, payload: PayloadOf<'session'>, done: readonly Write[]): Promise<void> {
    const order = await findOrder(payload.orderId);
    if (!order) {
      // A session of another stage that shares the provider's test account belongs to no order here.
      if (payload.stage === stage) throw new DeadJobError('order_unknown');
      return table.transact(done);
    }
    if (payload.outcome === 'expired' && isAbandonedSession(order, payload.sessionId)) return table.transact(done);
    if (payload.outcome !== 'expired') checkTerms(order, payload);
    await checkSession(order, payload);
    // By the time of receipt: what is counted from the payment, such as the end of a redirect token, starts when the event arrives.
    const at = event.receivedAt;
    const checkout: Record<typeof payload.outcome, CheckoutFacts> = {
      paid: { paidAt: at },
      processing: { processingAt: at },
      async_failed: { asyncFailedAt: at },
      expired: { expiredAt: at },
    };
    const buyerEmail = payload.sealedBuyerEmail && openText(payload.sealedBuyerEmail, event.id, encryptionKeys);
    await applyPaymentUpdate(
      {
        orderId: order.id,
        checkout: checkout[payload.outcome],
        checkoutSessionId: payload.sessionId,
        paymentIntentId: payload.paymentIntentId,
        buyerEmail,
      },
      done,
    );
  }

  function checkTerms(order: Order, { mode, amount, currency }: Pick<PayloadOf<'session'>, 'mode' | 'amount' | 'currency'>): void {
    if (mode !== undefined && mode !== 'payment') throw new DeadJobError('mode_differs');
    checkAmount(order, amount, currency);
  }

  function checkAmount(order: Order, amount: number | undefined, currency: string | undefined): void {
    if (amount !== order.amount) throw new DeadJobError('amount_differs');
    if (currency?.toLowerCase() !== order.currency.toLowerCase()) throw new DeadJobError('currency_differs');
  }

  /** A session that the order does not know yet is accepted only when the provider confirms it. */
  async function checkSession(order: Order, { sessionId, outcome }: PayloadOf<'session'>): Promise<void> {
    if (order.checkoutSessionId === sessionId) return;
    if (order.checkoutSessionId !== undefined) throw new DeadJobError('session_differs');
    const session = await checkoutSessions.retrieve(sessionId).catch((error) => {
      throw isMissing(error) ? new DeadJobError('session_unknown') : error;
    });
    if (session.orderId !== order.id) throw new DeadJobError('session_differs');
    checkTerms(order, session);
    // Only a session that ended without payment, or a free one, has none to tell whose money it is.
    const hasPayment = order.amount > 0 && outcome !== 'expired';
    if ((hasPayment || session.destinationAccountId !== undefined) && session.destinationAccountId !== order.destinationAccountId) {
      throw new DeadJobError('account_differs');
    }
  }

  async function projectDecline(event: WebhookEvent, payload: PayloadOf<'decline'>, done: readonly Write[]): Promise<void> {
    const { orderId } = await payments.readPayment(payload.paymentIntentId);
    const order = await findOrder(orderId ?? payload.orderId);
    if (!order || (order.paymentIntentId !== undefined && order.paymentIntentId !== payload.paymentIntentId)) {
      return table.transact(done);
    }
    checkAmount(order, payload.amount, payload.currency);
    await applyPaymentUpdate({ orderId: order.id, checkout: { declinedAt: event.receivedAt } }, done);
  }

  async function projectRefund(payload: PayloadOf<'refund'>, done: readonly Write[]): Promise<void> {
    const paymentIntentId = await paymentIdOf(payload);
    const { orderId } = await payments.readPayment(paymentIntentId);
    if (orderId) checkAmount(await orders.getOrder(orderId), payload.amount, payload.currency);
    // Once a refund failed, the amount in an event may be outdated: only a retrieval shows what is refunded.
    const facts = async (known: ChargeFacts): Promise<ChargeFacts> =>
      known.refundRetrieval
        ? retrieveRefunds(payload.chargeId, paymentIntentId)
        : { ...noChargeFacts, refundedAmount: payload.refundedAmount };
    await projectCharge(payload, paymentIntentId, facts, done);
  }

  async function projectFailedRefund(payload: PayloadOf<'failed-refund'>, done: readonly Write[]): Promise<void> {
    const paymentIntentId = await paymentIdOf(payload);
    await projectCharge(payload, paymentIntentId, () => retrieveRefunds(payload.chargeId, paymentIntentId), done);
  }

  async function retrieveRefunds(chargeId: string | undefined, paymentIntentId: string): Promise<ChargeFacts> {
    const at = now().toISOString();
    const { refundedAmount } = chargeId
      ? await checkoutSessions.retrieveCharge(chargeId)
      : await checkoutSessions.retrieveChargeOfPayment(paymentIntentId);
    return { ...noChargeFacts, refundRetrieval: { at, amount: refundedAmount } };
  }

  async function projectDispute(event: WebhookEvent, payload: PayloadOf<'dispute'>, done: readonly Write[]): Promise<void> {
    const { disputeId } = payload;
    const reported: DisputeFact = { state: payload.state, at: event.createdAt };
    const facts = async (known: ChargeFacts): Promise<ChargeFacts> => {
      const dispute = contradicts(known, disputeId, reported) ? await retrieveDispute(disputeId, reported) : reported;
      return { ...noChargeFacts, disputes: { [disputeId]: dispute } };
    };
    await projectCharge(payload, await paymentIdOf(payload), facts, done);
  }

  /** The dispute as the provider has it now, or as the event reported it when the provider has none of this id. */
  async function retrieveDispute(disputeId: string, reported: DisputeFact): Promise<DisputeFact> {
    const at = now().toISOString();
    const status = await checkoutSessions.findDisputeStatus(disputeId);
    return status === undefined ? reported : { state: disputeStateOf(status), at };
  }

  /** From the event itself, from an earlier event about the same charge, from the order, or from the provider. */
  async function paymentIdOf({ paymentIntentId, chargeId, orderId }: ChargeIds): Promise<string> {
    return (
      paymentIntentId ??
      (chargeId === undefined ? undefined : await payments.findPaymentIdOfCharge(chargeId)) ??
      (await findOrder(orderId))?.paymentIntentId ??
      retrievePaymentId(chargeId)
    );
  }

  async function retrievePaymentId(chargeId: string | undefined): Promise<string> {
    const charge = chargeId === undefined ? undefined : await checkoutSessions.retrieveCharge(chargeId);
    if (!charge?.paymentIntentId) throw new DeadJobError('payment_unknown');
    return charge.paymentIntentId;
  }

  /** Applies facts of a charge to the order that its payment is bound to; parks them while it is bound to none. */
  async function projectCharge(
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
}

/** The provider may know an account or event of its own only a while after it told us of it. */
function retryIfMissing(error: unknown): never {
  throw isMissing(error) ? new FailedJobError('account_unknown') : error;
}

/** Of an attempt whose outcome was unknown when the next one opened the order's session: nobody was ever led to it. */
const isAbandonedSession = (order: Order, sessionId: string) =>
  order.checkoutSessionId !== undefined && order.checkoutSessionId !== sessionId;
