import type Stripe from 'stripe';
import { refuse } from '../provider-error.ts';
import { newProviderId } from '../store/provider-ids.ts';
import type { Transaction } from '../store/provider-store.ts';
import { type Cause, emitSnapshot, type SnapshotEventType } from '../webhooks/events.ts';
import { nowSeconds } from './payments.ts';

/** What a refund can be at first: most are done at once, some wait for the buyer or the bank. */
export const firstRefundStatuses = ['succeeded', 'pending', 'requires_action'] as const;

export interface RefundRequest {
  /** Default: all that is left. */
  amount?: number | undefined;
  reason?: Stripe.Refund.Reason | null | undefined;
  metadata?: Record<string, string> | undefined;
  /** Where the buyer is asked for a bank account, if the method cannot take money back. */
  instructionsEmail?: string | undefined;
  /** Default: what is usual for the payment's method. */
  status?: (typeof firstRefundStatuses)[number] | undefined;
}

/** Refunds a part or the rest of a charge. */
export function refundCharge(tx: Transaction, charge: Stripe.Charge, wish: RefundRequest, cause?: Cause): Stripe.Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = wish.amount ?? left;
  if (left === 0) throw refuse('The charge has already been refunded.', { code: 'charge_already_refunded', param: 'charge' });
  if (amount < 1 || amount > left) throw refuse(`The amount must be from 1 to ${left}.`, { param: 'amount' });

  const refund = newRefund(charge, amount, wish);
  const refunded: Stripe.Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  };
  tx.put('refund', refund.id, refund);
  tx.put('charge', charge.id, refunded);
  const previous = { amount_refunded: charge.amount_refunded, ...(amount === left && { refunded: false }) };
  emitSnapshot(tx, 'charge.refunded', refunded, { previous, cause });
  return refund;
}

