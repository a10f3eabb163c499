import type { Endpoint } from '../../shared/http/endpoint.ts';
import { getAsset } from './get-asset.ts';
import type { PageServices } from './services.ts';
import { showCancelled } from './show-cancelled.ts';
import { showCheckout } from './show-checkout.ts';
import { showCompletion } from './show-completion.ts';
import { showOnboardingReturn } from './show-onboarding-return.ts';
import { showProduct } from './show-product.ts';
import { startCheckout } from './start-checkout.ts';

export const routes: readonly Endpoint<PageServices>[] = [
  showProduct,
  showCheckout,
  startCheckout,
  showCompletion,
  showCancelled,
  showOnboardingReturn,
  getAsset,
];
