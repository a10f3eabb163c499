import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { ProductRepository } from '../../shared/products/product-repository.ts';
import { readPublicProduct } from '../../shared/products/public-product.ts';
import type { PublishedReleaseRepository } from '../../shared/releases/published-release-repository.ts';
import { PublicRelease } from '../../shared/releases/release.ts';
import { Channel, channelsUpTo } from '../../shared/releases/version.ts';
import { pageOf, pageQuery } from '../../shared/schemas.ts';

interface Services {
  products: ProductRepository;
  publishedReleases: PublishedReleaseRepository;
}

export const listPublicReleases = endpoint({
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
  handle: async ({ params, query: { channel, ...page } }, { products, publishedReleases }: Services) => {
    const { id } = await readPublicProduct(products, params.slug);
    return publishedReleases.listPublished(id, { ...page, channels: channelsUpTo(channel) });
  },
});
