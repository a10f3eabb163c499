import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import type { FileId, ProductId } from '../ids.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { requireEligible } from '../sellers/seller.ts';
import { getOwnFile, uploadSeconds } from './own-file.ts';
import { listStoredParts, type SignedPart, signPartUrls } from './parts/part-uploads.ts';
import { requirePartsOpen, type SignFilePartsRequest, type StoredPart } from './parts/upload-parts.ts';

type PartNeeds = Needs<'table' | 'now' | 'partStore'>;

/**
 * Signs URLs for parts of a file; those that are stored can be signed again, and what is stored last counts.
 *
 * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, product_suspended,
 * file_state_conflict, storage_not_configured, invalid_request
 */
export async function signParts(
  c: PartNeeds,
  caller: Caller,
  productId: ProductId,
  fileId: FileId,
  request: SignFilePartsRequest,
): Promise<SignedPart[]> {
  const { product, seller, file } = await getOwnFile(c.table, caller, productId, fileId);
  requireEligible(seller);
  requireUnsuspended(product);
  requirePartsOpen(file, c.now());
  return signPartUrls(requireStore(c.partStore), c.now(), file, request, uploadSeconds);
}

/**
 * Every part that is stored, by number.
 *
 * @throws AppError product_not_found, forbidden, file_not_found, file_state_conflict, storage_not_configured
 */
export async function listOwnParts(c: PartNeeds, caller: Caller, productId: ProductId, fileId: FileId): Promise<StoredPart[]> {
  const { file } = await getOwnFile(c.table, caller, productId, fileId, ['products:read']);
  requirePartsOpen(file, c.now());
  const stored = await listStoredParts(requireStore(c.partStore), file);
  if (!stored) throw new AppError('file_state_conflict', 'The parts were put together, or ended; finalize tells which.');
  return stored;
}

/** @throws AppError storage_not_configured */
function requireStore<Store>(store: Store | undefined): Store {
  if (!store) throw new AppError('storage_not_configured');
  return store;
}
