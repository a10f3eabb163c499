import { newId } from '../../../shared/ids.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';

/** A seller as it stands after its first application. */
export function sampleSeller(changes: Partial<SellerRecord> = {}): SellerRecord {
  const id = newId('seller');
  return {
    id,
    ownerUserId: `user-of-${id}`,
    displayName: 'Example Shop',
    contactEmail: 'owner@example.com',
    supportEmail: 'support@example.com',
    siteUrl: 'https://shop.example.com',
    internalReviewStatus: 'pending_review',
    paymentOnboardingStatus: 'not_started',
    revision: 1,
    productCount: 0,
    createdAt: '2026-01-31T09:00:00.000Z',
    updatedAt: '2026-01-31T09:00:00.000Z',
    ...changes,
  };
}

/** What makes a seller able to sell: reviewed, and its account takes charges and pays out. */
export const sellingSeller: Partial<SellerRecord> = {
  internalReviewStatus: 'approved',
  paymentConnectedAccountId: 'acct_test_selling',
  paymentOnboardingStatus: 'payouts_enabled',
  paymentChargesEnabled: true,
  paymentPayoutsEnabled: true,
};
