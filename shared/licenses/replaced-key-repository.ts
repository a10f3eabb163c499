/** Keys that were replaced. Each stays under its lookup, in the place of the license. See "Replaced keys" in keys.md */

import { licenseKey, licensePointerKey, listKey } from '../db/keys.ts';
import { ifAttributesUnchanged, lockConflict } from '../db/optimistic-lock.ts';
import { listAcrossShards, type Page, type PageRequest, parsePage } from '../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import { type License, ReplacedKey } from './license.ts';
import { pepperVersionOf } from './license-lookup.ts';
import { changeableFacts, isValidCopy } from './license-repository.ts';

/**
 * Puts `renewed`, the license under another key, in the place of `license`, and the replaced key under
 * every lookup; to be committed as one transaction. `lookups` are those of the two keys, the current pepper's first.
 *
 * @throws OptimisticLockError when the license has changed or moved since it was read, or the new key is taken.
 */
export function recordReplacedKey(
  license: License,
  renewed: License,
  lookups: { old: readonly string[]; new: readonly string[] },
  now: Date,
): Write[] {
  const { id, movingFrom, productId, sealedKey } = license;
  const replacedAt = now.toISOString();
  const places = new Set([license.lookup, ...(movingFrom === undefined ? [] : [movingFrom]), ...lookups.old]);
  const leave = (lookup: string): Write => {
    const replaced: ReplacedKey = { id, lookup, productId, sealedKey, replacedAt };
    const Item = lookup === lookups.old[0] ? listed(replaced) : { ...licenseKey(lookup), ...replaced };
    return { put: { Item, ...whatIsAt(lookup, license) }, onConditionFailed: lockConflict };
  };
  return [
    pointTo(renewed, license),
    ...[...places].map(leave),
    { put: { Item: { ...licenseKey(renewed.lookup), ...renewed }, ...ifAbsent }, onConditionFailed: lockConflict },
    ...lookups.new
      .filter((lookup) => lookup !== renewed.lookup)
      .map((lookup) => ({ check: { Key: licenseKey(lookup), ...ifAbsent }, onConditionFailed: lockConflict })),
  ];
}

/** Those that this version of the pepper was the current one for. Eventually consistent. */
export const listReplacedKeysUnder = async (table: Table, pepperVersion: string, page: PageRequest): Promise<Page<ReplacedKey>> =>
  parsePage(await listAcrossShards(table, `replaced-keys#${pepperVersion}`, { ...page, newestFirst: false }), ReplacedKey);

/** Makes the key known under another lookup. It stays under the old one too, but on no list. */
export function recordKeyCopy(replaced: ReplacedKey, lookup: string): Write[] {
  return [
    {
      put: {
        Item: listed({ ...replaced, lookup }),
        ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(replacedAt)',
      },
    },
    {
      update: {
        Key: licenseKey(replaced.lookup),
        UpdateExpression: 'REMOVE listPk, listSk',
        ConditionExpression: 'attribute_exists(replacedAt)',
      },
    },
  ];
}

/** The condition under which a replaced key may take the place: of the license as it was read, of its old copy, or of nothing. */
function whatIsAt(lookup: string, license: License): { ConditionExpression: string; ExpressionAttributeValues?: Record<string, unknown> } {
  if (lookup === license.movingFrom) return { ConditionExpression: 'attribute_exists(movedTo)' };
  if (lookup !== license.lookup) return ifAbsent;
  const same = ifAttributesUnchanged(license, ['activationCount', ...changeableFacts]);
  return { ConditionExpression: `${isValidCopy} AND ${same.condition}`, ExpressionAttributeValues: same.values };
}

/** On the list of its pepper: of the items of a key one is. */
function listed(replaced: ReplacedKey) {
  const { id, lookup, replacedAt } = replaced;
  return { ...licenseKey(lookup), ...listKey(`replaced-keys#${pepperVersionOf(lookup)}`, replacedAt, id), ...replaced };
}

/** Leads the id to the new lookup, and ends a move that was under way. */
function pointTo({ id, lookup, issuedAt }: License, read: License): Write {
  const { listPk, listSk } = listKey(`licenses#${pepperVersionOf(lookup)}`, issuedAt, id);
  const same = ifAttributesUnchanged(read, ['movingFrom']);
  return {
    update: {
      Key: licensePointerKey(id),
      UpdateExpression: 'SET #lookup = :to, listPk = :listPk, listSk = :listSk REMOVE movingFrom, movingSince',
      ConditionExpression: `#lookup = :from AND ${same.condition}`,
      ExpressionAttributeNames: { '#lookup': 'lookup' },
      ExpressionAttributeValues: { ...same.values, ':from': read.lookup, ':to': lookup, ':listPk': listPk, ':listSk': listSk },
    },
    onConditionFailed: lockConflict,
  };
}
