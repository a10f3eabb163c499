import * as z from 'zod/mini';
import type { ApiFaults } from './faults.ts';
import { type HttpReply, type HttpRequest, jsonReply, redirectTo } from './http-reply.ts';
import { accountStateNames, isAccountState } from './objects/account-states.ts';
import { accountObject, changeState, closeAccount, finishOnboarding, getAccount, onboardingOutcomes } from './objects/accounts.ts';
import { expireSession, finishCheckout, isAwaited, settleLater, successUrlOf } from './objects/checkout-outcomes.ts';
import type { Session } from './objects/checkout-sessions.ts';
import { paidChargeOf } from './objects/payments.ts';
import { missing, ProviderError, refusalOf } from './objects/provider-error.ts';
import type { ProviderStore, Transaction } from './objects/provider-store.ts';
import {
  closeDispute,
  closedDisputeStatuses,
  failRefund,
  openDispute,
  openDisputeStatuses,
  refundCharge,
  updateDispute,
} from './objects/refunds-and-disputes.ts';
import { queueDelivery, releaseHeld, settingsOf } from './webhooks/deliveries.ts';

/**
 * What a developer or a test does to the fake provider: by JSON for scripts, by forms from
 * the overview page. The table in `testControls` is what the overview shows.
 */
interface TestControl {
  method: 'GET' | 'POST';
  path: string;
  /** Shown as the body to send. */
  takes?: string;
  does: string;
  run(tx: Transaction, id: string, body: Record<string, unknown>, faults: ApiFaults): object;
}

/** A whole number, also as the text that a form sends; blank counts as absent. */
const wholeNumber = (max: number) =>
  z.pipe(
    z.pipe(
      z.optional(z.union([z.number(), z.string()])),
      z.transform((value: number | string | undefined) => (value === '' || value === undefined ? undefined : Number(value))),
    ),
    z.optional(z.int().check(z.minimum(0), z.maximum(max))),
  );
const flag = z.optional(
  z.pipe(
    z.union([z.boolean(), z.string()]),
    z.transform((value: boolean | string) => value === true || value === 'true' || value === 'on'),
  ),
);

function read<Schema extends z.core.$ZodType>(schema: Schema, body: Record<string, unknown>): z.output<Schema> {
  const result = z.safeParse(schema, body);
  if (!result.success) throw refusalOf(result.error);
  return result.data;
}

const EmailBody = z.object({ email: z.optional(z.string()) });
const AmountBody = z.object({ amount: wholeNumber(99_999_999) });
const OpenBody = z.object({
  status: z._default(z.enum(openDisputeStatuses), 'needs_response'),
  amount: wholeNumber(99_999_999),
  reason: z.optional(z.string()),
});
const CloseBody = z.object({ status: z.enum(closedDisputeStatuses) });
const SettleBody = z.object({ outcome: z._default(z.enum(['succeeded', 'failed']), 'succeeded') });
const StateBody = z.object({ state: z.string() });
const OnboardingBody = z.object({ outcome: z._default(z.enum(onboardingOutcomes), 'complete') });
const DeliveryBody = z.object({
  copies: wholeNumber(100),
  delay_ms: wholeNumber(86_400_000),
  shuffle_ms: wholeNumber(600_000),
  hold: flag,
});
const ReleaseBody = z.object({ order: z._default(z.enum(['made', 'reverse', 'random']), 'made') });
const FaultBody = z.object({ status: wholeNumber(599), delay_ms: wholeNumber(60_000) });

const sessionReply = (session: Session) => ({
  session: session.id,
  status: session.status,
  payment_status: session.payment_status,
  payment_intent: session.payment_intent,
  redirect_url: session.status === 'complete' ? successUrlOf(session) : null,
});

function deliverySettings(tx: Transaction) {
  const { copies, delayMs, shuffleMs, hold } = settingsOf(tx);
  return { copies, delay_ms: delayMs, shuffle_ms: shuffleMs, hold };
}

