import { getOrderRoute } from './get-order.ts';
import { changeLicenseRoute } from './license/change-license.ts';
import { releaseActivationRoute } from './license/free-seat.ts';
import { reinstateLicenseRoute, suspendLicenseRoute } from './license/suspend-license.ts';
import { listHistoryRoute } from './list-history.ts';
import { listOrdersRoute } from './list-orders.ts';
import { requestEmailCorrectionRoute } from './request-email-correction.ts';
import { resendOrderLinkRoute } from './resend-order-link.ts';
import { searchOrdersRoute } from './search-orders.ts';

export const routes = [
  listOrdersRoute,
  searchOrdersRoute,
  getOrderRoute,
  listHistoryRoute,
  resendOrderLinkRoute,
  requestEmailCorrectionRoute,
  releaseActivationRoute,
  suspendLicenseRoute,
  reinstateLicenseRoute,
  changeLicenseRoute,
];
