import { buffer } from 'node:stream/consumers';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId, ProductId } from '../ids.ts';
import { type Picture, pictureNameOf, picturePathOf } from '../pictures/picture.ts';
import { createProductRepository, type FoundProduct } from '../products/product-repository.ts';
import { isPublic } from '../products/public-product.ts';
import type { ObjectStore } from './object-store.ts';
import { isDownloadable, isShownPicture, type ProductFileRecord } from './product-file.ts';
import { createProductFileRepository } from './product-file-repository.ts';

/** How many pictures the page of a product shows. */
export const maxShownPictures = 8;

/** A picture as a page shows it: where it is on our origin, and its size. */
export interface ShownPicture {
  path: string;
  width: number;
  height: number;
}

/** What anyone may see of the files of a product that is public, oldest first. */
export interface ShownFiles {
  pictures: ShownPicture[];
  downloads: Pick<ProductFileRecord, 'fileName' | 'sizeBytes'>[];
}

export type FindShownFiles = (found: Pick<FoundProduct, 'product' | 'fileIndex'>) => Promise<ShownFiles>;

/** Reads what is shown of a product's files: one request, and none for a product without live files. See "Downloads" in README.md. */
export function createFindShownFiles({ table }: { table: Table }): FindShownFiles {
  const files = createProductFileRepository({ table });
  return async ({ product, fileIndex }) => {
    const live = await files.findIndexedFiles(product.id, fileIndex);
    const pictures = live.filter(isShownPicture).slice(0, maxShownPictures);
    return {
      pictures: pictures.map(({ id, productId, picture }) => ({
        path: picturePathOf({ productId, fileId: id }, picture),
        width: picture.width,
        height: picture.height,
      })),
      downloads: live.filter(isDownloadable).map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes })),
    };
  };
}

/** The bytes of a picture at its address. */
export type ReadPicture = (address: { productId: ProductId; fileId: FileId; name: string }) => Promise<Picture & { bytes: Uint8Array }>;

/**
 * Reads a picture while its file and its product may be seen: of what was taken down, and of another content
 * than the name tells, there is nothing.
 *
 * The reader throws AppError `file_not_found`.
 */
export function createReadPicture({ table, store }: { table: Table; store: Pick<ObjectStore, 'openObject'> | undefined }): ReadPicture {
  const files = createProductFileRepository({ table });
  const products = createProductRepository({ table });
  return async ({ productId, fileId, name }) => {
    const file = await files.findFile(productId, fileId);
    if (!file || !isShownPicture(file) || pictureNameOf(file.picture) !== name) throw new AppError('file_not_found');
    const found = await products.findProductAndSeller(file);
    if (!found || !isPublic(found.product, found.seller)) throw new AppError('file_not_found');
    const object = await store?.openObject(file.picture.storageKey, file.picture.versionId);
    if (!object) throw new AppError('file_not_found');
    return { ...file.picture, bytes: await buffer(object.chunks) };
  };
}
