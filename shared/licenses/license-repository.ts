/**
 * Licenses and their devices.
 *
 * While re-keying moves a license, its records are under two lookups, and an old copy names
 * in `movedTo` where the valid one is. Where the key was replaced, a ReplacedKey stands in the
 * place of the license. Every write is conditional on the record still being where it was read,
 * else OptimisticLockError. See "Replaced keys" in keys.md, and "Re-keying" in rekeying/README.md
 */

import * as z from 'zod/mini';
import { findItem } from '../db/find-items.ts';
import { deviceKey, devicesOfLicense, licenseKey, licensePointerKey, listKey, seatKey } from '../db/keys.ts';
import { ifAttributesUnchanged, lockConflict, OptimisticLockError, retryOptimisticLock } from '../db/optimistic-lock.ts';
import { listMergedPartitions, type Page, type PageRequest } from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { requireFound } from '../errors.ts';
import { type ActivationId, idOf, isId, type LicenseId } from '../ids.ts';
import { Device, deviceHashOfActivation, firstActivationTime, License, LicensePointer, type PaymentHold, ReplacedKey } from './license.ts';
import { pepperVersionOf } from './license-lookup.ts';

/** The record exists here: neither has re-keying moved it, nor was the key of the license replaced. */
export const isValidCopy = 'attribute_exists(pk) AND attribute_not_exists(movedTo) AND attribute_not_exists(replacedAt)';

/** The attributes of a license that may change, apart from its seats. A write that was decided on them requires that they are unchanged. */
export const changeableFacts = ['activationLimit', 'updatesUntil', 'expiresAt', 'suspendedAt', 'paymentHold', 'revokedAt'] as const;

/** The same rule as `statusOf(…) === 'active'`, as a condition of a write. */
const isUsable =
  'attribute_not_exists(revokedAt) AND attribute_not_exists(paymentHold) AND attribute_not_exists(suspendedAt)' +
  ' AND (attribute_not_exists(expiresAt) OR expiresAt > :now)';

/** The device has no seat where its record is, or would be. */
const hasNoSeat = '(attribute_not_exists(pk) OR attribute_exists(deactivatedAt)) AND attribute_not_exists(movedTo)';

/** A device that asks for a seat, with its record as it was read. */
interface Seat {
  deviceHash: string;
  device?: Device | undefined;
  now: Date;
}

/** A license of the product has the key already. */
export class LicenseKeyTakenError extends Error {
  override readonly name = 'LicenseKeyTakenError';
}

/** Where a license and one of its devices may be stored: the lookups of one form of its key, and the device's hash under that form. */
export interface LookupPlace {
  lookups: readonly string[];
  deviceHash?: string | undefined;
}

/** What is found under a license key, and where: the license, a record that the key was replaced, or nothing. */
export interface FoundKey<Place extends LookupPlace> {
  place: Place;
  license?: License | undefined;
  device?: Device | undefined;
  replacedKey?: ReplacedKey | undefined;
}

/**
 * Writes a new license, under its lookup and its id. `olderLookups` are those of its key under
 * older peppers, where another license with the key may still be.
 *
 * @throws LicenseKeyTakenError
 */
export function addLicense(license: License, olderLookups: readonly string[] = []): Write[] {
  const { id, lookup, issuedAt } = license;
  const pointer = { ...licensePointerKey(id), ...listKey(`licenses#${pepperVersionOf(lookup)}`, issuedAt, id), licenseId: id, lookup };
  const onConditionFailed = () => new LicenseKeyTakenError('A license of the product has this key.');
  return [
    { put: { Item: { ...licenseKey(lookup), ...license }, ...ifAbsent }, onConditionFailed },
    ...olderLookups.map((older) => ({ check: { Key: licenseKey(older), ...ifAbsent }, onConditionFailed })),
    { put: { Item: pointer, ...ifAbsent } },
  ];
}

/** Those of `lookups` under which a license is, whatever its status, or was before its key was replaced. */
export async function findTakenLookups(table: Table, lookups: readonly string[]): Promise<string[]> {
  const items = await table.batchGet(lookups.map(licenseKey));
  return items.map((item) => KeyItem.parse(item).lookup);
}

