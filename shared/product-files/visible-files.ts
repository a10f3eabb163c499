import { buffer } from 'node:stream/consumers';
import type { Needs } from '../context.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId, ProductId } from '../ids.ts';
import { type Picture, pictureNameOf, picturePathOf } from '../pictures/picture.ts';
import { findPreview } from '../products/previews/preview-repository.ts';
import { type FoundProduct, findProductAndSeller } from '../products/product-repository.ts';
import { isPublic } from '../products/public-product.ts';
import { isDownloadable, isPreviewedPicture, isShownPicture, type PictureFile, type ProductFileRecord } from './product-file.ts';
import { findFile, findIndexedFiles } from './product-file-repository.ts';
import type { ObjectStore } from './storage/object-store.ts';

/** How many pictures the page of a product shows. */
export const maxVisiblePictures = 8;

/** A picture as a page shows it: where it is on our origin, and its size. */
export interface VisiblePicture {
  path: string;
  width: number;
  height: number;
}

/** What anyone may see of the files of a product that is public, oldest first. */
export interface VisibleFiles {
  pictures: VisiblePicture[];
  downloads: Pick<ProductFileRecord, 'fileName' | 'sizeBytes'>[];
}

/**
 * What is shown of a product's files: one request, and none for a product without live files. On the preview at this path, pictures that
 * wait for their review are shown too, below it. See "Downloads" in README.md
 */
export async function findShownFiles(
  table: Table,
  { product, fileIndex }: Pick<FoundProduct, 'product' | 'fileIndex'>,
  preview?: string,
): Promise<VisibleFiles> {
  const live = await findIndexedFiles(table, product.id, fileIndex);
  const pictures = live.filter(preview === undefined ? isShownPicture : isPreviewedPicture).slice(0, maxVisiblePictures);
  return {
    pictures: pictures.map(({ id, productId, picture }) => ({
      path: preview === undefined ? picturePathOf({ productId, fileId: id }, picture) : `${preview}/${id}/${pictureNameOf(picture)}`,
      width: picture.width,
      height: picture.height,
    })),
    downloads: live.filter(isDownloadable).map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes })),
  };
}

type Store = Pick<ObjectStore, 'openObject'> | undefined;

/**
 * The bytes of a picture at its address, while its file and its product may be seen: of what was taken down, and of another content
 * than the name tells, there is nothing.
 *
 * @throws AppError file_not_found
 */
export async function readPicture(
  c: Needs<'table' | 'store'>,
  { productId, fileId, name }: { productId: ProductId; fileId: FileId; name: string },
): ReturnType<typeof readBytes> {
  const file = await findFile(c.table, productId, fileId);
  if (!file || !isShownPicture(file) || pictureNameOf(file.picture) !== name) throw new AppError('file_not_found');
  const found = await findProductAndSeller(c.table, file);
  if (!found || !isPublic(found.product, found.seller)) throw new AppError('file_not_found');
  return readBytes(c.store, file);
}

/**
 * The bytes of a picture, approved or not, on the preview that the token opens, for as long as it does.
 *
 * @throws AppError file_not_found
 */
export async function readPreviewPicture(
  c: Needs<'table' | 'now' | 'store'>,
  { token, fileId, name }: { token: string; fileId: FileId; name: string },
): ReturnType<typeof readBytes> {
  const preview = await findPreview(c, token);
  const file = preview && (await findFile(c.table, preview.productId, fileId));
  const isThere = file && isPreviewedPicture(file) && pictureNameOf(file.picture) === name;
  if (!isThere) throw new AppError('file_not_found');
  return readBytes(c.store, file);
}

async function readBytes(store: Store, { picture }: PictureFile): Promise<Picture & { bytes: Uint8Array }> {
  const object = await store?.openObject(picture.storageKey, picture.versionId);
  if (!object) throw new AppError('file_not_found');
  return { ...picture, bytes: await buffer(object.chunks) };
}
