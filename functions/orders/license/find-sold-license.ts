import type { Actor } from '../../../shared/audit/actor.ts';
import { AppError } from '../../../shared/errors.ts';
import type { LicenseId, OrderId } from '../../../shared/ids.ts';
import type { LicenseService } from '../../../shared/licenses/license-service.ts';
import type { GetOwnOrder } from '../../../shared/orders/own-order.ts';

/** The license of a user's own sale, and the user as who changes it. @throws AppError order_not_found, forbidden, license_not_found */
export type FindSoldLicense = (userId: string, orderId: OrderId) => Promise<{ licenseId: LicenseId; actor: Actor }>;

/** What the moves of sellers on the licenses they sold need. */
export interface SoldLicenses {
  findSoldLicense: FindSoldLicense;
  licenses: LicenseService;
}

/** What each of these moves may be refused with, besides what is its own. */
export const soldLicenseErrors = ['order_not_found', 'forbidden', 'license_not_found', 'seller_not_eligible'] as const;

export function createFindSoldLicense(getOwnOrder: GetOwnOrder): FindSoldLicense {
  return async (userId, orderId) => {
    const { order, actor } = await getOwnOrder(userId, orderId);
    if (order.licenseId === undefined) throw new AppError('license_not_found');
    return { licenseId: order.licenseId, actor };
  };
}
