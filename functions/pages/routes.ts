import { getAsset } from './assets/get-asset.ts';
import { requestLinks } from './purchase/request-links.ts';
import { showCompletion } from './purchase/show-completion.ts';
import { showManage } from './purchase/show-manage.ts';
import { showReceipt } from './purchase/show-receipt.ts';
import { showReleases } from './releases/show-releases.ts';
import { showActivation } from './show-activation.ts';
import { showCancelled } from './show-cancelled.ts';
import { showCheckout } from './show-checkout.ts';
import { showOnboardingReturn } from './show-onboarding-return.ts';
import { showPreview } from './show-preview.ts';
import { showProduct } from './show-product.ts';
import { startCheckout } from './start-checkout.ts';

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
