import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Driver } from '../languages/language.ts';
import { leaseKeys, productId, startScriptedService } from './scripted-service.ts';

/** A Status as the drivers print it. */
export interface PrintedStatus {
  allowed: boolean;
  code: string;
  source: string;
  message: string;
  until?: number;
  features: string[];
  seats?: number;
  limit?: number;
  expires_at?: string;
  updates_until?: number;
  /** Whether the status covers a build of that second, and one of the next. */
  covered?: [boolean, boolean];
  ask_online: boolean;
}

export interface KeptState {
  fingerprint?: string;
  license_key?: string;
  pending_key?: string;
  lease?: string;
  nonce?: string;
  refused?: string;
  latest_seen?: number;
}

/** The app on a device, each call as if it had been started anew. */
interface App {
  activate(key: string): Promise<PrintedStatus>;
  check(): Promise<PrintedStatus>;
  checkOffline(): Promise<PrintedStatus>;
  deactivate(): Promise<PrintedStatus>;
  /** The first two statuses that it shows. */
  watch(): Promise<PrintedStatus[]>;
  requestCode(): Promise<string>;
  importLease(text: string): Promise<PrintedStatus>;
}

/** A device that has the app: its own state, and a service of its own to talk to. */
export async function createDevice(driver: Driver) {
  const folder = await mkdtemp(join(tmpdir(), 'client-device-'));
  const statePath = join(folder, 'app', 'license.json');
  const service = await startScriptedService();
  const settings = {
    LICENSE_BASE_URL: service.address,
    LICENSE_PRODUCT_ID: productId,
    LICENSE_KEYS: JSON.stringify([leaseKeys.signing.jwk, leaseKeys.next.jwk]),
    LICENSE_STATE: statePath,
    // It need not look what a key is, and asks for a seat at once.
    LICENSE_ALLOW_TEST_KEYS: '1',
  };

  const appWith = (changes: Record<string, string>, run = driver.run): App => {
    const ask = (...args: string[]) => run(args, { ...settings, ...changes });
    const status = (...args: string[]): Promise<PrintedStatus> => ask(...args);
    return {
      activate: (key: string) => status('activate', key),
      check: () => status('check'),
      checkOffline: () => status('check-offline'),
      deactivate: () => status('deactivate'),
      watch: () => ask('watch'),
      requestCode: async (): Promise<string> => (await ask('request-code')).request_code,
      async importLease(text: string) {
        await writeFile(join(folder, 'license.lease'), text);
        return status('import-lease', join(folder, 'license.lease'));
      },
    };
  };

  return {
    ...appWith({}),
    folder,
    statePath,
    fingerprintPath: `${statePath}.fingerprint`,
    service,
    /** The same device with other settings. */
    with: (changes: Record<string, string>) => appWith(changes),
    /** The same device, each call by a process of its own. */
    inProcesses: appWith({}, driver.runAlone ?? driver.run),
    /** The same device when its clock is wrong by so many seconds. */
    clockAhead: (seconds: number) => appWith({ LICENSE_CLOCK_OFFSET: String(seconds) }),
    state: async (): Promise<KeptState> => JSON.parse(await readFile(statePath, 'utf8')),
    async writeState(text: string): Promise<void> {
      await mkdir(dirname(statePath), { recursive: true });
      await writeFile(statePath, text);
    },
    async remove(): Promise<void> {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type Device = Awaited<ReturnType<typeof createDevice>>;
