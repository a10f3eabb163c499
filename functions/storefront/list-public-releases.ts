import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { readPublicProduct } from '../../shared/products/public-product.ts';
import { listPublished } from '../../shared/releases/published-release-repository.ts';
import { PublicRelease } from '../../shared/releases/release.ts';
import { Channel, channelsUpTo } from '../../shared/releases/versions/version.ts';

export const listPublicReleasesRoute = endpoint({
  operationId: 'listPublicReleases',
  method: 'GET',
  path: '/v1/public/products/{slug}/releases',
  tag: 'Storefront',
  summary: 'Lists what a product that is on sale has published, the highest version first',
  description:
    'Of the channel, which is stable where none is named, and of those that are steadier; to whatever share of devices it is offered.',
  audience: 'anyone',
  query: z.object({ ...pageQuery, channel: z._default(Channel, 'stable') }),
  success: { status: 200, body: pageOf(PublicRelease) },
  cacheSeconds: 60,
  errors: ['product_not_found'],
  handle: async ({ params, query: { channel, ...page } }, c: Needs<'table' | 'slugs'>) => {
    const { id } = await readPublicProduct(c, params.slug);
    return listPublished(c.table, id, { ...page, channels: channelsUpTo(channel) });
  },
});
