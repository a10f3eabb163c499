import { getAsset } from './assets/get-asset.ts';
import { showActivation } from './show-activation.ts';
import { showCancelled } from './show-cancelled.ts';
import { showCheckout } from './show-checkout.ts';
import { showCompletion } from './show-completion.ts';
import { showOnboardingReturn } from './show-onboarding-return.ts';
import { showProduct } from './show-product.ts';
import { startCheckout } from './start-checkout.ts';

export const routes = [
  showProduct,
  showCheckout,
  startCheckout,
  showCompletion,
  showActivation,
  showCancelled,
  showOnboardingReturn,
  getAsset,
];