function newRefund(charge: Stripe.Charge, amount: number, wish: RefundRequest): Stripe.Refund {
  const isCard = charge.id.startsWith('ch_');
  const status = wish.status ?? (isCard ? 'succeeded' : 'requires_action');
  const instructionsEmail = wish.instructionsEmail ?? charge.billing_details.email;
  return {
    id: newProviderId(isCard ? 're' : 'pyr'),
    object: 'refund',
    amount,
    balance_transaction: newProviderId('txn'),
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: isCard
      ? { type: 'card' }
      : { jp_bank_transfer: { reference: null, reference_status: null }, type: 'jp_bank_transfer' },
    ...(!isCard && instructionsEmail !== null && { instructions_email: instructionsEmail }),
    metadata: wish.metadata ?? {},
    ...(status === 'requires_action' && { next_action: instructionsSent(instructionsEmail ?? '') }),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(status === 'pending' && { pending_reason: 'processing' }),
    reason: wish.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
}

const instructionsSent = (email: string): Stripe.Refund.NextAction => ({
  display_details: {
    email_sent: { email_sent_at: nowSeconds(), email_sent_to: email },
    expires_at: nowSeconds() + 45 * 24 * 3600,
  },
  type: 'display_details',
});

const isOpen = ({ status }: Stripe.Refund) => status === 'pending' || status === 'requires_action';

/** The bank sends the money of a refund back, or the buyer never says where to send it. */
export function failRefund(tx: Transaction, id: string): Stripe.Refund {
  const refund = tx.get('refund', id);
  if (!isOpen(refund) && refund.status !== 'succeeded') throw refuse(`The refund is ${refund.status}.`);
  const failed = takeBack(tx, refund, {
    status: 'failed',
    failure_reason: 'lost_or_stolen_card',
    failure_balance_transaction: newProviderId('txn'),
  });
  emitSnapshot(tx, 'refund.failed', failed, { previous: { status: refund.status } });
  return failed;
}

/** A refund that waits for the buyer is withdrawn. */
export function cancelRefund(tx: Transaction, id: string, cause?: Cause): Stripe.Refund {
  const refund = tx.get('refund', id);
  if (!isOpen(refund)) throw refuse(`The refund is ${refund.status}.`);
  return takeBack(tx, refund, { status: 'canceled' }, cause);
}

/** The money of a refund that waited arrives. */
export function settleRefund(tx: Transaction, id: string): Stripe.Refund {
  const refund = tx.get('refund', id);
  if (!isOpen(refund)) throw refuse(`The refund is ${refund.status}.`);
  return updateRefund(tx, refund, { status: 'succeeded' });
}

/** The charge counts as refunded that much less. */
function takeBack(tx: Transaction, refund: Stripe.Refund, changed: Partial<Stripe.Refund>, cause?: Cause): Stripe.Refund {
  const charge = tx.get('charge', typeof refund.charge === 'string' ? refund.charge : '');
  tx.put('charge', charge.id, { ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
  return updateRefund(tx, refund, changed, cause);
}

function updateRefund(tx: Transaction, refund: Stripe.Refund, changed: Partial<Stripe.Refund>, cause?: Cause): Stripe.Refund {
  const { next_action: _, pending_reason: __, ...rest } = refund;
  const updated = { ...rest, ...changed };
  tx.put('refund', refund.id, updated);
  emitSnapshot(tx, 'refund.updated', updated, { previous: { status: refund.status }, cause });
  return updated;
}

export const openDisputeStatuses = [
  'needs_response',
  'under_review',
  'warning_needs_response',
  'warning_under_review',
] as const satisfies readonly Stripe.Dispute.Status[];
export const closedDisputeStatuses = ['won', 'lost', 'warning_closed', 'prevented'] as const satisfies readonly Stripe.Dispute.Status[];
export type OpenDisputeStatus = (typeof openDisputeStatuses)[number];
export type ClosedDisputeStatus = (typeof closedDisputeStatuses)[number];

const isInquiry = (status: Stripe.Dispute.Status) => status.startsWith('warning_');

/** Opens a dispute, or an inquiry (`warning_…`), about all or a part of a charge. */
export function openDispute(
  tx: Transaction,
  charge: Stripe.Charge,
  {
    status,
    amount = charge.amount,
    reason = 'fraudulent',
  }: { status: OpenDisputeStatus; amount?: number | undefined; reason?: string | undefined },
): Stripe.Dispute {
  if (amount < 1 || amount > charge.amount) throw refuse(`The amount must be from 1 to ${charge.amount}.`, { param: 'amount' });
  const id = newProviderId('du');
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: nowSeconds() + 9 * 24 * 3600,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry(status),
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: isInquiry(status) ? 'inquiry' : 'chargeback', network: 'visa', network_reason_code: null },
      type: 'card',
    },
    reason,
    status,
  };
  tx.put('dispute', id, dispute);
  tx.put('charge', charge.id, { ...charge, disputed: true });
  emitSnapshot(tx, 'charge.dispute.created', dispute);
  return dispute;
}

/** Moves an open dispute on, e.g. an inquiry that becomes a chargeback. */
export function updateDispute(tx: Transaction, id: string, status: OpenDisputeStatus): Stripe.Dispute {
  return changeDispute(tx, id, { status, is_charge_refundable: isInquiry(status) }, 'charge.dispute.updated');
}

/** Ends a dispute; ending it again otherwise is what some banks do. */
export function closeDispute(tx: Transaction, id: string, status: ClosedDisputeStatus, cause?: Cause): Stripe.Dispute {
  return changeDispute(tx, id, { status }, 'charge.dispute.closed', cause);
}

function changeDispute(
  tx: Transaction,
  id: string,
  changed: Partial<Stripe.Dispute>,
  event: SnapshotEventType,
  cause?: Cause,
): Stripe.Dispute {
  const dispute = tx.get('dispute', id);
  const updated = { ...dispute, ...changed };
  tx.put('dispute', id, updated);
  emitSnapshot(tx, event, updated, { previous: { status: dispute.status }, cause });
  return updated;
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
