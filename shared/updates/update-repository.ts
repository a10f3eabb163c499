/** What updaters ask for, as it is at this moment, in two requests. See "Requests a call" in README.md */

import * as z from 'zod/mini';
import { itemsByKey } from '../db/find-items.ts';
import {
  fileKey,
  type Key,
  licenseKey,
  licensePointerKey,
  productKey,
  releaseIndexKey,
  releaseKey,
  releaseRevisionKey,
  sellerKey,
  velopackNameKey,
} from '../db/keys.ts';
import { OptimisticLockError, retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Item, Table } from '../db/table.ts';
import { idOf, isId, type LicenseId, type ProductId } from '../ids.ts';
import { License, LicensePointer } from '../licenses/license.ts';
import { ProductFileRecord } from '../product-files/product-file.ts';
import { type ArtifactWithFile, VelopackName, velopackName } from '../releases/artifacts/artifact.ts';
import { artifactsWithFiles, ReleaseRecord } from '../releases/release.ts';
import { isVersion } from '../releases/versions/version-form.ts';

/** What feeds need of a product and its seller; kept small, since it is parsed at each call. */
const SoldProduct = z.object({ id: idOf('product'), sellerId: idOf('seller'), name: z.string(), slug: z.string(), status: z.string() });
const SellerStatus = z.object({ internalReviewStatus: z.string() });

export type SoldProduct = z.infer<typeof SoldProduct>;

/** And of a license: what decides on its state and coverage, and nothing of its key. */
const CoveredLicense = z.pick(License, {
  id: true,
  orderId: true,
  productId: true,
  activationLimit: true,
  features: true,
  updatesUntil: true,
  expiresAt: true,
  suspendedAt: true,
  paymentHold: true,
  revokedAt: true,
});
export type CoveredLicense = z.infer<typeof CoveredLicense>;

/** A product, and the license for which it is requested. */
export interface ProductAndLicense {
  product: SoldProduct;
  /** Nothing of it goes out: the product or its seller is suspended. */
  isSuspended: boolean;
  /** Absent where there is none of the id, or it is of another product. */
  license: CoveredLicense | undefined;
}

/** How an address names a file: by its version and place, or by the name alone that it has in Velopack's feeds. */
export type FileAddress = { version: string; place: string; fileName: string } | { velopackName: string };

/** A file that was named, as far as there is one. */
interface NamedFile {
  release: ReleaseRecord | undefined;
  file: ProductFileRecord | undefined;
}

/** All that feeds need of product, pointer and revision, and then of seller and license. */
const feedAttributes = [
  ...['pk', 'sk', 'revision', 'movedTo', 'replacedAt'],
  ...Object.keys({ ...SoldProduct.shape, ...LicensePointer.shape, ...SellerStatus.shape, ...CoveredLicense.shape }),
];

/** Finds an item among those that were read. */
type Find = (key: Key) => Item | undefined;

/** What is read beside product and license: keys that are known, keys that those lead to, and what becomes of the items. */
interface ExtraRead<Read> {
  first: readonly Key[];
  /** All that is read of the items, but where keys are next, whose items are read whole. */
  attributes?: readonly string[];
  next: (find: Find) => readonly Key[];
  parse: (find: Find) => Read;
}

/** A license that moves to another key meanwhile is looked for again. */
function read<Read>(
  table: Table,
  productId: ProductId,
  licenseId: LicenseId | undefined,
  { first, attributes, next, parse }: ExtraRead<Read>,
): Promise<(ProductAndLicense & Read) | undefined> {
  if (!isId('product', productId)) return Promise.resolve(undefined);
  const pointerKey = licenseId !== undefined && isId('license', licenseId) ? licensePointerKey(licenseId) : undefined;
  return retryOptimisticLock(async () => {
    const found = itemsByKey(await table.batchGet([productKey(productId), ...(pointerKey ? [pointerKey] : []), ...first], attributes));
    const item = found(productKey(productId));
    if (!item) return undefined;
    const product = SoldProduct.parse(item);
    const pointer = pointerKey && found(pointerKey);
    const keyOfLicense = pointer && licenseKey(LicensePointer.parse(pointer).lookup);
    const nextKeys = next(found);
    const keys = [sellerKey(product.sellerId), ...(keyOfLicense ? [keyOfLicense] : []), ...nextKeys];
    const foundNext = itemsByKey(await table.batchGet(keys, nextKeys.length === 0 ? attributes : undefined));
    const seller = SellerStatus.parse(foundNext(sellerKey(product.sellerId)));
    const license = keyOfLicense && licenseOf(foundNext(keyOfLicense));
    return {
      product,
      isSuspended: product.status === 'suspended' || seller.internalReviewStatus === 'suspended',
      license: license?.productId === productId ? license : undefined,
      ...parse((key) => foundNext(key) ?? found(key)),
    };
  });
}

