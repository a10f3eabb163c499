import type { License } from '../../shared/licenses/license.ts';
import type { LicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { FileDownloads } from '../../shared/product-files/file-downloads.ts';
import type { AuthorizePurchase } from './authorize-purchase.ts';
import { completePurchase } from './complete-purchase.ts';
import { createDownloadIntent } from './create-download-intent.ts';
import { type ResendLinks, resendLink } from './resend-link.ts';

export interface PurchaseServices {
  authorizePurchase: AuthorizePurchase;
  licenses: Pick<LicenseRepository, 'findLicenseById'>;
  openLicenseKey: (license: License) => string;
  downloads: FileDownloads;
  resendLinks: ResendLinks;
  now: () => Date;
}

export const routes = [completePurchase, createDownloadIntent, resendLink];
