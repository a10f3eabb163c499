import { decodeCursor, encodeCursor } from '../db/cursor.ts';
import { devicesOfLicense } from '../db/keys.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { Device, isActive, type License } from './license.ts';

export type ActiveDeviceRepository = ReturnType<typeof createActiveDeviceRepository>;

/** The devices of a license that have a seat. The table has them in the order of their hashes alone. */
export function createActiveDeviceRepository({ table }: { table: Table }) {
  return {
    /** A page, the newest activation first. Reads every device of the license, and keeps no more than a page of them. */
    async listActiveDevices(license: License, { limit, cursor }: PageRequest): Promise<Page<Device>> {
      const list = `active-devices-of-${license.id}`;
      const before = cursor === undefined ? undefined : decodeCursor(list, cursor);
      let newest: Device[] = [];
      for await (const devices of devicesOf(license)) {
        const seated = devices.filter((device) => isActive(device) && (before === undefined || positionOf(device) < before));
        newest = newestOf([...newest, ...seated], limit + 1);
      }
      const items = newest.slice(0, limit);
      const last = items.at(-1);
      return { items, nextCursor: newest.length > limit && last ? encodeCursor(list, positionOf(last)) : undefined };
    },
  };

  /** While a license moves, the old lookup comes first: what moves meanwhile is met again under the new one, and never missed. */
  async function* devicesOf({ lookup, movingFrom }: License): AsyncGenerator<Device[]> {
    if (movingFrom === undefined) return yield* devicesUnder(lookup);
    for await (const devices of devicesUnder(movingFrom)) yield devices.filter((device) => device.movedTo === undefined);
    yield* devicesUnder(lookup);
  }

  async function* devicesUnder(lookup: string): AsyncGenerator<Device[]> {
    const { pk, prefix } = devicesOfLicense(lookup);
    let after: string | undefined;
    do {
      const { items, more } = await table.query({ partition: pk, prefix, after });
      yield items.map((item) => Device.parse(item));
      after = more ? String(items.at(-1)?.['sk']) : undefined;
    } while (after !== undefined);
  }
}

/** The later it sorts, the newer; no two devices have the same. */
const positionOf = ({ activatedAt, deviceHash }: Device) => `${activatedAt}#${deviceHash}`;

/** The newest `most`, each device once. */
function newestOf(devices: readonly Device[], most: number): Device[] {
  const byHash = new Map(devices.map((device) => [device.deviceHash, device]));
  return [...byHash.values()].sort((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1)).slice(0, most);
}
