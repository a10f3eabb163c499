import { buffer } from 'node:stream/consumers';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId, ProductId } from '../ids.ts';
import { type Picture, pictureNameOf, picturePathOf } from '../pictures/picture.ts';
import type { PreviewRepository } from '../products/previews/preview-repository.ts';
import { createProductRepository, type FoundProduct } from '../products/product-repository.ts';
import { isPublic } from '../products/public-product.ts';
import type { ObjectStore } from './object-store.ts';
import { isDownloadable, isPreviewedPicture, isShownPicture, type PictureFile, type ProductFileRecord } from './product-file.ts';
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

/** On the preview at this path, pictures that wait for their review are shown too, below it. */
export type FindShownFiles = (found: Pick<FoundProduct, 'product' | 'fileIndex'>, preview?: string) => Promise<ShownFiles>;

/** Reads what is shown of a product's files: one request, and none for a product without live files. See "Downloads" in README.md. */
export function createFindShownFiles({ table }: { table: Table }): FindShownFiles {
  const files = createProductFileRepository({ table });
  return async ({ product, fileIndex }, preview) => {
    const live = await files.findIndexedFiles(product.id, fileIndex);
    const pictures = live.filter(preview === undefined ? isShownPicture : isPreviewedPicture).slice(0, maxShownPictures);
    return {
      pictures: pictures.map(({ id, productId, picture }) => ({
        path: preview === undefined ? picturePathOf({ productId, fileId: id }, picture) : `${preview}/${id}/${pictureNameOf(picture)}`,
        width: picture.width,
        height: picture.height,
      })),
      downloads: live.filter(isDownloadable).map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes })),
    };
  };
}

type Store = Pick<ObjectStore, 'openObject'> | undefined;

/** The bytes of a picture at its address. */
export type ReadPicture = (address: { productId: ProductId; fileId: FileId; name: string }) => Promise<Picture & { bytes: Uint8Array }>;

/**
 * Reads a picture while its file and its product may be seen: of what was taken down, and of another content
 * than the name tells, there is nothing.
 *
 * The reader throws AppError `file_not_found`.
 */
export function createReadPicture({ table, store }: { table: Table; store: Store }): ReadPicture {
  const files = createProductFileRepository({ table });
  const products = createProductRepository({ table });
  return async ({ productId, fileId, name }) => {
    const file = await files.findFile(productId, fileId);
    if (!file || !isShownPicture(file) || pictureNameOf(file.picture) !== name) throw new AppError('file_not_found');
    const found = await products.findProductAndSeller(file);
    if (!found || !isPublic(found.product, found.seller)) throw new AppError('file_not_found');
    return readBytes(store, file);
  };
}

/** The bytes of a picture on the preview that the token opens. */
export type ReadPreviewPicture = (address: { token: string; fileId: FileId; name: string }) => ReturnType<ReadPicture>;

/**
 * Reads a picture of a previewed product, approved or not, as long as the preview can be opened.
 *
 * The reader throws AppError `file_not_found`.
 */
export function createReadPreviewPicture({
  table,
  store,
  previews,
}: {
  table: Table;
  store: Store;
  previews: Pick<PreviewRepository, 'findPreview'>;
}): ReadPreviewPicture {
  const files = createProductFileRepository({ table });
  return async ({ token, fileId, name }) => {
    const preview = await previews.findPreview(token);
    const file = preview && (await files.findFile(preview.productId, fileId));
    const isThere = file && isPreviewedPicture(file) && pictureNameOf(file.picture) === name;
    if (!isThere) throw new AppError('file_not_found');
    return readBytes(store, file);
  };
}

async function readBytes(store: Store, { picture }: PictureFile): ReturnType<ReadPicture> {
  const object = await store?.openObject(picture.storageKey, picture.versionId);
  if (!object) throw new AppError('file_not_found');
  return { ...picture, bytes: await buffer(object.chunks) };
}
