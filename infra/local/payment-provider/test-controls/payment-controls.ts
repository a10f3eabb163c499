import * as z from 'zod/mini';
import { parseParams } from '../objects/parse-params.ts';
import { paidChargeOf } from '../objects/payments.ts';
import {
  cancelRefund,
  closeDispute,
  closedDisputeStatuses,
  failRefund,
  firstRefundStatuses,
  openDispute,
  openDisputeStatuses,
  refundCharge,
  settleRefund,
  updateDispute,
} from '../objects/refunds-and-disputes.ts';
import { amount, type TestControl } from './test-control.ts';

const RefundBody = z.object({ amount, status: z.optional(z.enum(firstRefundStatuses)) });
const OpenBody = z.object({
  status: z._default(z.enum(openDisputeStatuses), 'needs_response'),
  amount,
  reason: z.optional(z.string()),
});
const CloseBody = z.object({ status: z.enum(closedDisputeStatuses) });

/** Refunds from the provider's dashboard, and what banks do about a payment. */
export const paymentControls: readonly TestControl[] = [
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
    takes: `{"amount"?, "status"?: "${firstRefundStatuses.join('|')}"}`,
    does: 'Refunds a part, or all that is left; what is not succeeded waits. The id is that of the payment intent, charge or session.',
    run: (tx, id, body) => refundCharge(tx, paidChargeOf(tx, id), parseParams(RefundBody, body)),
  },
  {
    method: 'POST',
    path: '/test/refunds/:id/fail',
    does: 'The refund comes back: the charge counts as refunded that much less.',
    run: (tx, id) => failRefund(tx, id),
  },
  {
    method: 'POST',
    path: '/test/refunds/:id/cancel',
    does: 'A refund that waits is withdrawn: the charge counts as refunded that much less.',
    run: (tx, id) => cancelRefund(tx, id),
  },
  {
    method: 'POST',
    path: '/test/refunds/:id/settle',
    does: 'The money of a refund that waits arrives.',
    run: (tx, id) => settleRefund(tx, id),
  },
  {
    method: 'POST',
    path: '/test/payments/:id/dispute',
    takes: '{"status"?: "needs_response|under_review|warning_needs_response|warning_under_review", "amount"?}',
    does: 'Opens a dispute; a warning_… status opens an inquiry.',
    run: (tx, id, body) => openDispute(tx, paidChargeOf(tx, id), parseParams(OpenBody, body)),
  },
  {
    method: 'POST',
    path: '/test/disputes/:id/update',
    takes: '{"status"}',
    does: 'Moves a dispute on, e.g. from an inquiry to needs_response.',
    run: (tx, id, body) => updateDispute(tx, id, parseParams(OpenBody, body).status),
  },
  {
    method: 'POST',
    path: '/test/disputes/:id/close',
    takes: '{"status": "won|lost|warning_closed|prevented"}',
    does: 'Closes a dispute.',
    run: (tx, id, body) => closeDispute(tx, id, parseParams(CloseBody, body).status),
  },
];
