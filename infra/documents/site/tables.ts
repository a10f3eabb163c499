import { errorCodes } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import { pendingMoves } from '../../../shared/products/pending-revision.ts';
import { productReviewTable } from '../../../shared/products/product-states.ts';
import { reviewTable as sellerReviewTable } from '../../../shared/sellers/seller.ts';
import { type Section, wordTable } from './section.ts';

/** Tables made of the code's own tables, so that the page cannot differ from the code. */
export const tables: readonly Section[] = [
  {
    id: 'states',
    title: 'Reviews and states',
    body: html`<p><b>yes</b>: the decision is taken. <b>same</b>: it changes nothing but the note on record. <b>lift</b>: what was on sale when it was
suspended is on sale again, all else a draft. <b>no</b>: 400 <code>invalid_state_transition</code>.</p>
<h3>Sellers</h3>
${decisionTable('Decisions about sellers', sellerReviewTable)}
<h3>Products</h3>
${decisionTable('Decisions about products', productReviewTable)}
<h3>Pending revisions of products on sale</h3>
<p>The next state of the edit. <b>live</b>: it takes the place of what is on sale. <b>product</b>: the decision is about the product, by the table above.</p>
${decisionTable('Moves of pending revisions', pendingMoves)}`,
  },
  {
    id: 'errors',
    title: 'Error codes',
    body: html`<p>Every code there is, with its usual status. Which of them an endpoint sends, and where a status differs, stands with the endpoint below.</p>
${wordTable(
  'Error codes',
  ['code', 'Status', 'When'],
  Object.entries(errorCodes).map(([code, { status, when }]) => [code, `${status}`, when]),
)}`,
  },
];

function decisionTable(label: string, table: Readonly<Record<string, Readonly<Record<string, string>>>>): Html {
  const decisions = Object.keys(Object.values(table)[0] ?? {});
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
<table class="states">
<thead><tr><th scope="col">From</th>${decisions.map((decision) => html`<th scope="col"><code>${decision}</code></th>`)}</tr></thead>
<tbody>${Object.entries(table).map(
    ([state, outcomes]) =>
      html`<tr><th scope="row"><code>${state}</code></th>${decisions.map((decision) => html`<td class="${outcomes[decision]}">${outcomes[decision]}</td>`)}</tr>\n`,
  )}</tbody>
</table></div>`;
}
