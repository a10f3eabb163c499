import { getAssetRoute } from './assets/get-asset.ts';
import { showCancelledRoute } from './checkout/show-cancelled.ts';
import { showCheckoutRoute } from './checkout/show-checkout.ts';
import { startCheckoutRoute } from './checkout/start-checkout.ts';
import { showActivationRoute, showCompletionRoute, showOnboardingReturnRoute, showReceiptRoute } from './fixed-pages.ts';
import { requestLinksRoute } from './purchase/request-links.ts';
import { showManageRoute } from './purchase/show-manage.ts';
import { showReleasesRoute } from './releases/show-releases.ts';
import { showPreviewRoute } from './show-preview.ts';
import { showProductRoute } from './show-product.ts';

export const routes = [
  showProductRoute,
  showPreviewRoute,
  showReleasesRoute,
  showCheckoutRoute,
  startCheckoutRoute,
  showCompletionRoute,
  showReceiptRoute,
  showManageRoute,
  requestLinksRoute,
  showActivationRoute,
  showCancelledRoute,
  showOnboardingReturnRoute,
  getAssetRoute,
];
