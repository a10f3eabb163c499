import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { routes } from '../../../functions/licenses/routes.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { percentile } from '../percentile.ts';
import { bundleLicenses, createLicenseTable } from './bundles.ts';

const runs = 15;
const start = `
  const began = performance.now();
  const { handler } = await import(process.argv[1]);
  const loaded = performance.now();
  const { statusCode } = await handler(JSON.parse(process.env.BENCH_EVENT), {});
  console.log(JSON.stringify({ statusCode, load: loaded - began, first: performance.now() - loaded }));
  process.exit();
`;

/** A fresh process: until the bundle is loaded, until its first validate is answered, and as a ratio to the customary stack. Medians of runs that take turns. */
export async function measureCold(): Promise<Record<string, string | number>[]> {
  const bundles = await bundleLicenses();
  const { environment, productId, leaseless } = await createLicenseTable(bundles.settingNames);
  const store = await startSecretsStore(environment);
  const body = { product_id: productId, license_key: leaseless };
  const common = { ...enginesOf(process.env), BENCH_EVENT: JSON.stringify(httpEvent(routes, 'POST', '/v1/licenses/validate', { body })) };
  const own = { ...common, ...environment };
  const stored = { ...common, ...environment, ...store.environment };
  const stacks = {
    customary: { file: bundles.customary, env: own },
    'customary, bundled alike': { file: bundles.customaryAlike, env: own },
    leanest: { file: bundles.leanest, env: own },
    deployed: { file: bundles.deployed, env: own },
    'customary, secrets in the store': { file: bundles.customary, env: stored },
    'deployed, secrets in the store': { file: bundles.deployed, env: stored },
  };
  const times = new Map<string, { load: number; first: number }[]>();
  for (let run = 0; run < runs; run += 1) {
    for (const [name, { file, env }] of Object.entries(stacks)) {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', start, file], { env });
      const { statusCode, ...measured } = JSON.parse(stdout);
      if (statusCode !== 200) throw new Error(`${name} answers ${statusCode}.`);
      times.set(name, [...(times.get(name) ?? []), measured]);
    }
  }
  await store.stop();
  bundles.discard();
  const median = (name: string, of: (run: { load: number; first: number }) => number) => percentile((times.get(name) ?? []).map(of), 0.5);
  const whole = ({ load, first }: { load: number; first: number }) => load + first;
  return Object.keys(stacks).map((name) => ({
    stack: name,
    'loaded, ms': median(name, ({ load }) => load).toFixed(1),
    'first validate, ms': median(name, ({ first }) => first).toFixed(1),
    'both, ms': median(name, whole).toFixed(1),
    'of customary': (median(name, whole) / median(name.includes('store') ? 'customary, secrets in the store' : 'customary', whole)).toFixed(
      2,
    ),
    'at most': name.startsWith('deployed') ? 0.5 : '',
  }));
}

const enginesOf = (env: NodeJS.ProcessEnv) => Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AWS_')));

/** Answers with the secrets of the environment by ARNs that stand for them. */
async function startSecretsStore(environment: Record<string, string>) {
  const names = ['LICENSE_PEPPERS', 'LEASE_KEYS', 'CALLER_HASH_KEY'];
  const server = createServer(async (request, response) => {
    const { SecretId } = JSON.parse(await text(request));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ SecretString: environment[SecretId.replace(/^.*:/, '')] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    environment: {
      ...Object.fromEntries(names.map((name) => [name, `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`])),
      STAGE: 'local',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
