import { endpoint } from '../../shared/http/endpoint.ts';
import { type DownloadNeeds, downloadErrors, replyWithFile } from './file-reply.ts';
import { updaterEndpoint, updaterPath, updaterRequest } from './updater.ts';

export const getUpdateFileRoute = endpoint({
  ...updaterEndpoint,
  operationId: 'getUpdateFile',
  path: `${updaterPath}/files/{version}/{target}/{file_name}`,
  summary: 'A file of a release that the license covers',
  description:
    'The address stays for as long as the proof in it; `target` is platform and arch of the file, such as `windows-x64`. Every release that is covered can be downloaded, the last one for ever, whatever its rollout. HEAD tells the size and counts for no limit.',
  success: {
    status: 302,
    description: 'Where the file can be read for a while, in parts too.',
    otherStatuses: { 200: { description: 'To HEAD: how large the file is.', bodiless: true } },
  },
  errors: downloadErrors,
  handle(input, c: DownloadNeeds) {
    const { version, target: place, fileName } = input.params;
    return replyWithFile(c, { ...updaterRequest(input), address: { version, place, fileName } }, input.isHead);
  },
});
