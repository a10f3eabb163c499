import type { Locale } from '../../shared/locale.ts';
import type { Offer } from './offer.ts';

/** What the pages need from the rest of the service. */
export interface PageServices {
  /** The product at this slug, when the public may see it. */
  findOffer(slug: string): Promise<Offer | undefined>;
  /** @throws AppError product_not_found, checkout_not_available, price_not_chargeable, dependency_unavailable */
  startCheckout(request: { slug: string; locale: Locale; idempotencyKey: string }): Promise<{ checkoutUrl: string }>;
  newRequestKey(): string;
  baseUrl: string;
}