/**
 * What decides on a feed; undefined where there is no such product. The index of the releases is read whole only
 * where nothing is kept of the revision that it has.
 */
export function readForFeed<Kept>(
  table: Table,
  productId: ProductId,
  licenseId: LicenseId | undefined,
  recall: (revision: unknown) => Kept | undefined,
) {
  const [key, revisionKey] = [releaseIndexKey(productId), releaseRevisionKey(productId)];
  let kept: Kept | undefined;
  return read(table, productId, licenseId, {
    first: [revisionKey],
    attributes: feedAttributes,
    next(find) {
      kept = recall(find(revisionKey)?.['revision']);
      return kept === undefined ? [key] : [];
    },
    parse: (find) => ({ kept, index: find(key) }),
  });
}

/** What decides on a download; undefined where there is no such product. */
export function readForDownload(table: Table, productId: ProductId, licenseId: LicenseId, address: FileAddress) {
  return read(
    table,
    productId,
    licenseId,
    'velopackName' in address ? readByName(productId, address.velopackName) : readByPlace(productId, address),
  );
}

/** Of the files of releases. */
const maxFileNameLength = 128;

const nothingNamed: ExtraRead<NamedFile> = { first: [], next: () => [], parse: () => ({ release: undefined, file: undefined }) };

function readByPlace(
  productId: ProductId,
  { version, place, fileName }: { version: string; place: string; fileName: string },
): ExtraRead<NamedFile> {
  if (!isVersion(version)) return nothingNamed;
  const isNamed = (artifact: ArtifactWithFile) => artifact.fileName === fileName && `${artifact.platform}-${artifact.arch}` === place;
  const releaseIn = (find: Find) => parsedIfAny(ReleaseRecord, find(releaseKey(productId, version)));
  const fileKeysIn = (find: Find) => {
    const release = releaseIn(find);
    const artifact = release && artifactsWithFiles(release).find(isNamed);
    return artifact ? [fileKey(productId, artifact.fileId)] : [];
  };
  return {
    first: [releaseKey(productId, version)],
    next: fileKeysIn,
    parse: (find) => ({
      release: releaseIn(find),
      file: parsedIfAny(ProductFileRecord, fileKeysIn(find).map(find)[0]),
    }),
  };
}

function readByName(productId: ProductId, name: string): ExtraRead<NamedFile> {
  if (name.length > maxFileNameLength) return nothingNamed;
  const nameKey = velopackNameKey(productId, velopackName({ fileName: name }));
  const keysIn = (find: Find) => {
    const named = parsedIfAny(VelopackName, find(nameKey));
    return named && { file: fileKey(productId, named.fileId), release: releaseKey(productId, named.version) };
  };
  return {
    first: [nameKey],
    next: (find) => Object.values(keysIn(find) ?? {}),
    parse(find) {
      const keys = keysIn(find);
      return {
        release: keys && parsedIfAny(ReleaseRecord, find(keys.release)),
        file: keys && parsedIfAny(ProductFileRecord, find(keys.file)),
      };
    },
  };
}

const parsedIfAny = <Schema extends z.ZodMiniType>(schema: Schema, item: Item | undefined): z.output<Schema> | undefined =>
  item && schema.parse(item);

/** @throws OptimisticLockError where the license was, and is no longer */
function licenseOf(item: Item | undefined): CoveredLicense {
  if (!item || item['movedTo'] !== undefined || item['replacedAt'] !== undefined) throw new OptimisticLockError();
  return CoveredLicense.parse(item);
}
