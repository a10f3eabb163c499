import * as z from 'zod/mini';
import { type Caller, requireScope, type TokenScope } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { type FileId, idOf, type ProductId } from '../ids.ts';
import { getOwnProduct } from '../products/own-product.ts';
import { reviewDueAt } from '../review-due.ts';
import { dateTime, nonBlankText } from '../schemas.ts';
import { requireEligible } from '../sellers/seller.ts';
import { fileWaitingSince } from './file-states.ts';
import { listFilesOfProduct } from './live-file-repository.ts';
import { fileFields, type ProductFileRecord, storageProviders } from './product-file.ts';
import { getFile } from './product-file-repository.ts';

/** How long an upload URL lives, of a part too. */
export const uploadSeconds = 15 * 60;

/** How many live files a product may have. See "Limits and lifetimes" in README.md. */
export const maxLiveFiles = 20;

const token = "[\\w!#$%&'*+.^`|~-]+";
const quoted = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';

/** A media type that a header can hold: `type/subtype`, perhaps with parameters (RFC 9110 §8.3.1). */
const mediaType = new RegExp(`^${token}/${token}(?: *;(?: *${token}=(?:${token}|${quoted}))?)*$`);

export const contentType = nonBlankText(255).check(z.regex(mediaType, fault(rules.notMediaType)));

export const sizeBytes = z.int().check(z.minimum(1));

/** A file as its seller sees it. Where it is stored is not shown. */
export const ProductFile = z.object({
  id: idOf('file'),
  ...fileFields.owner,
  fileName: z.string(),
  ...fileFields.facts,
  scanTrustedClean: z.optional(z.boolean()),
  storageProvider: z.optional(z.enum(storageProviders)),
  createdAt: z.optional(dateTime),
  ...fileFields.times,
  /** Until when it is to be decided on, while it waits. */
  reviewDueAt: z.optional(dateTime),
});

export type ProductFile = z.infer<typeof ProductFile>;

export const showFile = (c: Needs<'REVIEW_DUE_HOURS'>, file: ProductFileRecord) =>
  ProductFile.parse({ ...file, reviewDueAt: reviewDueAt(fileWaitingSince(file), c.settings.REVIEW_DUE_HOURS) });

/** @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible */
export async function getProductToChange(table: Table, caller: Caller, productId: ProductId, fileId: FileId) {
  const { product, seller } = await getOwnFile(table, caller, productId, fileId);
  requireEligible(seller);
  return product;
}

/**
 * @param readScopes those that open the file to a token beside the scopes that bring it
 * @throws AppError product_not_found, forbidden, file_not_found
 */
export async function getOwnFile(
  table: Table,
  caller: Caller,
  productId: ProductId,
  fileId: FileId,
  readScopes: readonly TokenScope[] = [],
) {
  const own = await getOwnProduct(table, caller, productId);
  const file = await getFile(table, productId, fileId);
  requireScope(caller, [...uploadScopesOf(file), ...readScopes]);
  return { ...own, file };
}

/** Newest first. @throws AppError product_not_found, forbidden */
export async function listOwnFiles(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  request: PageRequest,
): Promise<Page<ProductFile>> {
  await getOwnProduct(c.table, caller, productId);
  return mapPage(await listFilesOfProduct(c.table, productId, { ...request, newestFirst: true }), (file) => showFile(c, file));
}

/** The scopes with which a token brings a file. */
export const uploadScopesOf = ({ purpose }: { purpose: string }): readonly TokenScope[] =>
  purpose === 'release' ? ['releases:write', 'products:write'] : ['products:write'];
