import * as z from 'zod/mini';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { Bundle } from '../../shared/releases/artifacts/artifact.ts';
import { installedVersion } from '../../shared/releases/versions/version.ts';
import { parseTauriScope } from '../../shared/updates/feeds/feed-addresses.ts';
import { TauriUpdate, writeTauriUpdate } from '../../shared/updates/feeds/tauri.ts';
import { findUpdates } from '../../shared/updates/update-service.ts';
import { codeHeader, deviceQuery, type FeedNeeds, updaterEndpoint, updaterPath, updaterRequest } from './updater.ts';

export const getTauriUpdateRoute = endpoint({
  ...updaterEndpoint,
  operationId: 'getTauriUpdate',
  path: `${updaterPath}/tauri/{channel}/{target}/{arch}/{current_version}`,
  summary: 'The newest release that the license covers, for Tauri',
  description:
    'Target, arch and version are as Tauri fills them in: linux, darwin or windows; x86_64, aarch64, i686 or armv7. So is `bundle`, as `{{bundle_type}}` in the address.',
  query: z.object({ os: deviceQuery.os, bundle: z.optional(Bundle) }),
  success: { status: 200, body: TauriUpdate, otherStatuses: { 204: { description: 'Nothing is offered.', bodiless: true } } },
  errors: ['invalid_request', 'product_not_found', 'rate_limited'],
  async handle(input, c: FeedNeeds) {
    const { params, query } = input;
    const answer = await findUpdates(c, {
      ...updaterRequest(input),
      ...query,
      feed: 'tauri',
      parseScope: () => parseTauriScope(params),
      current: installedVersion.safeParse(params.currentVersion).data,
    });
    const [offer] = answer.offered;
    const update = offer && writeTauriUpdate(offer, answer.links);
    return new Reply(update, { status: update ? 200 : 204, headers: codeHeader(answer) });
  },
});
