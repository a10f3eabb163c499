import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { routes } from '../../../functions/licenses/routes.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { percentile } from '../percentile.ts';
import { bundleLicenses, createLicenseTable } from './bundles.ts';
import { type Handler, type Measured, measureInTurns } from './in-turns.ts';

const runs = 5;

/** Warm validates through the deployed bundle, as ratios to those through the leanest handler: medians of interleaved runs. */
export async function measureValidate(): Promise<Record<string, string | number>[]> {
  const bundles = await bundleLicenses();
  const { environment, productId, leased, leaseless } = await createLicenseTable(bundles.settingNames);
  Object.assign(process.env, environment);
  const load = async (file: string): Promise<Handler> => (await import(pathToFileURL(file).href)).handler;
  const handlers = { deployed: await load(bundles.deployed), leanest: await load(bundles.leanest) };
  const event = (verb: string, key: string) =>
    httpEvent(routes, 'POST', `/v1/licenses/${verb}`, {
      body: { product_id: productId, license_key: key, device_fingerprint: 'a device of the bench' },
    });
  for (const key of [leased, leaseless]) await handlers.deployed(event('activate', key), {});
  const rows = [];
  for (const [lease, key] of [
    ['no', leaseless],
    ['yes', leased],
  ] as const) {
    const request = event('validate', key);
    await checkAlike(handlers, request, lease === 'yes');
    for (const inFlight of [1, 32]) {
      const measured = [];
      const called = { deployed: [handlers.deployed, request], leanest: [handlers.leanest, request] } as const;
      for (let run = 0; run <= runs; run += 1) measured.push(await measureInTurns(called, inFlight));
      rows.push({ lease, 'in flight': inFlight, ...ratiosOf(measured.slice(1)) });
    }
  }
  bundles.discard();
  return rows;
}

/** Both must do the same work. */
async function checkAlike(handlers: Record<string, Handler>, request: APIGatewayProxyEventV2, isLeased: boolean): Promise<void> {
  for (const [name, handler] of Object.entries(handlers)) {
    const { body = '' } = await handler(request, {});
    const { valid, device_activated, lease } = JSON.parse(body);
    if (!valid || !device_activated || (lease !== undefined) !== isLeased) throw new Error(`${name} answers ${body}`);
  }
}

function ratiosOf(measured: readonly Record<'deployed' | 'leanest', Measured>[]) {
  const median = (of: (run: Record<'deployed' | 'leanest', Measured>) => number) => percentile(measured.map(of), 0.5);
  const ratio = (name: keyof Measured) => median(({ deployed, leanest }) => deployed[name] / leanest[name]).toFixed(2);
  return {
    'p50 ms': median(({ deployed }) => deployed.p50).toFixed(3),
    'p99 ms': median(({ deployed }) => deployed.p99).toFixed(3),
    'p50, of leanest': ratio('p50'),
    'at most': 1.15,
    'p99, of leanest': ratio('p99'),
    'at most ': 1.3,
    'CPU, of leanest': ratio('cpu'),
  };
}
