import * as z from 'zod/mini';
import { type CheckoutOutcome, expireSession, finishCheckout, isAwaited, settleLater, successUrlOf } from '../objects/checkout-outcomes.ts';
import { parseParams } from '../objects/parse-params.ts';
import type { Session } from '../store/records.ts';
import type { TestControl } from './test-control.ts';

const EmailBody = z.object({ email: z.optional(z.string()) });
const SettleBody = z.object({ outcome: z._default(z.enum(['succeeded', 'failed']), 'succeeded') });

const sessionReply = (session: Session) => ({
  session: session.id,
  status: session.status,
  payment_status: session.payment_status,
  payment_intent: session.payment_intent,
  redirect_url: session.status === 'complete' ? successUrlOf(session) : null,
});

const outcomeControl = (outcome: CheckoutOutcome, does: string): TestControl => ({
  method: 'POST',
  path: `/test/checkout/:id/${outcome}`,
  takes: '{"email"}',
  does,
  run: (tx, id, body) => sessionReply(finishCheckout(tx, id, outcome, parseParams(EmailBody, body).email)),
});

/** What a buyer does on the hosted page, and what time does to a session. */
export const checkoutControls: readonly TestControl[] = [
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
  outcomeControl('pay', 'Pays a session, as the hosted page does. The e-mail is needed when the session has none.'),
  outcomeControl('decline', 'A card is declined; the session stays open.'),
  outcomeControl('pay_later', 'Completes a session unpaid; the money is awaited.'),
  {
    method: 'POST',
    path: '/test/checkout/:id/settle',
    takes: '{"outcome": "succeeded|failed"}',
    does: 'The awaited money arrives, or never will.',
    run: (tx, id, body) => sessionReply(settleLater(tx, id, parseParams(SettleBody, body).outcome)),
  },
  {
    method: 'POST',
    path: '/test/checkout/:id/expire',
    does: 'Ends an open session before its time.',
    run: (tx, id) => sessionReply(expireSession(tx, id)),
  },
];