/** The licenses whose key is under one of `lookups`, or was before it was replaced: 100 lookups a request. */
export async function findLicenseIds(table: Table, lookups: readonly string[]): Promise<LicenseId[]> {
  const items = await table.batchGet(lookups.map(licenseKey));
  return [...new Set(items.map((item) => KeyItem.parse(item).id))];
}

/**
 * What is in the first of `places` that holds a license or its replaced key: one request for all of them.
 *
 * DynamoDB does not read the items of a batch at one moment, so during a move it may return
 * both copies of a record or only the old one; either is what held during the request.
 */
export async function findLicenseAndDevice<Place extends LookupPlace>(
  table: Table,
  places: readonly [Place, ...Place[]],
): Promise<FoundKey<Place>> {
  const keys = places.flatMap(({ lookups, deviceHash }) => [
    ...lookups.map(licenseKey),
    ...(deviceHash === undefined ? [] : lookups.map((lookup) => deviceKey(lookup, deviceHash))),
  ]);
  const items = await table.batchGet(keys);
  const itemsIn = ({ lookups }: LookupPlace) => items.filter((item) => lookups.includes(String(item['lookup'])));
  const place = places.find((one) => itemsIn(one).some((item) => !isDeviceItem(item))) ?? places[0];
  const [devices, keyItems] = [itemsIn(place).filter(isDeviceItem), itemsIn(place).filter((item) => !isDeviceItem(item))];
  const replaced = keyItems.find(isReplacedKey);
  if (replaced) return { place, replacedKey: ReplacedKey.parse(replaced) };
  const license = validCopy(keyItems.map((item) => License.parse(item)));
  const device = validCopy(devices.map((item) => Device.parse(item)));
  return { place, license, device };
}

/** @throws AppError license_not_found */
export const getLicense = (table: Table, id: LicenseId) => requireFound(findLicenseById(table, id), 'license_not_found');

/** Those of the licenses that exist, by id: two requests for each hundred. */
export async function findLicenses(table: Table, ids: readonly LicenseId[]): Promise<Map<LicenseId, License>> {
  const wellFormed = [...new Set(ids)].filter((id) => isId('license', id));
  const pointers = await table.batchGet(wellFormed.map(licensePointerKey));
  const items = await table.batchGet(pointers.map((pointer) => licenseKey(LicensePointer.parse(pointer).lookup)));
  const found = await Promise.all(
    items.map((item) => (isReplacedKey(item) ? findLicenseById(table, ReplacedKey.parse(item).id) : License.parse(item))),
  );
  return new Map(found.filter((license) => license !== undefined).map((license) => [license.id, license]));
}

/** The record of one device of a license that was read by `findLicenseById`, under its key or a former one. */
export async function findDevice(table: Table, license: License, deviceHash: string): Promise<Device | undefined> {
  const items = await table.batchGet(lookupsOf(license).map((lookup) => deviceKey(lookup, deviceHash)));
  const device = validCopy(items.map((item) => Device.parse(item)));
  return device && withoutFormerSeat(device, license);
}

/** The same by the id of its activation. @throws AppError activation_not_found */
export const getDevice = (table: Table, license: License, activationId: ActivationId): Promise<Device> =>
  requireFound(
    isId('activation', activationId) ? findDevice(table, license, deviceHashOfActivation(activationId)) : Promise.resolve(undefined),
    'activation_not_found',
  );

/** Every device that has or had a seat, under former keys too, in the order of their hashes. */
export async function listDevices(table: Table, license: License, request: PageRequest): Promise<Page<Device>> {
  const page = await listMergedPartitions(
    table,
    `devices-of-${license.id}`,
    lookupsOf(license).map(devicesOfLicense),
    { ...request, newestFirst: false },
    (copies) => copies.find((copy) => copy['movedTo'] === undefined) ?? copies[0],
  );
  return { ...page, items: page.items.map((item) => withoutFormerSeat(Device.parse(item), license)) };
}

