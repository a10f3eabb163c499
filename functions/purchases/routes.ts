import type { License } from '../../shared/licenses/license.ts';
import type { LicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { Order } from '../../shared/orders/order.ts';
import type { AuthorizePurchase } from './authorize-purchase.ts';
import { completePurchase } from './complete-purchase.ts';
import { type ResendLinks, resendLink } from './resend-link.ts';

export interface DownloadableFile {
  fileId: string;
  fileName: string;
  contentType: string;
  sizeBytes: number;
  sha256Hex: string;
}

export interface PurchaseServices {
  authorizePurchase: AuthorizePurchase;
  licenses: Pick<LicenseRepository, 'findLicenseById'>;
  openLicenseKey: (license: License) => string;
  /** The files of the order's product that an active license can download now. */
  listDownloadableFiles: (order: Order) => Promise<DownloadableFile[]>;
  resendLinks: ResendLinks;
  now: () => Date;
}

export const routes = [completePurchase, resendLink];
