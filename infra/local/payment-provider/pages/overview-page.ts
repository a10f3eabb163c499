import { type Html, type HtmlValue, html } from '../../../../shared/html.ts';
import { type HttpReply, pageReply } from '../../http-reply.ts';
import { onboardingOutcomes } from '../objects/accounts.ts';
import { formatAmount } from '../objects/amounts.ts';
import { isAwaited } from '../objects/checkout-outcomes.ts';
import { closedDisputeStatuses, firstRefundStatuses, openDisputeStatuses } from '../objects/refunds-and-disputes.ts';
import { accountStateNames, accountStates } from '../store/account-states.ts';
import type { ProviderStore, Transaction } from '../store/provider-store.ts';
import { testControls } from '../test-controls/test-controls.ts';
import { settingsOf } from '../webhooks/deliveries.ts';
import { testPage } from './test-page.ts';

const shown = 50;
const waitingRefunds = ['pending', 'requires_action'];

/** Everything the fake provider holds, newest first, with a button for whatever can be done to it. */
export function answerOverview(store: ProviderStore): HttpReply {
  return pageReply(store.change(overviewPage));
}

function overviewPage(tx: Transaction): Html {
  return testPage(
    'Fake payment provider',
    [
      html`<h1>Fake payment provider</h1>
<p>Every button here is also a request with JSON; <a href="#controls">the list</a> is at the end.</p>`,
      sessions(tx),
      payments(tx),
      accounts(tx),
      deliveries(tx),
      html`<h2 id="controls">Test controls</h2>`,
      table(
        ['Request', 'Body', 'What it does'],
        testControls.map(({ method, path, takes, does }) => [
          html`<code>${method} ${path}</code>`,
          takes === undefined ? '' : html`<code>${takes}</code>`,
          does,
        ]),
      ),
    ],
    { wide: true },
  );
}

