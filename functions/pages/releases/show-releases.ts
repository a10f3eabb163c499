import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { AppError } from '../../../shared/errors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { releasesPath } from '../../../shared/products/slug.ts';
import { listPublished } from '../../../shared/releases/published-release-repository.ts';
import { PublicRelease } from '../../../shared/releases/release.ts';
import { notesHtml } from '../../../shared/releases/release-notes.ts';
import { Channel, channelsUpTo } from '../../../shared/releases/versions/version.ts';
import { nonBlankText } from '../../../shared/schemas.ts';
import { findPublicProduct, slugUsed } from '../find-offer.ts';
import { moved, movedPage, pageQuery, pageReply, pageSuccess, readerFor } from '../page-endpoint.ts';
import type { ReaderOf } from '../reader.ts';
import { renderReleases } from './releases-view.ts';

/** Notes may be long: so many of the longest make a page that can be sent. */
const limit = 10;

export const showReleasesRoute = endpoint({
  operationId: 'showReleases',
  method: 'GET',
  path: '/p/{slug}/releases',
  tag: 'Pages',
  summary: 'The page of what a product has published, the highest version first',
  description: 'Of the channel, which is stable where none is named, and of those that are steadier.',
  audience: 'anyone',
  query: z.object({ ...pageQuery, channel: z._default(Channel, 'stable'), cursor: z.optional(nonBlankText(1024)) }),
  success: { ...pageSuccess, otherStatuses: movedPage },
  errors: ['product_not_found'],
  async handle(input, c: Needs<'table' | 'PUBLIC_BASE_URL' | 'slugs'> & { readerOf: ReaderOf }) {
    const { channel, cursor } = input.query;
    const found = await findPublicProduct(c, input.params.slug);
    if (!found) throw new AppError('product_not_found');
    const slug = slugUsed(found, input.params.slug);
    if (slug !== input.params.slug) return moved(releasesPath(slug));
    const { product, seller } = found;
    const page = await listPublished(c.table, product.id, { channels: channelsUpTo(channel), limit, cursor });
    const items = page.items.map((release) => ({ ...PublicRelease.parse(release), notesHtml: notesHtml(release) }));
    const view = { ...page, items, product, sellerName: seller.displayName, channel, cursor };
    return pageReply(renderReleases(view, readerFor(input, c.readerOf), c.settings.PUBLIC_BASE_URL), 'shared');
  },
});
