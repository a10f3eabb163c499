import { waitFor } from '../../local/examples/wait-for.ts';
import { admin, expectBody, quietAdmin, type seller } from './stage.ts';
import { type DemoFile, hashFile, uploadFile } from './upload.ts';

/** Where a file of a product is found. */
interface FilePath {
  product_id: string;
  file_id: string;
}

/** Uploads a file in the name of its seller, or of a machine of theirs, and says that it is there. */
export async function uploadProductFile(
  caller: typeof seller,
  productId: string,
  file: DemoFile,
  named: { filename: string; purpose: 'download' | 'release' },
): Promise<{ path: FilePath; sha256Hex: string }> {
  const declared = { size_bytes: file.sizeBytes, sha256_hex: await hashFile(file) };
  const body = { ...declared, ...named, content_type: 'application/zip' };
  const intent = await expectBody(caller.createProductFileUploadIntent({ path: { product_id: productId }, body }));
  const status = await uploadFile(intent.upload_url, intent.required_headers ?? {}, file);
  if (status !== 200) throw new Error(`The upload was answered with ${status}.`);
  const path = { product_id: productId, file_id: intent.product_file_id };
  await expectBody(caller.finalizeProductFile({ path, body: declared }));
  return { path, sha256Hex: declared.sha256_hex };
}

/** Waits for the hash and the scan. Nobody trusts the scanner of the local stack, so an admin has to vouch for the file. */
export async function markFileClean(path: FilePath): Promise<void> {
  const scanned = await waitFor('the scan', async () => {
    const { items } = await expectBody(quietAdmin.listProductFilesForReview({ query: { product_id: path.product_id } }));
    return items.find(({ file_id, scan_status }) => file_id === path.file_id && scan_status !== 'not_scanned');
  });
  console.log(`  hash ${scanned.hash_status}; scan ${scanned.scan_status} by ${scanned.scan_engine}`);
  if (scanned.scan_trusted_clean) return;
  const vouch = { decision: 'manual_clean' as const, manual_scan_clean_reason: 'Made by the demo.' };
  await expectBody(admin.reviewProductFile({ path, body: vouch }));
}
