import { createAccountLink } from './create-account-link.ts';
import { createSeller } from './create-seller.ts';
import { getOwnSeller } from './get-own-seller.ts';
import { refreshPayment } from './refresh-payment.ts';

export const routes = [createSeller, getOwnSeller, createAccountLink, refreshPayment];