/** Takes a seat for a device that has none; to be committed as one transaction. */
export function takeSeat(license: License, seat: Seat & { deviceLabel?: string | undefined }): Write[] {
  const { deviceHash, deviceLabel, device, now } = seat;
  const at = now.toISOString();
  const lookup = device?.lookup ?? license.lookup;
  return [
    ...notSeatedBeforeMove(license, seat),
    {
      update: {
        Key: deviceKey(lookup, deviceHash),
        UpdateExpression: `SET #lookup = :lookup, deviceHash = :deviceHash, activatedAt = :now${device ? ', firstActivatedAt = :first' : ''}${deviceLabel ? ', deviceLabel = :label' : ''} REMOVE deactivatedAt`,
        ConditionExpression: hasNoSeat,
        ExpressionAttributeNames: { '#lookup': 'lookup' },
        ExpressionAttributeValues: {
          ':lookup': lookup,
          ':deviceHash': deviceHash,
          ':now': at,
          ...(device && { ':first': firstActivationTime(device) }),
          ...(deviceLabel && { ':label': deviceLabel }),
        },
      },
      onConditionFailed: lockConflict,
    },
    {
      update: {
        Key: licenseKey(license.lookup),
        UpdateExpression: 'SET activationCount = activationCount + :one',
        ConditionExpression: `${isValidCopy} AND ${isUsable} AND activationCount < activationLimit`,
        ExpressionAttributeValues: { ':one': 1, ':now': at },
      },
      onConditionFailed: lockConflict,
    },
    { put: { Item: seatItem({ lookup, deviceHash, deviceLabel: deviceLabel || device?.deviceLabel, activatedAt: at }) } },
  ];
}

/** Checks that the license is usable, that it has no seat left and that the device has none; to be committed with the event about it. */
export function refuseSeat(license: License, seat: Seat): Write[] {
  const { deviceHash, device, now } = seat;
  return [
    ...notSeatedBeforeMove(license, seat),
    {
      check: { Key: deviceKey(device?.lookup ?? license.lookup, deviceHash), ConditionExpression: hasNoSeat },
      onConditionFailed: lockConflict,
    },
    {
      check: {
        Key: licenseKey(license.lookup),
        ConditionExpression: `${isValidCopy} AND ${isUsable} AND activationCount >= activationLimit`,
        ExpressionAttributeValues: { ':now': now.toISOString() },
      },
      onConditionFailed: lockConflict,
    },
  ];
}

/** Frees the seat of an active device; to be committed as one transaction. */
export function freeSeat(license: License, device: Device, now: Date): Write[] {
  return [
    {
      update: {
        Key: deviceKey(device.lookup, device.deviceHash),
        UpdateExpression: 'SET deactivatedAt = :now',
        ConditionExpression: `${isValidCopy} AND attribute_not_exists(deactivatedAt)`,
        ExpressionAttributeValues: { ':now': now.toISOString() },
      },
      onConditionFailed: lockConflict,
    },
    {
      update: {
        Key: licenseKey(license.lookup),
        UpdateExpression: 'SET activationCount = activationCount - :one',
        ConditionExpression: `${isValidCopy} AND activationCount > :zero`,
        ExpressionAttributeValues: { ':one': 1, ':zero': 0 },
      },
      onConditionFailed: lockConflict,
    },
    { delete: { Key: seatKey(device.lookup, device.deviceHash) } },
  ];
}

/** Records why the payment stops the license, or that it no longer does. For the event projector alone. */
export function recordLicenseHold(read: License, hold: PaymentHold | undefined): Write {
  const { condition, values } = sameStatus(read);
  return {
    update: {
      Key: licenseKey(read.lookup),
      UpdateExpression: hold === undefined ? 'REMOVE paymentHold' : 'SET paymentHold = :hold',
      ConditionExpression: `${isValidCopy} AND ${condition}`,
      ...withValues({ ...values, ...(hold !== undefined && { ':hold': hold }) }),
    },
    onConditionFailed: lockConflict,
  };
}

/**
 * Changes what sellers set of a license, provided that its limit, its end of updates and what its status comes from are as they were read.
 * What is named without a value is removed.
 */
export function recordLicenseChange(
  read: License,
  change: Partial<Pick<License, 'suspendedAt' | 'activationLimit' | 'updatesUntil'>>,
): Write {
  const { condition, values } = ifAttributesUnchanged(read, changeableFacts);
  const set = Object.entries(change).filter(([, value]) => value !== undefined);
  const removed = Object.entries(change).filter(([, value]) => value === undefined);
  const clauses = [
    set.length > 0 && `SET ${set.map(([name]) => `${name} = :next_${name}`).join(', ')}`,
    removed.length > 0 && `REMOVE ${removed.map(([name]) => name).join(', ')}`,
  ];
  return {
    update: {
      Key: licenseKey(read.lookup),
      UpdateExpression: clauses.filter(Boolean).join(' '),
      ConditionExpression: `${isValidCopy} AND ${condition}`,
      ExpressionAttributeValues: { ...values, ...Object.fromEntries(set.map(([name, value]) => [`:next_${name}`, value])) },
    },
    onConditionFailed: lockConflict,
  };
}

