/** The devices of a license that have a seat. The table has them in the order of their hashes alone. */

import { decodeCursor, encodeCursor } from '../../db/cursor.ts';
import { devicesOfLicense, seatsOfLicense } from '../../db/keys.ts';
import { type Page, type PageRequest, partsOfPartition } from '../../db/sharded-list.ts';
import type { Table } from '../../db/table.ts';
import { Device, isActive, type License } from '../license.ts';

/**
 * A page, the newest activation first. Reads every seat in use, and keeps no more than a page of them; every device that
 * ever had one only where the seats are not all there. See "Seats" in shared/licenses/seats.md
 */
export async function listActiveDevices(table: Table, license: License, { limit, cursor }: PageRequest): Promise<Page<Device>> {
  const list = `active-devices-of-${license.id}`;
  const before = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const seats = license.movingFrom ? undefined : await newestOf(read(table, seatsOfLicense(license.lookup)), limit + 1, before);
  const areAll = seats?.count === license.activationCount;
  const { newest } = areAll ? seats : await newestOf(devicesOf(table, license), limit + 1, before);
  const items = newest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: newest.length > limit && last ? encodeCursor(list, positionOf(last)) : undefined };
}

/**
 * While a license is being re-keyed, the old lookup is read first: devices that move in the meantime are seen again
 * under the new one and never missed.
 */
async function* devicesOf(table: Table, { lookup, movingFrom }: License): AsyncGenerator<Device[]> {
  if (movingFrom === undefined) return yield* read(table, devicesOfLicense(lookup));
  for await (const devices of read(table, devicesOfLicense(movingFrom))) yield devices.filter((device) => device.movedTo === undefined);
  yield* read(table, devicesOfLicense(lookup));
}

async function* read(table: Table, range: { pk: string; prefix: string }): AsyncGenerator<Device[]> {
  for await (const items of partsOfPartition(table, range)) yield items.map((item) => Device.parse(item));
}

/** The later it sorts, the newer; no two devices have the same. */
const positionOf = ({ activatedAt, deviceHash }: Device) => `${activatedAt}#${deviceHash}`;

/** The number of devices with a seat, and the newest `max` of them before the position, without duplicates. */
async function newestOf(pages: AsyncIterable<Device[]>, max: number, before: string | undefined) {
  let newest: Device[] = [];
  let count = 0;
  for await (const devices of pages) {
    const seated = devices.filter(isActive);
    count += seated.length;
    const wanted = seated.filter((device) => before === undefined || positionOf(device) < before);
    const byHash = new Map([...newest, ...wanted].map((device) => [device.deviceHash, device]));
    newest = [...byHash.values()].sort((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1)).slice(0, max);
  }
  return { newest, count };
}
