import { Reply } from '../../shared/http/endpoint.ts';
import type { DownloadRequest, UpdateDownloads } from '../../shared/updates/update-downloads.ts';

export const downloadErrors = [
  'update_proof_invalid',
  'file_not_found',
  'license_not_usable',
  'update_not_covered',
  'file_not_available',
  'rate_limited',
] as const;

/** Leads to the file, or tells its size to who asks for nothing else. */
export async function replyWithFile(downloads: UpdateDownloads, request: DownloadRequest, isHead: boolean): Promise<Reply> {
  if (!isHead) return new Reply(undefined, { status: 302, headers: { Location: await downloads.createDownload(request) } });
  const { sizeBytes, contentType } = await downloads.describeDownload(request);
  const headers = { 'Content-Length': String(sizeBytes), 'Content-Type': contentType, 'Accept-Ranges': 'bytes' };
  return new Reply(undefined, { status: 200, headers });
}
