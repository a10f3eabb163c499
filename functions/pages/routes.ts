import { getAsset } from './assets/get-asset.ts';
import { showCancelled } from './ordering/show-cancelled.ts';
import { showCheckout } from './ordering/show-checkout.ts';
import { startCheckout } from './ordering/start-checkout.ts';
import { requestLinks } from './purchase/request-links.ts';
import { showCompletion } from './purchase/show-completion.ts';
import { showManage } from './purchase/show-manage.ts';
import { showReceipt } from './purchase/show-receipt.ts';
import { showReleases } from './releases/show-releases.ts';
import { showActivation } from './show-activation.ts';
import { showOnboardingReturn } from './show-onboarding-return.ts';
import { showPreview } from './show-preview.ts';
import { showProduct } from './show-product.ts';

export const routes = [
  showProduct,
  showPreview,
  showReleases,
  showCheckout,
  startCheckout,
  showCompletion,
  showReceipt,
  showManage,
  requestLinks,
  showActivation,
  showCancelled,
  showOnboardingReturn,
  getAsset,
];
