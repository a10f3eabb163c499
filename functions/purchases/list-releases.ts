import * as z from 'zod/mini';
import { authorizePurchase, credentialErrors, TokenCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import type { Needs } from '../../shared/context.ts';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Artifact } from '../../shared/releases/artifacts/artifact.ts';
import { PublicRelease } from '../../shared/releases/release.ts';
import { dateTime, nonBlankText } from '../../shared/schemas.ts';
import { showLicense } from './purchased-license.ts';
import { listPurchasedReleases } from './purchased-releases.ts';

export const PurchasedReleasesRequest = z.extend(TokenCredential, { cursor: z.optional(nonBlankText(1024)) });

export const PurchasedRelease = z.extend(PublicRelease, { covered: z.boolean(), artifacts: z.optional(z.array(Artifact)) });

export const PurchasedReleasePage = z.object({
  updatesUntil: z.optional(dateTime),
  items: z.array(PurchasedRelease),
  nextCursor: z.optional(z.string()),
});

export const listReleasesRoute = endpoint({
  operationId: 'listPurchasedReleases',
  method: 'POST',
  path: '/v1/purchases/releases',
  tag: 'Purchases',
  summary: 'Lists what the purchased product has published, the highest version first, 50 a page',
  description: 'Of all channels. What the license covers comes with its files, for a download-intent each.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: PurchasedReleasesRequest,
  success: { status: 200, body: PurchasedReleasePage },
  sensitive: true,
  errors: [...credentialErrors, 'license_not_usable'],
  handle: async ({ body: { token, cursor } }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'TOKEN_KEYS'>) => {
    const { order } = await authorizePurchase(c, { token });
    const license = await showLicense(c, order);
    if (!license) throw new AppError('license_not_usable');
    return listPurchasedReleases(c, license, cursor);
  },
});
