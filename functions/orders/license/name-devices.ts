import type { Page } from '../../../shared/db/sharded-list.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type Device, firstActivationTime, type License } from '../../../shared/licenses/license.ts';
import { listDevices } from '../../../shared/licenses/license-repository.ts';

/** Of a license with more devices than a page all are read, so many at once. */
const atATime = 1000;

/**
 * What a seller and a buyer may call each device of a license between them: `device 2` was the second that was ever
 * activated, and stays it, released and activated again or not. `page` is what the reply shows of them.
 */
export async function nameDevices(
  table: Table,
  license: License,
  page: Page<Device>,
  isFirst: boolean,
): Promise<(device: Device) => string> {
  const all = isFirst && page.nextCursor === undefined ? page.items : await readAll();
  const numbers = new Map(all.toSorted(byFirstActivation).map(({ deviceHash }, index) => [deviceHash, index + 1]));
  // One that was activated since the others were read comes after them.
  return ({ deviceHash }) => `device ${numbers.get(deviceHash) ?? all.length + 1}`;

  async function readAll(): Promise<Device[]> {
    const devices: Device[] = [];
    let cursor: string | undefined;
    do {
      const next = await listDevices(table, license, { limit: atATime, cursor });
      devices.push(...next.items);
      cursor = next.nextCursor;
    } while (cursor !== undefined);
    return devices;
  }
}

function byFirstActivation(a: Device, b: Device): number {
  const [first, second] = [a, b].map((device) => `${firstActivationTime(device)}#${device.deviceHash}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
