import * as z from 'zod/mini';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { writeElectronFeed } from '../../shared/updates/feeds/electron.ts';
import { LinuxBundle, parseElectronScope } from '../../shared/updates/feeds/feed-addresses.ts';
import { findUpdates } from '../../shared/updates/update-service.ts';
import { codeHeader, deviceQuery, type FeedNeeds, updaterEndpoint, updaterPath, updaterRequest } from './updater.ts';

export const getElectronFeedRoute = endpoint({
  ...updaterEndpoint,
  operationId: 'getElectronFeed',
  path: `${updaterPath}/electron/{file_name}`,
  summary: 'The newest release that the license covers, for electron-updater',
  description:
    'The file is named `{channel}.yml` for Windows and `{channel}-mac.yml`, both with `-arm64` after the channel for that arch alone (Windows also `-ia32`), or `{channel}-linux.yml` with `-arm64`, `-arm` or `-ia32` after `linux`; `latest` is stable. For Linux the file lists the newest AppImage, deb, rpm and pacman, each by itself, and with `bundle` that one alone, which an app should tell together with `current`. Where nothing is offered, it has no files, and the version that asks.',
  query: z.object({ ...deviceQuery, bundle: z.optional(LinuxBundle) }),
  success: { status: 200, contentType: 'application/yaml', description: 'The feed.' },
  errors: ['invalid_request', 'product_not_found', 'rate_limited'],
  async handle(input, c: FeedNeeds) {
    const {
      params,
      query: { bundle, ...device },
    } = input;
    const answer = await findUpdates(c, {
      ...updaterRequest(input),
      ...device,
      feed: 'electron',
      parseScope: () => parseElectronScope(params.fileName, bundle),
    });
    return new Reply(writeElectronFeed(answer.offered, device.current, answer.links), { headers: codeHeader(answer) });
  },
});
