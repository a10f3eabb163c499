import type { Needs } from '../../shared/context.ts';
import { Reply } from '../../shared/http/endpoint.ts';
import { createUpdateDownload, type DownloadRequest, describeUpdateDownload } from '../../shared/updates/update-downloads.ts';

export const downloadErrors = [
  'update_proof_invalid',
  'file_not_found',
  'license_not_usable',
  'update_not_covered',
  'file_not_available',
  'rate_limited',
] as const;

export type DownloadNeeds = Needs<'table' | 'now' | 'downloadSigner' | 'limitRate' | 'UPDATE_URL_SECONDS' | 'verifyProof'>;

/** Leads to the file, or tells its size to who asks for nothing else. */
export async function replyWithFile(c: DownloadNeeds, request: DownloadRequest, isHead: boolean): Promise<Reply> {
  if (!isHead) return new Reply(undefined, { status: 302, headers: { Location: await createUpdateDownload(c, request) } });
  const { sizeBytes, contentType } = await describeUpdateDownload(c, request);
  const headers = { 'Content-Length': String(sizeBytes), 'Content-Type': contentType, 'Accept-Ranges': 'bytes' };
  return new Reply(undefined, { status: 200, headers });
}
