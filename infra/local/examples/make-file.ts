import { createHash } from 'node:crypto';
import { Anything, asAdmin, type Caller, call, type Stack } from './example-caller.ts';
import type { ExampleFile } from './example-data.ts';
import { Intent, listOf, ReviewedFile, SellerFile } from './replies.ts';
import { waitFor } from './wait-for.ts';

/** Uploads a file, unless it is there, and has it looked at; an admin vouches for what no trusted scanner does. Returns its id. */
export async function makeFile(at: Stack, owner: Caller, productId: string, { bytes, approved, ...named }: ExampleFile): Promise<string> {
  const files = `/v1/products/${productId}/files`;
  const { items } = await call(at, listOf(SellerFile), owner, 'GET', `${files}?limit=100`);
  const known = items.find((file) => file.file_name === named.filename && file.uploaded_at !== undefined);
  const fileId = known?.id ?? (await upload(at, owner, files, { bytes, ...named }));
  const scanned = await waitFor('A scan', async () => {
    const reviews = `/v1/admin/product-files?product_id=${productId}&status=any&limit=100`;
    const { items: reviewed } = await asAdmin(at, listOf(ReviewedFile), 'GET', reviews);
    const found = reviewed.find(({ file_id }) => file_id === fileId);
    return found?.hash_status === 'verified' && found.scan_status !== 'not_scanned' ? found : undefined;
  });
  const review = `/v1/admin/products/${productId}/files/${fileId}/review`;
  const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Made by the examples of the local stack.' };
  if (!approved || scanned.status === 'approved') return fileId;
  if (!scanned.scan_trusted_clean) await asAdmin(at, Anything, 'PATCH', review, vouch);
  if (named.purpose !== 'release') await asAdmin(at, Anything, 'PATCH', review, { decision: 'approve' });
  return fileId;
}

async function upload(at: Stack, owner: Caller, files: string, { bytes, ...named }: Omit<ExampleFile, 'approved'>): Promise<string> {
  const declared = { size_bytes: bytes.length, sha256_hex: createHash('sha256').update(bytes).digest('hex') };
  const intent = await call(at, Intent, owner, 'POST', `${files}/upload-intent`, { ...named, ...declared });
  // The client states the length itself.
  const { 'content-length': _, ...headers } = lowerCased(intent.required_headers);
  const put = await fetch(intent.upload_url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  if (!put.ok) throw new Error(`An upload was answered with ${put.status}.`);
  await call(at, Anything, owner, 'POST', `${files}/${intent.product_file_id}/finalize`, declared);
  return intent.product_file_id;
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
