import { createAccountLinkRoute } from './create-account-link.ts';
import { createSellerRoute } from './create-seller.ts';
import { getMeRoute } from './get-me.ts';
import { getOverviewRoute } from './get-overview.ts';
import { getOwnSellerRoute } from './get-own-seller.ts';
import { refreshPaymentRoute } from './refresh-payment.ts';
import { updateOwnSellerRoute } from './update-own-seller.ts';

export const routes = [
  getMeRoute,
  getOverviewRoute,
  createSellerRoute,
  getOwnSellerRoute,
  updateOwnSellerRoute,
  createAccountLinkRoute,
  refreshPaymentRoute,
];
