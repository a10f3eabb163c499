import { type Html, type HtmlValue, html } from '../../../../shared/html.ts';
import { type HttpReply, pageReply, redirectTo } from '../../http-reply.ts';
import type { HttpRequest } from '../http-request.ts';
import { formatAmount } from '../objects/amounts.ts';
import { checkoutOutcomes, finishCheckout, successUrlOf } from '../objects/checkout-outcomes.ts';
import { ProviderError } from '../provider-error.ts';
import type { ProviderStore } from '../store/provider-store.ts';
import type { TestSession } from '../store/records.ts';
import { testPage } from './test-page.ts';

/** The hosted checkout page of a session, and what the buyer chooses on it. */
export function answerCheckoutPage(store: ProviderStore, request: HttpRequest, sessionId: string): HttpReply {
  const stored = store.change((tx) => tx.get('session', sessionId));
  const { session } = stored;
  if (session.status === 'complete') return redirectTo(successUrlOf(session));
  if (session.status === 'expired') return pageReply(expiredPage(stored), 410);
  if (request.method !== 'POST') return pageReply(checkoutPage(stored));

  const form = new URLSearchParams(request.body);
  const chosen = form.get('outcome');
  if (chosen === 'cancel') return redirectTo(session.cancel_url ?? successUrlOf(session));
  const outcome = checkoutOutcomes.find((one) => one === chosen) ?? 'pay';
  try {
    const after = store.change((tx) => finishCheckout(tx, sessionId, outcome, form.get('email') ?? undefined));
    if (after.status === 'complete') return redirectTo(successUrlOf(after));
    return pageReply(checkoutPage(stored, 'Your card was declined. You can try again.'), 402);
  } catch (error) {
    if (error instanceof ProviderError && error.status === 400) return pageReply(checkoutPage(stored, error.message), 400);
    throw error;
  }
}

function checkoutPage({ session, lines }: TestSession, alert?: string): Html {
  const amount = session.amount_total ?? 0;
  const currency = session.currency ?? '';
  const choice = (outcome: string, label: string, first = false) =>
    html`<button name="outcome" value="${outcome}" class="${first ? 'first' : ''}">${label}</button>`;
  const choices: HtmlValue =
    amount === 0
      ? choice('pay', 'Complete the order', true)
      : [
          choice('pay', `Pay ${formatAmount(amount, currency)}`, true),
          choice('decline', 'Use a card that is declined'),
          choice('pay_later', session.payment_method_types.includes('konbini') ? 'Pay later (convenience store)' : laterThanOffered),
        ];
  return testPage('Checkout', [
    session.branding_settings && html`<p class="shop">${session.branding_settings.display_name}</p>`,
    html`<h1>Checkout</h1>`,
    alert !== undefined && html`<p class="alert" role="alert">${alert}</p>`,
    lines.map(
      ({ name, description, quantity, unitAmount }) =>
        html`<p><strong>${name}</strong>${quantity > 1 && html`<br>${quantity} × ${formatAmount(unitAmount, currency)}`}${description !== undefined && html`<br><span class="note">${description}</span>`}</p>`,
    ),
    html`<p class="amount">${formatAmount(amount, currency)}</p>`,
    html`<form method="post">
${session.customer_email === null ? emailField : html`<p>Receipt and product go to <strong>${session.customer_email}</strong>.</p>`}
<div class="choices">${choices}</div>
</form>
<form method="post"><div class="choices">${choice('cancel', 'Cancel and go back')}</div></form>
<p class="note">This page is good until ${new Date(session.expires_at * 1000).toISOString()}.</p>`,
  ]);
}

/** It makes the events of a delayed payment, which cards do not bring. */
const laterThanOffered = 'Pay later (test only: this checkout offers cards alone)';

const emailField = html`<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>`;

function expiredPage({ session }: TestSession): Html {
  return testPage('Checkout expired', [
    html`<h1>This checkout has expired</h1><p>Nothing was charged.</p>`,
    session.cancel_url !== null && html`<p><a href="${session.cancel_url}">Back to the shop</a></p>`,
  ]);
}
