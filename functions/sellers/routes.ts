import { createAccountLink } from './create-account-link.ts';
import { createSeller } from './create-seller.ts';
import { getMe } from './get-me.ts';
import { getOverview } from './get-overview.ts';
import { getOwnSeller } from './get-own-seller.ts';
import { refreshPayment } from './refresh-payment.ts';
import { updateOwnSeller } from './update-own-seller.ts';

export const routes = [getMe, getOverview, createSeller, getOwnSeller, updateOwnSeller, createAccountLink, refreshPayment];
