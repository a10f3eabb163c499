import { type WordKind, wordOf } from '../words/words.ts';

/** How a state looks, beside its words: as it should be, on its way, or in need of somebody. All others are plain. */
const looks: Readonly<Record<'good' | 'waits' | 'bad', readonly string[]>> = {
  good: [
    'approved',
    'approved_limited',
    'published',
    'payouts_enabled',
    'charges_enabled',
    'verified',
    'clean',
    'active',
    'paid',
    'succeeded',
    'delivered',
    'completed',
    'done',
    'sent',
  ],
  waits: [
    'pending',
    'pending_review',
    'processing',
    'accepted',
    'unverified',
    'not_scanned',
    'upload_pending',
    'waiting',
    'onboarding_started',
    'account_created',
    'late',
  ],
  bad: [
    'action',
    'rejected',
    'suspended',
    'restricted',
    'requirements_due',
    'disabled',
    'mismatch',
    'error',
    'infected',
    'failed',
    'payment_failed',
    'refunded',
    'partially_refunded',
    'disputed',
    'lost',
    'revoked',
    'yanked',
    'bounced',
    'dead',
  ],
};

/** A state in words. */
export function State({ of: kind, value }: { of: WordKind; value: string }) {
  const look = Object.entries(looks).find(([, values]) => values.includes(value))?.[0];
  return <span class={look ? `state ${look}` : 'state'}>{wordOf(kind, value)}</span>;
}
