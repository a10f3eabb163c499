/** What licenses of a product can be upgraded to, by the live terms of what they become. */

import * as z from 'zod/mini';
import { productOfSellerKey, upgradeKey, upgradesOfProduct } from '../../db/keys.ts';
import type { Table, Write } from '../../db/table.ts';
import { invalidField } from '../../faults/invalid-request.ts';
import * as rules from '../../faults/rules.ts';
import { idOf, isId, type ProductId, type SellerId } from '../../ids.ts';
import type { UpgradeOffer } from './selling-terms.ts';

/** From a product to one that its licenses can be upgraded to. */
export const UpgradePointer = z.object({ productId: idOf('product') });

interface Upgraded {
  id: ProductId;
  upgradesFrom: readonly UpgradeOffer[];
}

/** The products, in whatever state, whose live terms name this one: one request, since a seller has at most 100. */
export async function listUpgradesOf(table: Table, productId: ProductId): Promise<ProductId[]> {
  const { pk: partition, prefix } = upgradesOfProduct(productId);
  const { items } = await table.query({ partition, prefix });
  return items.map((item) => UpgradePointer.parse(item).productId);
}

/** What leads to `next` in the place of what led to it before; part of the transaction that changes its live terms. */
export function replaceUpgrades(read: Pick<Upgraded, 'upgradesFrom'>, next: Upgraded): Write[] {
  const [before, after] = [idsOf(read), idsOf(next)];
  const [added, gone] = [after.filter((from) => !before.includes(from)), before.filter((from) => !after.includes(from))];
  return [
    ...added.map((from): Write => ({ put: { Item: { ...upgradeKey(from, next.id), productId: next.id } } })),
    ...gone.map((from): Write => ({ delete: { Key: upgradeKey(from, next.id) } })),
  ];
}

/** Whether the offers are of other products of the seller, in whatever state; one request. @throws AppError invalid_request, alike for all that are not */
export async function requireOwnProducts(
  table: Table,
  sellerId: SellerId,
  offers: readonly UpgradeOffer[],
  productId?: ProductId,
): Promise<void> {
  const ids = idsOf({ upgradesFrom: offers });
  if (ids.length === 0) return;
  const areOthers = new Set(ids).size === ids.length && ids.every((id) => isId('product', id) && id !== productId);
  const found = areOthers ? await table.batchGet(ids.map((id) => productOfSellerKey(sellerId, id))) : [];
  if (found.length !== ids.length) throw invalidField('upgrades_from', rules.notOtherProducts);
}

const idsOf = ({ upgradesFrom }: Pick<Upgraded, 'upgradesFrom'>) => upgradesFrom.map(({ productId }) => productId);