function table(heads: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  if (rows.length === 0) return html`<p class="note">None yet.</p>`;
  return html`<div class="scroll"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
}

const button = (path: string, label: string, fields: HtmlValue = '') =>
  html`<form method="post" action="/test/${path}">${fields}<button>${label}</button></form>`;
const choice = (name: string, label: string, options: readonly string[]) =>
  html`<select name="${name}" aria-label="${label}">${options.map((option) => html`<option>${option}</option>`)}</select>`;
const number = (name: string, label: string, value: number | '' = '') =>
  html`<input name="${name}" type="number" min="0" size="8" aria-label="${label}" placeholder="${label}" value="${value}">`;

function sessions(tx: Transaction): HtmlValue {
  const rows = tx.list('session').reverse().slice(0, shown);
  return [
    html`<h2>Checkout sessions</h2>`,
    table(
      ['Session', 'Amount', 'State', 'Do'],
      rows.map((stored) => {
        const { session } = stored;
        const path = `checkout/${session.id}`;
        const open = session.status === 'open' && session.url !== null;
        return [
          html`<code>${session.id.slice(0, 24)}…</code><br>${session.client_reference_id ?? ''}`,
          formatAmount(session.amount_total ?? 0, session.currency ?? 'usd'),
          `${session.status}, ${session.payment_status}`,
          [
            open && html`<a href="${session.url ?? ''}">Open its page</a> `,
            open && button(`${path}/expire`, 'Expire'),
            isAwaited(tx, stored) && button(`${path}/settle`, 'Settle', choice('outcome', 'Outcome', ['succeeded', 'failed'])),
          ],
        ];
      }),
    ),
  ];
}

function payments(tx: Transaction): HtmlValue {
  const paid = tx
    .list('charge')
    .filter((charge) => charge.paid)
    .reverse()
    .slice(0, shown);
  const [refunds, disputes] = [tx.list('refund'), tx.list('dispute')];
  return [
    html`<h2>Payments</h2>`,
    table(
      ['Payment', 'Amount', 'Refunds', 'Disputes', 'Do'],
      paid.map((charge) => {
        const path = `payments/${charge.id}`;
        return [
          html`<code>${String(charge.payment_intent)}</code>`,
          `${formatAmount(charge.amount, charge.currency)}, ${formatAmount(charge.amount_refunded, charge.currency)} refunded`,
          refunds
            .filter((refund) => refund.charge === charge.id)
            .map((refund) => [
              html`${formatAmount(refund.amount, refund.currency)} ${refund.status ?? ''} `,
              ['succeeded', ...waitingRefunds].includes(refund.status ?? '') && button(`refunds/${refund.id}/fail`, 'Fail'),
              waitingRefunds.includes(refund.status ?? '') && button(`refunds/${refund.id}/cancel`, 'Cancel'),
              waitingRefunds.includes(refund.status ?? '') && button(`refunds/${refund.id}/settle`, 'Settle'),
            ]),
          disputes
            .filter((dispute) => dispute.charge === charge.id)
            .map((dispute) => [
              html`${dispute.status} `,
              button(`disputes/${dispute.id}/close`, 'Close', choice('status', 'Status', closedDisputeStatuses)),
              button(`disputes/${dispute.id}/update`, 'Move', choice('status', 'Status', openDisputeStatuses)),
            ]),
          [
            charge.amount_refunded < charge.amount &&
              button(`${path}/refund`, 'Refund', [number('amount', 'all'), choice('status', 'Status', firstRefundStatuses)]),
            button(`${path}/dispute`, 'Dispute', choice('status', 'Status', openDisputeStatuses)),
          ],
        ];
      }),
    ),
  ];
}

function accounts(tx: Transaction): HtmlValue {
  return [
    html`<h2>Connected accounts</h2>`,
    table(
      ['Account', 'State', 'Do'],
      tx
        .list('account')
        .reverse()
        .slice(0, shown)
        .map((account) => [
          html`<code>${account.id}</code><br>${account.displayName}`,
          account.closed ? 'closed' : html`${account.state}<br><span class="note">${accountStates[account.state].meaning}</span>`,
          [
            button(`accounts/${account.id}/onboarding`, 'Come back from onboarding', choice('outcome', 'Outcome', onboardingOutcomes)),
            button(`accounts/${account.id}/state`, 'Put into state', choice('state', 'State', [...accountStateNames, 'closed'])),
          ],
        ]),
    ),
  ];
}

function deliveries(tx: Transaction): HtmlValue {
  const { copies, delayMs, shuffleMs, hold } = settingsOf(tx);
  const underWay = tx.list('delivery');
  const recent = [...tx.list('delivered').slice(-20), ...underWay.slice(0, shown)].reverse();
  return [
    html`<h2>Webhooks</h2>
<form method="post" action="/test/deliveries">
<p><label>Copies of each event ${number('copies', 'copies', copies)}</label>
<label>Wait before sending (ms; makes them slower than the redirect) ${number('delay_ms', 'delay', delayMs)}</label>
<label>Random order within (ms) ${number('shuffle_ms', 'shuffle', shuffleMs)}</label>
<label><input type="checkbox" name="hold" ${hold ? html`checked` : ''}> Hold until released</label></p>
<button>Deliver so from now on</button></form>
<p>${underWay.length} under way, ${underWay.filter(({ state }) => state === 'held').length} held.</p>`,
    button('deliveries/release', 'Release what is held', choice('order', 'Order', ['made', 'reverse', 'random'])),
    table(
      ['Event', 'To', 'State', 'Do'],
      recent.map(({ eventId, type, destination, state, attempts, lastOutcome }) => [
        html`${type}<br><code>${eventId}</code>`,
        destination,
        `${state}, attempts: ${attempts}${lastOutcome === undefined ? '' : `, last: ${lastOutcome}`}`,
        button(`events/${eventId}/resend`, 'Send again'),
      ]),
    ),
  ];
}
