import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { LicenseClient, type Status } from '../../documents/clients/license-client.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'build', 'demo');
const buildFile = join(folder, 'app.json');

/** What the build of an app holds: where to ask, for which product, and the public keys that it trusts. */
const Build = z.object({
  baseUrl: z.string(),
  productId: z.string(),
  keys: z.array(z.object({ kid: z.string(), x: z.string(), y: z.string() })),
});

/** The same app on a device that asks now and then, and on one that never can. */
export type DemoApps = Record<'online' | 'airGapped', LicenseClient>;

/** Builds the app anew: its devices have no license yet. Only this user can read what they keep. */
export async function buildApps(build: z.infer<typeof Build>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(buildFile, JSON.stringify(z.parse(Build, build)), { mode: 0o600 });
}

/** Starts the app on its devices; without `fetch` neither has a network. */
export async function openApps(fetch: (url: string, init: RequestInit) => Promise<Response> = noNetwork): Promise<DemoApps> {
  const build = z.parse(Build, JSON.parse(await readFile(buildFile, 'utf8')));
  const open = (device: string) => new LicenseClient({ ...build, storage: join(folder, `${device}.json`), requireLease: true, fetch });
  return { online: open('online'), airGapped: open('air-gapped') };
}

const noNetwork = () => Promise.reject(new Error('There is no network.'));

/** A decision in one line. */
export function shown({ allowed, code, until }: Status): string {
  const end = until === undefined ? '' : `, until ${new Date(until * 1000).toISOString()}`;
  return `${allowed ? 'may run' : 'may not run'}, ${code}${end}`;
}

/** `npm run demo -- offline`. @throws Error when no story was told yet */
export async function decideOffline(): Promise<void> {
  const apps = await openApps().catch(() => {
    throw new Error('No app keeps a lease yet. Run the whole story first: npm run demo');
  });
  console.log('Without any request, by the leases in build/demo:');
  console.log(`  a device that asked once:       ${shown(await apps.online.checkOffline())}`);
  console.log(`  a device that never can:        ${shown(await apps.airGapped.checkOffline())}`);
  console.log('The license was revoked meanwhile. A lease cannot be taken back: there is no new one, and the last one runs to its end.');
}
