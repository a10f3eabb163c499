import { completePurchase } from './complete-purchase.ts';
import { correctBuyerEmail } from './correct-buyer-email.ts';
import { createDownloadIntent } from './create-download-intent.ts';
import { listDevices } from './list-devices.ts';
import { listReleases } from './list-releases.ts';
import { releaseDevice } from './release-device.ts';
import { replaceKey } from './replace-key.ts';
import { resendLink } from './resend-link.ts';

export const routes = [
  completePurchase,
  createDownloadIntent,
  resendLink,
  listDevices,
  releaseDevice,
  replaceKey,
  correctBuyerEmail,
  listReleases,
];
