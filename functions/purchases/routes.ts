import { completePurchaseRoute } from './complete-purchase.ts';
import { correctBuyerEmailRoute } from './correct-buyer-email.ts';
import { createDownloadIntentRoute } from './create-download-intent.ts';
import { releaseDeviceRoute } from './free-seat.ts';
import { listDevicesRoute } from './list-devices.ts';
import { listReleasesRoute } from './list-releases.ts';
import { replaceKeyRoute } from './replace-key.ts';
import { resendLinkRoute } from './resend-link.ts';

export const routes = [
  completePurchaseRoute,
  createDownloadIntentRoute,
  resendLinkRoute,
  listDevicesRoute,
  releaseDeviceRoute,
  replaceKeyRoute,
  correctBuyerEmailRoute,
  listReleasesRoute,
];
