/** Which licenses of a product are those of test keys, and how many of these are alive. */

import * as z from 'zod/mini';
import { aliveTestKeysKey, testKeyKey, testKeysOfProduct } from '../../db/keys.ts';
import { freePlace, readyPlaces, takePlace } from '../../db/live-places.ts';
import { listPartitionPage, mapPage, type Page, type PageRequest } from '../../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { idOf, type LicenseId, type ProductId } from '../../ids.ts';
import type { License } from '../license.ts';
import { maxLiveTestKeys } from './test-key.ts';

const Pointer = z.object({ licenseId: idOf('license') });

/** When the test keys of a product that were not ended expire, by license id. */
export const AliveTestKeys = z.object({ alive: z.record(z.string(), z.string()) });

const placesOf = (productId: ProductId) => ({ key: aliveTestKeysKey(productId), attribute: 'alive' });

/** Newest first. */
export async function listTestKeys(table: Table, productId: ProductId, request: PageRequest): Promise<Page<LicenseId>> {
  const newestFirst = { ...request, newestFirst: true };
  const page = await listPartitionPage(table, `test-keys-of-${productId}`, testKeysOfProduct(productId), newestFirst);
  return mapPage(page, (item) => Pointer.parse(item).licenseId);
}

/** Readies the product for a test key: those that expired take no place any more. */
export const readyForTestKey = (table: Table, productId: ProductId, now: Date): Promise<void> =>
  readyPlaces(table, placesOf(productId), now);

/** Lists a test key and takes a place for it; to be committed with its license. @throws AppError too_many_test_keys */
export function addTestKey({ id: licenseId, productId, expiresAt }: Pick<License, 'id' | 'productId'> & { expiresAt: string }): Write[] {
  return [
    takePlace(placesOf(productId), licenseId, {
      endsAt: expiresAt,
      max: maxLiveTestKeys,
      refusal: () => new AppError('too_many_test_keys'),
    }),
    { put: { Item: { ...testKeyKey(productId, licenseId), licenseId }, ...ifAbsent } },
  ];
}

/** Gives back the place of a test key; nothing of any other license. To be committed with the end of it. */
export const freeTestKeyPlace = ({ id, orderId, productId }: License): Write[] =>
  orderId === undefined ? [freePlace(placesOf(productId), id)] : [];
