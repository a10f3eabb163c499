import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { SellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';
import type { SellerService } from '../../shared/sellers/seller-service.ts';
import { createAccountLink } from './create-account-link.ts';
import { createSeller } from './create-seller.ts';
import { getOwnSeller } from './get-own-seller.ts';
import { refreshPayment } from './refresh-payment.ts';

/** What the seller endpoints stand on. */
export interface SellerServices {
  sellers: SellerService;
  onboarding: SellerOnboarding;
}

export const routes: readonly Endpoint<SellerServices>[] = [createSeller, getOwnSeller, createAccountLink, refreshPayment];
