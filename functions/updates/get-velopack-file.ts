import * as z from 'zod/mini';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { installedVersion } from '../../shared/releases/versions/version.ts';
import { isVelopackFeed, parseFeedScope } from '../../shared/updates/feeds/feed-addresses.ts';
import { writeVelopackFeed } from '../../shared/updates/feeds/velopack.ts';
import { findUpdates } from '../../shared/updates/update-service.ts';
import { type DownloadNeeds, downloadErrors, replyWithFile } from './file-reply.ts';
import { codeHeader, deviceQuery, type FeedNeeds, updaterEndpoint, updaterPath, updaterRequest } from './updater.ts';

export const getVelopackFileRoute = endpoint({
  ...updaterEndpoint,
  operationId: 'getVelopackFile',
  path: `${updaterPath}/velopack/{channel}/{platform}/{arch}/{file_name}`,
  summary: 'The newest release that the license covers, and its files, for Velopack',
  description:
    'A name of the form `releases.….json` is the feed, in whatever letter case: the full package of the newest release and the deltas that lead to it. Any other is a file in it, found by its name alone.',
  query: z.object({ localVersion: z.optional(installedVersion), os: deviceQuery.os }),
  success: {
    status: 200,
    contentType: 'application/json',
    description: 'The feed; to HEAD, how large the file is.',
    otherStatuses: { 302: { description: 'Where the file can be read for a while.', bodiless: true } },
  },
  errors: ['invalid_request', 'product_not_found', ...downloadErrors],
  async handle(input, c: FeedNeeds & DownloadNeeds) {
    const { params, query, isHead } = input;
    const request = updaterRequest(input);
    if (!isVelopackFeed(params.fileName)) {
      return replyWithFile(c, { ...request, address: { velopackName: params.fileName } }, isHead);
    }
    const { localVersion, os } = query;
    const answer = await findUpdates(c, {
      ...request,
      feed: 'velopack',
      parseScope: () => parseFeedScope(params),
      current: localVersion,
      os,
    });
    const { scope: followed, releases: listed, covers } = answer;
    const releases = listed.catalog.releasesOn(followed.channel).filter(covers);
    const feed = writeVelopackFeed(answer.offered[0], { releases, target: followed.target, localVersion });
    return new Reply(JSON.stringify(feed), { headers: codeHeader(answer) });
  },
});
