import * as z from 'zod/mini';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { parseFeedScope } from '../../shared/updates/feeds/feed-addresses.ts';
import { describeUpdates, UpdateCheck } from '../../shared/updates/update-check.ts';
import { findUpdates } from '../../shared/updates/update-service.ts';
import { codeHeader, deviceQuery, type FeedNeeds, updaterEndpoint, updaterPath, updaterRequest } from './updater.ts';

export const checkUpdateRoute = endpoint({
  ...updaterEndpoint,
  operationId: 'checkUpdate',
  path: `${updaterPath}/check/{channel}/{platform}/{arch}`,
  summary: 'The newest release that the license covers, for an app that updates by itself',
  description:
    'Of the channel or a steadier one. `code` says why there is an update or none; so does `X-Update-Code`, here and in every feed. With `upgrade` a newer release is there that the license does not cover.',
  query: z.object(deviceQuery),
  success: { status: 200, body: UpdateCheck },
  errors: ['invalid_request', 'product_not_found', 'rate_limited'],
  async handle(input, c: FeedNeeds) {
    const { params, query } = input;
    const answer = await findUpdates(c, {
      ...updaterRequest(input),
      ...query,
      feed: undefined,
      parseScope: () => parseFeedScope(params),
    });
    const { code, updatesUntil, releases: listed, links } = answer;
    const isYanked = query.current !== undefined && listed.isYanked(query.current);
    const body = { code, updatesUntil, ...(isYanked && { currentYanked: true }), ...describeUpdates(answer, links) };
    return new Reply(body, { headers: codeHeader(answer) });
  },
});
