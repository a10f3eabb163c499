import { completePurchase } from './complete-purchase.ts';
import { createDownloadIntent } from './create-download-intent.ts';
import { resendLink } from './resend-link.ts';

export const routes = [completePurchase, createDownloadIntent, resendLink];
