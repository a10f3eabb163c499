import * as z from 'zod/mini';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { maxItems, writeAppcast } from '../../shared/updates/feeds/appcast.ts';
import { parseFeedScope } from '../../shared/updates/feeds/feed-addresses.ts';
import { findUpdates } from '../../shared/updates/update-service.ts';
import { codeHeader, deviceQuery, type FeedNeeds, updaterEndpoint, updaterPath, updaterRequest } from './updater.ts';

export const getAppcastRoute = endpoint({
  ...updaterEndpoint,
  operationId: 'getAppcast',
  path: `${updaterPath}/appcast/{channel}/{platform}/{arch}`,
  summary: 'The releases that the license covers, for Sparkle and WinSparkle',
  description: 'RSS with at most ten releases, the highest first; none where nothing is offered.',
  query: z.object(deviceQuery),
  success: { status: 200, contentType: 'application/rss+xml', description: 'The appcast.' },
  errors: ['invalid_request', 'product_not_found', 'rate_limited'],
  async handle(input, c: FeedNeeds) {
    const { params, query } = input;
    const answer = await findUpdates(c, {
      ...updaterRequest(input),
      ...query,
      feed: 'appcast',
      parseScope: () => parseFeedScope(params),
      max: maxItems,
    });
    const { productName, links, releases: listed, scope: followed } = answer;
    const frame = { productName, links, catalog: listed.catalog, target: followed.target };
    return new Reply(writeAppcast(answer, frame), { headers: codeHeader(answer) });
  },
});
