import * as z from 'zod/mini';
import { AppError } from '../../../shared/errors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import type { PublishedReleaseRepository } from '../../../shared/releases/published-release-repository.ts';
import { PublicRelease } from '../../../shared/releases/release.ts';
import { Channel, channelsUpTo } from '../../../shared/releases/version.ts';
import { filledText } from '../../../shared/schemas.ts';
import type { FindPublicProduct } from '../find-offer.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from '../page-endpoint.ts';
import type { ReaderOf } from '../reader.ts';
import { renderReleases } from './releases-view.ts';

/** Notes may be long: so many of the longest make a page that can be sent. */
const limit = 10;

interface Services {
  findPublicProduct: FindPublicProduct;
  publishedReleases: PublishedReleaseRepository;
  baseUrl: string;
  readerOf: ReaderOf;
}

export const showReleases = endpoint({
  operationId: 'showReleases',
  method: 'GET',
  path: '/p/{slug}/releases',
  tag: 'Pages',
  summary: 'The page of what a product has published, the highest version first',
  description: 'Of the channel, which is stable where none is named, and of those that are steadier.',
  audience: 'anyone',
  query: z.object({ ...pageQuery, channel: z._default(Channel, 'stable'), cursor: z.optional(filledText(1024)) }),
  success: pageSuccess,
  errors: ['product_not_found'],
  async handle(input, { findPublicProduct, publishedReleases, baseUrl, readerOf }: Services) {
    const { channel, cursor } = input.query;
    const found = await findPublicProduct(input.params.slug);
    if (!found) throw new AppError('product_not_found');
    const { product, seller } = found;
    const page = await publishedReleases.listPublished(product.id, { channels: channelsUpTo(channel), limit, cursor });
    const items = page.items.map((release) => PublicRelease.parse(release));
    const shown = { ...page, items, product, sellerName: seller.displayName, channel, cursor };
    return pageReply(renderReleases(shown, readerFor(input, readerOf), baseUrl), 'shared');
  },
});
