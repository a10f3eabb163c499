import { getAssetRoute } from './assets/assets.ts';
import { showCancelledRoute } from './checkout/show-cancelled.ts';
import { showCheckoutRoute } from './checkout/show-checkout.ts';
import { startCheckoutRoute } from './checkout/start-checkout.ts';
import { showActivationRoute, showCompletionRoute, showOnboardingReturnRoute, showReceiptRoute } from './fixed-pages.ts';
import { requestLinksRoute, showManageRoute } from './purchase/request-links.ts';
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
