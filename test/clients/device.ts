import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { LicenseClient, type LicenseClientOptions } from '../../infra/documents/clients/license-client.ts';
import { keys, now, productId, type Reply, type ScriptedService } from './scripted-service.ts';

export const licenseKey = 'LIC1-AAAAA-BBBBB';

/** A device with a clock and a folder of its own, both new after `reset`, whose waits between attempts take no time. */
export function createDevice(service: ScriptedService) {
  const device = {
    /** Seconds since 1970. */
    clock: now,
    path: '',
    /** What the clients waited, in seconds. */
    waits: [] as number[],

    reset(): void {
      device.path = join(mkdtempSync(join(tmpdir(), 'license-client-')), 'app', 'license.json');
      device.clock = now;
      device.waits = [];
      service.replies.length = 0;
      service.requests.length = 0;
    },

    script: (...replies: Reply[]) => void service.replies.push(...replies),

    createClient(changes: Partial<LicenseClientOptions> = {}): LicenseClient {
      const wait = async (seconds: number) => void device.waits.push(seconds);
      return new LicenseClient({
        baseUrl: service.baseUrl,
        productId,
        keys,
        storage: device.path,
        clock: () => device.clock,
        wait,
        // It need not look what a key is, and asks for a seat at once.
        allowTestKeys: true,
        ...changes,
      });
    },

    /** A client that was activated, with a lease for fourteen days unless these claims say else. */
    async activated(changes: Partial<LicenseClientOptions> = {}, claims = {}): Promise<LicenseClient> {
      const client = device.createClient(changes);
      device.script(service.valid('activated', claims));
      expect(await client.activate(licenseKey)).toMatchObject({ allowed: true, code: 'activated' });
      service.requests.length = 0;
      return client;
    },

    /** What is stored. */
    state: () => JSON.parse(readFileSync(device.path, 'utf8')),
  };
  return device;
}
