import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import type { RequestInput } from '../../shared/http/endpoint.ts';
import type { ProductId } from '../../shared/ids.ts';
import type { PresentedProof } from '../../shared/leases/update-proof.ts';
import { dottedNumbers, installedVersion } from '../../shared/releases/versions/version.ts';
import type { FeedAnswer } from '../../shared/updates/update-service.ts';

/** What every address of an updater begins with. */
export const updaterPath = '/v1/updates/{product_id}/{proof}';

/** What an updater reports about its device, as far as it is valid. */
export const deviceQuery = { current: z.optional(installedVersion), os: z.optional(dottedNumbers) };

/** What every endpoint for updaters has in common: they have no account, and no cache may keep what it gives to one. */
export const updaterEndpoint = { method: 'GET', tag: 'Updates', audience: 'anyone', sensitive: true, isQueryForeign: true } as const;

/** What a feed is answered with. */
export type FeedNeeds = Needs<'table' | 'now' | 'catalogs' | 'limitInMemory' | 'PUBLIC_BASE_URL' | 'verifyProof'>;

type Asking = Pick<RequestInput<unknown, unknown, { productId: ProductId; proof: string }>, 'params' | 'headers'>;

/** The product, and the proof that the updater presents. */
export function updaterRequest({ params, headers }: Asking): { productId: ProductId; presented: PresentedProof } {
  return { productId: params.productId, presented: { ticket: params.proof, lease: headers['x-license-lease'] } };
}

/** The reason for the answer, which the feed formats have no field for. */
export const codeHeader = ({ code }: Pick<FeedAnswer, 'code'>) => ({ 'X-Update-Code': code });
