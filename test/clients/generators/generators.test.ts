import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { build } from 'esbuild';
import { temporaryFolder } from '../../support/scenes/stack.ts';
import { offerProduct, type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const packages = join(import.meta.dirname, '..', '..', '..', 'node_modules');
const formerTypescript = pathToFileURL(join(import.meta.dirname, 'former-typescript.ts')).href;

/** How a client is made in a folder of the description at an address, and an app that calls by it. */
interface Generator {
  command: (description: string) => readonly string[];
  settings?: (description: string) => string;
  app: (service: string) => string;
}

const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    command: (description) => ['openapi-typescript', description, '--output', 'client.ts'],
    app: (service) => `
import createClient from 'openapi-fetch';
import type { paths } from './client';
const { POST } = createClient<paths>({ baseUrl: '${service}' });
export async function validate(body: Body): Promise<Answer> {
  const { data, error, response } = await POST('/v1/licenses/validate', { body });
  return { status: response.status, valid: data?.valid, code: data?.code ?? error?.code };
}`,
  },
  '@hey-api/openapi-ts': {
    command: (description) => ['openapi-ts', '--input', description, '--output', 'client', '--no-log-file'],
    app: () => `
import { validateLicense } from './client';
export async function validate(body: Body): Promise<Answer> {
  const { data, error, response } = await validateLicense({ body });
  return { status: response?.status, valid: data?.valid, code: data?.code ?? error?.code };
}`,
  },
  orval: {
    command: () => ['orval', '--fail-on-warnings'],
    settings: (description) => `export default {
  shop: { input: '${description}', output: { target: 'client.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } } },
};`,
    app: () => `
import { validateLicense } from './client';
export async function validate(body: Body): Promise<Answer> {
  const { status, data } = await validateLicense(body);
  return { status, valid: status === 200 ? data.valid : undefined, code: data.code };
}`,
  },
};

const shapes = `
type Body = { product_id: string; license_key: string; device_fingerprint: string };
type Answer = { status: number | undefined; valid: boolean | undefined; code: string | undefined };`;

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  noEmit: true,
  types: [],
};

let harness: StackHarness;
let device: { product_id: string; license_key: string; device_fingerprint: string };
beforeAll(async () => {
  harness = await startStackHarness();
  const { id } = await offerProduct(harness);
  const { license_key } = await harness.call('POST', `/v1/products/${id}/test-keys`, { as: 'seller' });
  device = { product_id: id, license_key, device_fingerprint: 'laptop' };
  await harness.call('POST', '/v1/licenses/activate', { body: device });
});
afterAll(() => harness?.stop());

test.each(Object.entries(generators))(
  '%s makes a client of the description that compiles and validates a license',
  async (_, generator) => {
    const folder = await temporaryFolder();
    const inside = (name: string) => join(folder.path, name);
    const runHere = ([name = '', ...args]: readonly string[]) =>
      run(process.execPath, [join(packages, '.bin', name), ...args], {
        cwd: folder.path,
        env: { ...process.env, NODE_OPTIONS: `--import=${formerTypescript}` },
      });
    const description = `${harness.baseUrl}/openapi.json`;
    await symlink(packages, inside('node_modules'));
    await writeFile(inside('tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(inside('app.ts'), generator.app(harness.baseUrl) + shapes);
    if (generator.settings) await writeFile(inside('orval.config.mjs'), generator.settings(description));

    await runHere(generator.command(description));
    expect(await runHere(['tsc']).catch((error) => error)).toMatchObject({ stdout: '', stderr: '' });
    await build({
      entryPoints: [inside('app.ts')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: inside('app.mjs'),
      logLevel: 'error',
    });
    const { validate } = await import(pathToFileURL(inside('app.mjs')).href);
    expect(await validate(device)).toEqual({ status: 200, valid: true, code: 'valid' });
    expect(await validate({ ...device, license_key: '' })).toEqual({ status: 400, valid: undefined, code: 'invalid_request' });
    await folder.remove();
  },
);
