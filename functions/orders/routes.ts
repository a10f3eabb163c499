import { getOrder } from './get-order.ts';
import { changeLicense } from './license/change-license.ts';
import { reinstateLicense } from './license/reinstate-license.ts';
import { releaseActivation } from './license/release-activation.ts';
import { suspendLicense } from './license/suspend-license.ts';
import { listHistory } from './list-history.ts';
import { listOrders } from './list-orders.ts';
import { requestEmailCorrection } from './request-email-correction.ts';
import { resendOrderLink } from './resend-order-link.ts';
import { searchOrders } from './search-orders.ts';

export const routes = [
  listOrders,
  searchOrders,
  getOrder,
  listHistory,
  resendOrderLink,
  requestEmailCorrection,
  releaseActivation,
  suspendLicense,
  reinstateLicense,
  changeLicense,
];