/** Records a revocation, once. */
export function recordRevocation(
  read: License,
  revocation: { revokedAt: string; revokedBy: string } & Pick<License, 'revokedReason'>,
): Write {
  const { revokedAt, revokedBy, revokedReason } = revocation;
  const { condition, values } = sameStatus(read);
  return {
    update: {
      Key: licenseKey(read.lookup),
      UpdateExpression: `SET revokedAt = :at, revokedBy = :by${revokedReason ? ', revokedReason = :reason' : ''}`,
      ConditionExpression: `${isValidCopy} AND attribute_not_exists(revokedAt) AND ${condition}`,
      ExpressionAttributeValues: { ...values, ':at': revokedAt, ':by': revokedBy, ...(revokedReason && { ':reason': revokedReason }) },
    },
    onConditionFailed: lockConflict,
  };
}

/** The license of this id, to be read and written: pointer, then license. */
export async function findLicenseById(table: Table, id: LicenseId): Promise<License | undefined> {
  if (!isId('license', id)) return undefined;
  return retryOptimisticLock(async () => {
    const pointer = await findItem(table, licensePointerKey(id), LicensePointer);
    if (!pointer) return undefined;
    const item = await table.get(licenseKey(pointer.lookup));
    if (!item || item['movedTo'] !== undefined || isReplacedKey(item)) throw new OptimisticLockError();
    return License.parse(item);
  });
}

/** The item that marks a device's seat, for a transaction that gives or moves a seat. See "Seats" in seats.md */
export const seatItem = ({ lookup, deviceHash, deviceLabel, activatedAt }: Device): Item => ({
  ...seatKey(lookup, deviceHash),
  lookup,
  deviceHash,
  activatedAt,
  ...(deviceLabel !== undefined && { deviceLabel }),
});

/** Holds while what `statusOf` goes by is as it was read. */
const sameStatus = (read: License) => ifAttributesUnchanged(read, ['revokedAt', 'paymentHold', 'suspendedAt', 'expiresAt']);

/** Values are omitted when there are none: DynamoDB rejects an empty map. */
const withValues = (values: Record<string, unknown>) => (Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {});

/** The device may have taken a seat under the old lookup between the read and the start of the move. */
function notSeatedBeforeMove({ movingFrom }: License, { deviceHash, device }: Seat): Write[] {
  if (movingFrom === undefined || device !== undefined) return [];
  const check = { Key: deviceKey(movingFrom, deviceHash), ConditionExpression: 'attribute_not_exists(pk)' };
  return [{ check, onConditionFailed: lockConflict }];
}

/** What every item under a lookup has that stands for a key. */
const KeyItem = z.object({ id: idOf('license'), lookup: z.string() });

function isReplacedKey(item: Item): boolean {
  return item['replacedAt'] !== undefined;
}

/** Wherever records of its devices may be. */
function lookupsOf({ lookup, movingFrom, formerKeys = [] }: License): string[] {
  return [lookup, ...(movingFrom === undefined ? [] : [movingFrom]), ...formerKeys.map((former) => former.lookup)];
}

/** A device of a former key lost its seat with that key; its record is left unchanged. */
function withoutFormerSeat(device: Device, { formerKeys = [] }: License): Device {
  const former = formerKeys.find(({ lookup }) => lookup === device.lookup);
  return former ? { ...device, deactivatedAt: device.deactivatedAt ?? former.replacedAt } : device;
}

function isDeviceItem(item: Item): boolean {
  return item['deviceHash'] !== undefined;
}

/** Of the copies that a read during a move may return: the valid one, else the old one, which was valid when the read began. */
function validCopy<T extends License | Device>(copies: readonly T[]): T | undefined {
  return (
    copies.find((copy) => 'movingFrom' in copy && copy.movingFrom !== undefined) ??
    copies.find((copy) => copy.movedTo === undefined) ??
    copies[0]
  );
}
