import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { routes } from '../../../functions/licenses/routes.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { percentile } from '../percentile.ts';
import { bundleLicenses, createLicenseTable } from './bundles.ts';

type Handler = (event: APIGatewayProxyEventV2, context: object) => Promise<APIGatewayProxyStructuredResultV2>;
interface Measured {
  p50: number;
  p99: number;
  cpu: number;
}

const runs = 5;
const calls = Number(process.env['BENCH_CALLS'] ?? 20_000);
/** The two take turns, so that whatever else the machine does meets both alike. */
const callsATurn = 500;

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
      for (let run = 0; run <= runs; run += 1) measured.push(await measureRun(handlers, request, inFlight));
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

async function measureRun(
  { deployed, leanest }: Record<'deployed' | 'leanest', Handler>,
  request: APIGatewayProxyEventV2,
  inFlight: number,
) {
  const times = { deployed: [] as number[], leanest: [] as number[] };
  const cpu = { deployed: 0, leanest: 0 };
  for (let done = 0; done < calls; done += callsATurn) {
    for (const [name, handler] of [
      ['deployed', deployed],
      ['leanest', leanest],
    ] as const) {
      const before = process.cpuUsage();
      await callMany(handler, request, inFlight, times[name]);
      const { user, system } = process.cpuUsage(before);
      cpu[name] += user + system;
    }
  }
  const measured = (name: 'deployed' | 'leanest'): Measured => ({
    p50: percentile(times[name], 0.5),
    p99: percentile(times[name], 0.99),
    cpu: cpu[name] / calls / 1000,
  });
  return { deployed: measured('deployed'), leanest: measured('leanest') };
}

async function callMany(handler: Handler, request: APIGatewayProxyEventV2, inFlight: number, times: number[]): Promise<void> {
  let left = callsATurn;
  const callOnAndOn = async () => {
    while (left > 0) {
      left -= 1;
      const start = process.hrtime.bigint();
      await handler(request, {});
      times.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, callOnAndOn));
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
