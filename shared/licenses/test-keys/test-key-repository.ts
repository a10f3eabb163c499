/** Which licenses of a product are those of test keys, and how many of these are alive. */

import * as z from 'zod/mini';
import { aliveTestKeysKey, testKeyKey, testKeysOfProduct } from '../../db/keys.ts';
import { listOfPartition, type Page, type PageRequest } from '../../db/sharded-list.ts';
import { ConditionFailedError, ifAbsent, type Table, type Write } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { idOf, type LicenseId, type ProductId } from '../../ids.ts';
import type { License } from '../license.ts';
import { mostAlive } from './test-key.ts';

const Pointer = z.object({ licenseId: idOf('license') });

/** When the test keys of a product that were not ended expire, by license id. */
export const AliveTestKeys = z.object({ alive: z.record(z.string(), z.string()) });

async function makePlaces(table: Table, productId: ProductId): Promise<void> {
  try {
    await table.write({ put: { Item: { ...aliveTestKeysKey(productId), alive: {} }, ...ifAbsent } });
  } catch (error) {
    // Another request made them.
    if (!(error instanceof ConditionFailedError)) throw error;
  }
}

/** Newest first. */
export async function listTestKeys(table: Table, productId: ProductId, request: PageRequest): Promise<Page<LicenseId>> {
  const { items, nextCursor } = await listOfPartition(table, `test-keys-of-${productId}`, testKeysOfProduct(productId), {
    ...request,
    newestFirst: true,
  });
  return { items: items.map((item) => Pointer.parse(item).licenseId), nextCursor };
}

/** Readies the product for a test key: those that expired take no place any more. */
export async function clearTestKeyPlaces(table: Table, productId: ProductId, now: Date): Promise<void> {
  const Key = aliveTestKeysKey(productId);
  const item = await table.get(Key);
  if (!item) return makePlaces(table, productId);
  const expired = Object.entries(AliveTestKeys.parse(item).alive).filter(([, expiresAt]) => expiresAt <= now.toISOString());
  if (expired.length === 0) return;
  const names = Object.fromEntries(expired.map(([licenseId], index) => [`#expired${index}`, licenseId]));
  const paths = Object.keys(names).map((name) => `alive.${name}`);
  await table.write({ update: { Key, UpdateExpression: `REMOVE ${paths.join(', ')}`, ExpressionAttributeNames: names } });
}

/** Lists a test key and takes a place for it; to be committed with its license. @throws AppError too_many_test_keys */
export function addTestKey({ id: licenseId, productId, expiresAt }: Pick<License, 'id' | 'productId'> & { expiresAt: string }): Write[] {
  return [
    {
      update: {
        Key: aliveTestKeysKey(productId),
        UpdateExpression: 'SET alive.#license = :expiresAt',
        ConditionExpression: 'size(alive) < :most',
        ExpressionAttributeNames: { '#license': licenseId },
        ExpressionAttributeValues: { ':expiresAt': expiresAt, ':most': mostAlive },
      },
      onConditionFailed: () => new AppError('too_many_test_keys'),
    },
    { put: { Item: { ...testKeyKey(productId, licenseId), licenseId }, ...ifAbsent } },
  ];
}

/** Gives back the place of a test key; nothing of any other license. To be committed with the end of it. */
export function freeTestKeyPlace({ id, orderId, productId }: License): Write[] {
  if (orderId !== undefined) return [];
  const ExpressionAttributeNames = { '#license': id };
  return [{ update: { Key: aliveTestKeysKey(productId), UpdateExpression: 'REMOVE alive.#license', ExpressionAttributeNames } }];
}