const controls: readonly TestControl[] = [
  {
    method: 'GET',
    path: '/test/sessions',
    does: 'Checkout sessions, oldest first.',
    run: (tx) => ({
      items: tx.list('session').map((stored) => ({
        id: stored.session.id,
        client_reference_id: stored.session.client_reference_id,
        url: stored.session.url,
        amount: stored.session.amount_total,
        currency: stored.session.currency,
        status: stored.session.status,
        payment_status: stored.session.payment_status,
        payment_intent: stored.session.payment_intent,
        payment_awaited: isAwaited(tx, stored),
      })),
    }),
  },
  {
    method: 'POST',
    path: '/test/checkout/:id/pay',
    takes: '{"email"}',
    does: 'Pays a session, as the hosted page does. The e-mail is needed when the session has none.',
    run: (tx, id, body) => sessionReply(finishCheckout(tx, id, 'pay', read(EmailBody, body).email)),
  },
  {
    method: 'POST',
    path: '/test/checkout/:id/decline',
    takes: '{"email"}',
    does: 'A card is declined; the session stays open.',
    run: (tx, id, body) => sessionReply(finishCheckout(tx, id, 'decline', read(EmailBody, body).email)),
  },
  {
    method: 'POST',
    path: '/test/checkout/:id/pay_later',
    takes: '{"email"}',
    does: 'Completes a session unpaid; the money is awaited.',
    run: (tx, id, body) => sessionReply(finishCheckout(tx, id, 'pay_later', read(EmailBody, body).email)),
  },
  {
    method: 'POST',
    path: '/test/checkout/:id/settle',
    takes: '{"outcome": "succeeded|failed"}',
    does: 'The awaited money arrives, or never will.',
    run: (tx, id, body) => sessionReply(settleLater(tx, id, read(SettleBody, body).outcome)),
  },
  {
    method: 'POST',
    path: '/test/checkout/:id/expire',
    does: 'Ends an open session before its time.',
    run: (tx, id) => sessionReply(expireSession(tx, id)),
  },
  {
    method: 'GET',
    path: '/test/payments',
    does: 'Paid charges with their refunds and disputes.',
    run: (tx) => ({
      items: tx
        .list('charge')
        .filter(({ paid }) => paid)
        .map((charge) => ({
          payment_intent: charge.payment_intent,
          charge: charge.id,
          amount: charge.amount,
          amount_refunded: charge.amount_refunded,
          currency: charge.currency,
          metadata: charge.metadata,
          refunds: tx
            .list('refund')
            .flatMap((refund) => (refund.charge === charge.id ? [{ id: refund.id, amount: refund.amount, status: refund.status }] : [])),
          disputes: tx
            .list('dispute')
            .flatMap((dispute) =>
              dispute.charge === charge.id ? [{ id: dispute.id, amount: dispute.amount, status: dispute.status }] : [],
            ),
        })),
    }),
  },
  {
    method: 'POST',
    path: '/test/payments/:id/refund',
    takes: '{"amount"?}',
    does: 'Refunds a part, or all that is left. The id is that of the payment intent, charge or session.',
    run: (tx, id, body) => refundCharge(tx, paidChargeOf(tx, id), read(AmountBody, body)),
  },
  {
    method: 'POST',
    path: '/test/refunds/:id/fail',
    does: 'The refund comes back: the charge counts as refunded that much less.',
    run: (tx, id) => failRefund(tx, id),
  },
  {
    method: 'POST',
    path: '/test/payments/:id/dispute',
    takes: '{"status"?: "needs_response|under_review|warning_needs_response|warning_under_review", "amount"?}',
    does: 'Opens a dispute; a warning_… status opens an inquiry.',
    run: (tx, id, body) => openDispute(tx, paidChargeOf(tx, id), read(OpenBody, body)),
  },
  {
    method: 'POST',
    path: '/test/disputes/:id/update',
    takes: '{"status"}',
    does: 'Moves a dispute on, e.g. from an inquiry to needs_response.',
    run: (tx, id, body) => updateDispute(tx, id, read(OpenBody, body).status),
  },
  {
    method: 'POST',
    path: '/test/disputes/:id/close',
    takes: '{"status": "won|lost|warning_closed"}',
    does: 'Closes a dispute.',
    run: (tx, id, body) => closeDispute(tx, id, read(CloseBody, body).status),
  },
  {
    method: 'GET',
    path: '/test/accounts',
    does: 'Connected accounts, with the state each is in.',
    run: (tx) => ({
      items: tx.list('account').map((account) => ({
        id: account.id,
        display_name: account.displayName,
        state: account.state,
        closed: account.closed,
        metadata: account.metadata,
      })),
    }),
  },
  {
    method: 'POST',
    path: '/test/accounts/:id/onboarding',
    takes: '{"outcome"?: "complete|needs_information|pending|reject|leave"}',
    does: 'The seller goes through onboarding and comes back.',
    run: (tx, id, body) => {
      finishOnboarding(tx, id, read(OnboardingBody, body).outcome);
      return accountObject(getAccount(tx, id), ['configuration.recipient', 'requirements']);
    },
  },
  {
    method: 'POST',
    path: '/test/accounts/:id/state',
    takes: `{"state": "${accountStateNames.join('|')}|closed"}`,
    does: 'Puts an account into a state, without a visit of the seller.',
    run: (tx, id, body) => {
      const { state } = read(StateBody, body);
      if (state === 'closed') closeAccount(tx, id);
      else if (isAccountState(state)) changeState(tx, id, state);
      else throw new ProviderError(400, `state must be one of: ${accountStateNames.join(', ')}, closed`);
      return accountObject(getAccount(tx, id), ['configuration.recipient', 'requirements']);
    },
  },
  {
    method: 'GET',
    path: '/test/deliveries',
    does: 'How webhooks are delivered, those under way, and the last that came to an end.',
    run: (tx) => {
      const short = ({ body: _, ...delivery }: ReturnType<typeof tx.list<'delivery'>>[number]) => delivery;
      return { settings: deliverySettings(tx), under_way: tx.list('delivery').map(short), ended: tx.list('delivered').map(short) };
    },
  },
  {
    method: 'POST',
    path: '/test/deliveries',
    takes: '{"copies"?, "delay_ms"?, "shuffle_ms"?, "hold"?}',
    does: 'How events from now on are delivered: several copies; later than any redirect (delay_ms); in an order by chance (shuffle_ms); not before they are released (hold). What is left out is as usual.',
    run: (tx, _, body) => {
      const { copies = 1, delay_ms: delayMs = 0, shuffle_ms: shuffleMs = 0, hold = false } = read(DeliveryBody, body);
      tx.put('settings', 'settings', { copies, delayMs, shuffleMs, hold });
      return deliverySettings(tx);
    },
  },
  {
    method: 'POST',
    path: '/test/deliveries/release',
    takes: '{"order"?: "made|reverse|random"}',
    does: 'Sends what is held, in this order.',
    run: (tx, _, body) => ({ released: releaseHeld(tx, read(ReleaseBody, body).order) }),
  },
  {
    method: 'POST',
    path: '/test/events/:id/resend',
    does: 'Sends an event once more.',
    run: (tx, id) => {
      const past = [...tx.list('delivered'), ...tx.list('delivery')].find(({ eventId }) => eventId === id);
      if (!past) throw missing('delivery of event', id);
      queueDelivery(tx, { id, type: past.type, body: JSON.parse(past.body) }, past.destination);
      return { event: id, type: past.type };
    },
  },
  {
    method: 'POST',
    path: '/test/api',
    takes: '{"status"?, "delay_ms"?}',
    does: 'Makes the provider fail with this status, or slow. Empty: as usual. Not kept over a restart.',
    run: (_, __, body, faults) => {
      const { status, delay_ms: delayMs } = read(FaultBody, body);
      faults.status = status;
      faults.delayMs = delayMs;
      return { status: status ?? null, delay_ms: delayMs ?? 0 };
    },
  },
];

/** What the overview tells of the test controls. */
export const testControls = controls.map(({ method, path, takes, does }) => ({ method, path: path.replace(':id', '{id}'), takes, does }));

/** Runs a test control; a form from the overview leads back to it. */
export function answerTestControl(store: ProviderStore, request: HttpRequest, faults: ApiFaults): HttpReply {
  const fromForm = String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  for (const { method, path, run } of controls) {
    const match = method === request.method ? new RegExp(`^${path.replace(':id', '([A-Za-z0-9_]+)')}$`).exec(request.path) : null;
    if (match) {
      const body = fromForm ? Object.fromEntries(new URLSearchParams(request.body)) : jsonOf(request.body);
      const result = store.change((tx) => run(tx, match[1] ?? '', body, faults));
      return fromForm ? redirectTo('/') : jsonReply(result);
    }
  }
  throw new ProviderError(404, 'There is no such test control; the page at / lists them.');
}

function jsonOf(body: string): Record<string, unknown> {
  try {
    return z.parse(z.record(z.string(), z.unknown()), JSON.parse(body || '{}'));
  } catch {
    throw new ProviderError(400, 'The body must be a JSON object.');
  }
}
