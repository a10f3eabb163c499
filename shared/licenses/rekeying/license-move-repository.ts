/**
 * The writes that move a license from one lookup to another while it is in use. At every
 * moment each record has exactly one valid copy; the old copy is kept, marked as moved, for a
 * grace period, so that a request that began before the move finds it. See "Re-keying" in README.md
 */

import { findItem } from '../../db/find-items.ts';
import { deviceKey, devicesOfLicense, type Key, type ListName, licenseKey, licensePointerKey, listKey, seatKey } from '../../db/keys.ts';
import { ifAttributesUnchanged, lockConflict } from '../../db/optimistic-lock.ts';
import { listAcrossShards, listPartitionPage, mapPage, type Page, type PageRequest, parsePage } from '../../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import { requireFound } from '../../errors.ts';
import type { LicenseId } from '../../ids.ts';
import { Device, isActive, type License, LicensePointer, type MovingPointer } from '../license.ts';
import { pepperVersionOf } from '../license-lookup.ts';
import { changeableFacts, seatItem } from '../license-repository.ts';

/** Ids of the licenses under this version of the pepper, without those that are moving. Eventually consistent. */
export const listLicensesUnder = (table: Table, pepperVersion: string, page: PageRequest) =>
  listIds(table, `licenses#${pepperVersion}`, page);
export const listMovingLicenses = (table: Table, page: PageRequest) => listIds(table, 'moving-licenses', page);

/** @throws AppError license_not_found */
export const getPointer = (table: Table, licenseId: LicenseId): Promise<LicensePointer> =>
  requireFound(findItem(table, licensePointerKey(licenseId), LicensePointer), 'license_not_found');

/** The device records under a lookup, those marked as moved too, in pages. */
export async function listDevicesUnder(table: Table, lookup: string, page: PageRequest): Promise<Page<Device>> {
  return parsePage(await listPartitionPage(table, 'devices', devicesOfLicense(lookup), { ...page, newestFirst: false }), Device);
}

/** Moves the license itself to `lookup`; its devices follow with `moveDevice`. */
export function beginMove(license: License, lookup: string, now: Date): Write[] {
  const { listPk, listSk } = listKey('moving-licenses', license.issuedAt, license.id);
  return [
    {
      update: {
        Key: licensePointerKey(license.id),
        UpdateExpression: 'SET #lookup = :to, movingFrom = :from, movingSince = :now, listPk = :listPk, listSk = :listSk',
        ConditionExpression: '#lookup = :from AND attribute_not_exists(movingFrom)',
        ExpressionAttributeNames: { '#lookup': 'lookup' },
        ExpressionAttributeValues: {
          ':from': license.lookup,
          ':to': lookup,
          ':now': now.toISOString(),
          ':listPk': listPk,
          ':listSk': listSk,
        },
      },
      onConditionFailed: lockConflict,
    },
    {
      put: { Item: { ...licenseKey(lookup), ...license, lookup, movingFrom: license.lookup }, ...ifAbsent },
      onConditionFailed: lockConflict,
    },
    markMoved(licenseKey(license.lookup), license, ['activationCount', ...changeableFacts], lookup, now),
  ];
}

/** Moves a device record, with its seat; the old copy is marked as moved. At most 3 writes. */
export function moveDevice(device: Device, lookup: string, now: Date): Write[] {
  return [
    ...(isActive(device) ? [{ put: { Item: seatItem({ ...device, lookup }) } }] : []),
    { put: { Item: { ...deviceKey(lookup, device.deviceHash), ...device, lookup }, ...ifAbsent }, onConditionFailed: lockConflict },
    markMoved(deviceKey(device.lookup, device.deviceHash), device, ['activatedAt', 'deactivatedAt', 'deviceLabel'], lookup, now),
  ];
}

/** Deletes the old copy of a device that was moved, and of its seat. */
export function clearDevice({ lookup, deviceHash }: Device): Write[] {
  const ConditionExpression = 'attribute_not_exists(pk) OR attribute_exists(movedTo)';
  return [
    { delete: { Key: deviceKey(lookup, deviceHash), ConditionExpression }, onConditionFailed: lockConflict },
    { delete: { Key: seatKey(lookup, deviceHash) } },
  ];
}

/** Ends a move when every device was moved and every old copy of one deleted. */
export function endMove(pointer: MovingPointer, license: License): Write[] {
  const { lookup, movingFrom } = pointer;
  const { listPk, listSk } = listKey(`licenses#${pepperVersionOf(lookup)}`, license.issuedAt, license.id);
  return [
    {
      update: {
        Key: licensePointerKey(license.id),
        UpdateExpression: 'SET listPk = :listPk, listSk = :listSk REMOVE movingFrom, movingSince',
        ConditionExpression: 'movingFrom = :from',
        ExpressionAttributeValues: { ':from': movingFrom, ':listPk': listPk, ':listSk': listSk },
      },
      onConditionFailed: lockConflict,
    },
    {
      update: {
        Key: licenseKey(lookup),
        UpdateExpression: 'REMOVE movingFrom',
        ConditionExpression: 'movingFrom = :from',
        ExpressionAttributeValues: { ':from': movingFrom },
      },
      onConditionFailed: lockConflict,
    },
    { delete: { Key: licenseKey(movingFrom), ConditionExpression: 'attribute_exists(movedTo)' }, onConditionFailed: lockConflict },
  ];
}

const listIds = async (table: Table, list: ListName, page: PageRequest): Promise<Page<LicenseId>> =>
  mapPage(await listAcrossShards(table, list, { ...page, newestFirst: false }), (item) => LicensePointer.parse(item).licenseId);

/** Marks the old copy of a record as moved, provided that none of its `changing` fields changed since it was read. */
function markMoved<T extends License | Device>(key: Key, read: T, changing: readonly (keyof T & string)[], to: string, now: Date): Write {
  const { condition, values } = ifAttributesUnchanged(read, changing);
  return {
    update: {
      Key: key,
      UpdateExpression: 'SET movedTo = :to, movedAt = :now',
      ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(movedTo) AND ${condition}`,
      ExpressionAttributeValues: { ...values, ':to': to, ':now': now.toISOString() },
    },
    onConditionFailed: lockConflict,
  };
}
