import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import { OptimisticLockError } from '../../shared/db/optimistic-lock.ts';
import type { Write } from '../../shared/db/table.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Order } from '../../shared/orders/order.ts';
import type { OrderRepository } from '../../shared/orders/order-repository.ts';
import type { CheckoutSessions } from '../../shared/payments/checkout-sessions.ts';
import {
  type ChargeFacts,
  type CheckoutFacts,
  contradicts,
  type DisputeFact,
  mergeChargeFacts,
  noChargeFacts,
} from '../../shared/payments/payment-facts.ts';
import { EventKnownError, type PaymentRepository } from '../../shared/payments/payment-repository.ts';
import { isMissing } from '../../shared/payments/stripe-client.ts';
import { disputeStateOf, type PayloadOf, type WebhookEvent } from '../../shared/payments/webhook-event.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';

type ChargeNames = Pick<PayloadOf<'dispute'>, 'paymentIntentId' | 'chargeId' | 'orderId'>;

/** Asks the provider for the account that an event is about, and updates its seller's payment fields. */
export type RefreshAccount = (event: { id: string; payload: PayloadOf<'account'> }) => Promise<void>;

/**
 * Projects a stored event onto order, payment and license, or onto the seller's
 * payment fields: once, whatever came before it. Source: decisions.md §7.
 */
export function createProjectEvent(dependencies: {
  stage: string;
  orders: OrderRepository;
  payments: PaymentRepository;
  jobs: JobRepository;
  checkoutSessions: CheckoutSessions;
  applyPaymentUpdate: ApplyPaymentUpdate;
  refreshAccount: RefreshAccount;
  encryptionKeys: Keyring;
  now: () => Date;
}): (job: Job) => Promise<void> {
  const { stage, orders, payments, jobs, checkoutSessions, applyPaymentUpdate, refreshAccount, encryptionKeys, now } = dependencies;

  return async (job) => {
    const event = await payments.getEvent(job.ref);
    const done = [payments.markEventProjected(event, now()), jobs.finishJob(job)];
    try {
      await project(event, done);
    } catch (error) {
      if (!(error instanceof EventKnownError)) throw error;
      await payments.commit([jobs.finishJob(job)]);
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
        await refreshAccount({ id: event.id, payload });
        return payments.commit(done);
      case 'unreadable':
        throw new DeadJobError('event_unreadable');
      case 'ignored':
        return payments.commit(done);
    }
  }

  async function projectSession(event: WebhookEvent, payload: PayloadOf<'session'>, done: readonly Write[]): Promise<void> {
    const order = await orders.findOrder(payload.orderId ?? '');
    if (!order) {
      if (payload.stage === stage) throw new DeadJobError('order_unknown');
      return payments.commit(done);
    }
    if (payload.outcome !== 'expired') checkTerms(order, payload);
    await checkSession(order, payload.sessionId);
    // Our own clock: what is bound to the payment's time, such as the redirect token, starts when we learn of it.
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

  function checkTerms(order: Order, { mode, amount, currency }: PayloadOf<'session'>): void {
    if (mode !== undefined && mode !== 'payment') throw new DeadJobError('mode_differs');
    checkAmount(order, amount, currency);
  }

  function checkAmount(order: Order, amount: number | undefined, currency: string | undefined): void {
    if (amount !== order.amount) throw new DeadJobError('amount_differs');
    if (currency?.toLowerCase() !== order.currency.toLowerCase()) throw new DeadJobError('currency_differs');
  }

  /** A session the order does not know yet is taken only on the provider's own word. */
  async function checkSession(order: Order, sessionId: string): Promise<void> {
    if (order.checkoutSessionId === sessionId) return;
    if (order.checkoutSessionId !== undefined) throw new DeadJobError('session_differs');
    const session = await checkoutSessions.retrieve(sessionId).catch((error) => {
      throw isMissing(error) ? new DeadJobError('session_unknown') : error;
    });
    if (session.orderId !== order.id) throw new DeadJobError('session_differs');
    checkAmount(order, session.amount, session.currency);
    if (session.destinationAccountId !== undefined && session.destinationAccountId !== order.destinationAccountId) {
      throw new DeadJobError('account_differs');
    }
  }

  async function projectDecline(event: WebhookEvent, payload: PayloadOf<'decline'>, done: readonly Write[]): Promise<void> {
    const { orderId } = await payments.readPayment(payload.paymentIntentId);
    const order = await orders.findOrder(orderId ?? payload.orderId ?? '');
    if (!order || (order.paymentIntentId !== undefined && order.paymentIntentId !== payload.paymentIntentId)) {
      return payments.commit(done);
    }
    checkAmount(order, payload.amount, payload.currency);
    await applyPaymentUpdate({ orderId: order.id, checkout: { declinedAt: event.receivedAt } }, done);
  }

  async function projectRefund(payload: PayloadOf<'refund'>, done: readonly Write[]): Promise<void> {
    const paymentIntentId = await paymentIdOf(payload);
    const { orderId } = await payments.readPayment(paymentIntentId);
    if (orderId) checkAmount(await orders.getOrder(orderId), payload.amount, payload.currency);
    // Once a refund failed, an event's amount may be one that was taken back since: only the provider knows.
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
    const told: DisputeFact = { state: payload.state, at: event.createdAt };
    const facts = async (known: ChargeFacts): Promise<ChargeFacts> => {
      const dispute = contradicts(known, disputeId, told) ? await askAboutDispute(disputeId, told) : told;
      return { ...noChargeFacts, disputes: { [disputeId]: dispute } };
    };
    await projectCharge(payload, await paymentIdOf(payload), facts, done);
  }

  async function askAboutDispute(disputeId: string, told: DisputeFact): Promise<DisputeFact> {
    const at = now().toISOString();
    const status = await checkoutSessions.findDisputeStatus(disputeId);
    return status === undefined ? told : { state: disputeStateOf(status), at };
  }

  /** Told by the event itself, by one before it about the same charge, by the order it names, or by the provider. */
  async function paymentIdOf({ paymentIntentId, chargeId, orderId }: ChargeNames): Promise<string> {
    return (
      paymentIntentId ??
      (chargeId === undefined ? undefined : await payments.findPaymentIdOfCharge(chargeId)) ??
      (await orders.findOrder(orderId ?? ''))?.paymentIntentId ??
      askForPaymentId(chargeId)
    );
  }

  async function askForPaymentId(chargeId: string | undefined): Promise<string> {
    const charge = chargeId === undefined ? undefined : await checkoutSessions.retrieveCharge(chargeId);
    if (!charge?.paymentIntentId) throw new DeadJobError('payment_unknown');
    return charge.paymentIntentId;
  }

  /** Facts of a charge: for the order its payment is bound to, else parked until a session binds it. */
  async function projectCharge(
    { chargeId }: ChargeNames,
    paymentIntentId: string,
    facts: (known: ChargeFacts) => Promise<ChargeFacts>,
    done: readonly Write[],
  ): Promise<void> {
    const alongside = chargeId === undefined ? done : [...done, payments.linkCharge(chargeId, paymentIntentId)];
    for (;;) {
      const payment = await payments.readPayment(paymentIntentId);
      if (payment.orderId) {
        return applyPaymentUpdate({ orderId: payment.orderId, paymentIntentId, charge: facts }, alongside);
      }
      const charge = mergeChargeFacts(payment.charge, await facts(payment.charge));
      try {
        return await payments.commit([...alongside, payments.replacePayment(payment, { id: payment.id, charge })]);
      } catch (error) {
        if (!(error instanceof OptimisticLockError)) throw error;
      }
    }
  }
}
